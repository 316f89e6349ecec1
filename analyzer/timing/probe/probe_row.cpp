// Times with microseconds, latencies with nanoseconds.
#include "analyzer/timing/probe/probe_row.h"

#include <fmt/format.h>

namespace fathom {
namespace {

std::string csv_text(std::string_view text)
{
    std::string plain(text);
    for (char& c : plain)
        if (c == '\n' || c == '\r') c = ' ';
    if (plain.find_first_of(",\"") == std::string::npos) return plain;
    std::string quoted = "\"";
    for (const char c : plain) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

}  // namespace

std::string csv_line(const ProbeRow& row)
{
    const std::uint64_t us = row.time / 1000;
    return fmt::format("{}.{:06},{},{},{},{},{},{}\n", us / 1'000'000, us % 1'000'000, csv_text(row.target),
                       row.operation, row.size, row.latency ? fmt::format("{:.9f}", *row.latency) : "",
                       row.mode, csv_text(row.error));
}

}  // namespace fathom
