// The two files that a measurement leaves: every access, and whether each run was as asked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/timing/measure/check.h"
#include "analyzer/timing/measure/measured_file.h"
#include "analyzer/timing/measure/timed_loop.h"

namespace fathom::measure {

inline constexpr std::string_view samples_header =
    "state,operation,memory,file,size,threads,thread,repeat,number,offset,start_s,duration_s\n";
inline constexpr std::string_view checks_header =
    "state,operation,memory,file,size,threads,repeat,how,operations,planned,bytes,resident_before,resident_"
    "after,"
    "cache_hits,read_bytes,write_bytes,as_asked,why\n";

// "runs/a.csv" -> "runs/a.checks.csv"
std::string checks_beside(const std::string& samples);

// What is said of a file of results that is there.
std::string already_there(const std::string& path);

// Bytes that a row of samples takes at most, about.
inline constexpr std::uint64_t row_bytes = 96;

// A file that grows by whole rows: whatever ends us, what is there can be read. Throws std::runtime_error
// (file, reason, remedy) where it cannot be written, and, unless `replace`, where it is there already.
class GrowingCsv {
  public:
    GrowingCsv(std::string path, std::string_view header, bool replace);

    void add(std::string_view rows);
    void flush();
    const std::string& path() const { return path_; }

  private:
    [[noreturn]] void give_up(int why);

    std::string path_, waiting_;
    std::uint64_t whole_ = 0;  // bytes of rows that were written
    Descriptor file_;
};

// `begin` is the clock's reading when the measurement began.
void add_samples(GrowingCsv& csv, const Configuration& one, unsigned thread, std::span<const Sample> samples,
                 std::uint64_t begin);
void add_check(GrowingCsv& csv, const Check& check, std::uint64_t page);

}  // namespace fathom::measure
