// Which columns of a row predict another one best: what is left after subtracting them is small, and small
// numbers pack well. Only the writer needs this; a log says for each column what it was subtracted.
#pragma once

#include <string_view>

namespace fathom {

struct Prediction {
    static constexpr std::size_t most_terms = 3;
    std::string_view column;
    std::string_view sum_of[most_terms];  // earlier columns of the same table; the empty ones do not count
};

// A column may have several; the one that leaves the least is taken, or none.
inline constexpr Prediction predictions[] = {
    {"closes", {"opens"}},
    {"last_open", {"first_open"}},
    {"first_read", {"first_open"}},
    {"last_read", {"last_open"}},
    {"last_read", {"first_read", "read_time"}},
    {"first_write", {"first_open"}},
    {"first_write", {"last_read"}},
    {"last_write", {"last_open"}},
    {"last_write", {"first_write", "write_time"}},
    {"first_close", {"first_write"}},
    {"first_close", {"last_write"}},
    {"first_close", {"first_read"}},
    {"first_close", {"first_open"}},
    {"last_close", {"last_write"}},
    {"last_close", {"last_read"}},
    {"last_close", {"first_close"}},
    {"slowest_read_time", {"read_time"}},
    {"slowest_write_time", {"write_time"}},
    {"common_size_1_count", {"reads", "writes"}},
    {"highest_read", {"bytes_read"}},
    {"highest_written", {"bytes_written"}},
    {"highest_written", {"highest_read"}},
    {"slowest_process_time", {"read_time", "write_time", "metadata_time"}},
    {"slowest_process_bytes", {"bytes_read", "bytes_written"}},
    {"fastest_process", {"slowest_process"}},
    {"fastest_process_time", {"slowest_process_time"}},
    {"fastest_process_bytes", {"slowest_process_bytes"}},
    {"time_per_process_n", {"processes"}},
    {"time_per_process_sum", {"read_time", "write_time", "metadata_time"}},
    {"bytes_per_process_n", {"processes"}},
    {"bytes_per_process_sum", {"bytes_read", "bytes_written"}},
    {"end", {"start"}},       // of processes and bursts
    {"below", {"at_least"}},  // of bins
};

}  // namespace fathom
