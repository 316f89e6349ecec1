// A table of which counter goes into which sum.
#include "analyzer/sections/libraries/library_sums.h"

#include <algorithm>
#include <array>
#include <string>

namespace fathom {
namespace {

struct Whole {
    std::string_view counter;
    std::uint64_t LibrarySum::*sum;
};
constexpr Whole whole_numbers[] = {
    {"OPENS", &LibrarySum::opens},           {"CREATES", &LibrarySum::opens},
    {"FLUSHES", &LibrarySum::flushes},       {"SYNCS", &LibrarySum::flushes},
    {"READS", &LibrarySum::reads},           {"INDEP_READS", &LibrarySum::reads},
    {"COLL_READS", &LibrarySum::reads},      {"NB_READS", &LibrarySum::reads},
    {"WRITES", &LibrarySum::writes},         {"INDEP_WRITES", &LibrarySum::writes},
    {"COLL_WRITES", &LibrarySum::writes},    {"NB_WRITES", &LibrarySum::writes},
    {"COLL_READS", &LibrarySum::collective}, {"COLL_WRITES", &LibrarySum::collective},
    {"BYTES_READ", &LibrarySum::bytes_read}, {"BYTES_WRITTEN", &LibrarySum::bytes_written}};

struct Time {
    std::string_view counter;
    double LibrarySum::*sum;
};
constexpr Time times[] = {{"READ_TIME", &LibrarySum::read_time},
                          {"WRITE_TIME", &LibrarySum::write_time},
                          {"META_TIME", &LibrarySum::metadata_time},
                          {"WAIT_TIME", &LibrarySum::write_time}};

// Several records of one object, those of single ranks, each say so.
struct Flag {
    std::string_view counter;
    std::uint64_t LibrarySum::*flag;
};
constexpr Flag flags[] = {{"USE_MPIIO_COLLECTIVE", &LibrarySum::collective_objects},
                          {"USE_MPIIO", &LibrarySum::with_mpiio}};

// "SIZE_READ_AGG_1K_10K": the class by the end of its name.
void add_size(std::string_view counter, std::uint64_t number, LibrarySum& sum)
{
    constexpr std::string_view reads = "SIZE_READ_AGG", writes = "SIZE_WRITE_AGG";
    const bool read = counter.starts_with(reads);
    if (!read && !counter.starts_with(writes)) return;
    std::string name(counter.substr(read ? reads.size() : writes.size()));
    if (name.ends_with("PLUS")) name.replace(name.size() - 4, 4, "plus");
    const auto& names = SizeHistogram::names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return;
    (read ? sum.read_size : sum.write_size).count[static_cast<std::size_t>(found - names.begin())] += number;
}

// Tools print counters with the library before them, and an F before those of times.
std::string_view bare_name(const LibraryCounter& row)
{
    std::string_view name = row.counter;
    if (name.starts_with(row.library) && name.substr(row.library.size()).starts_with('_'))
        name.remove_prefix(row.library.size() + 1);
    if (name.starts_with("F_")) name.remove_prefix(2);
    return name;
}

}  // namespace

LibrarySums library_sums_of(const Log& log)
{
    LibrarySums sums;
    for (const LibraryCounter& row : log.rows<LibraryCounter>()) {
        LibrarySum& sum = sums[row.library][row.file];
        const std::string_view name = bare_name(row);
        for (const Time& one : times)
            if (one.counter == name && row.seconds > 0) sum.*one.sum += row.seconds;
        if (row.number <= 0) continue;  // -1: not recorded
        const auto number = static_cast<std::uint64_t>(row.number);
        for (const Whole& one : whole_numbers)
            if (one.counter == name) sum.*one.sum += number;
        for (const Flag& one : flags)
            if (one.counter == name) sum.*one.flag = 1;
        add_size(name, number, sum);
    }
    return sums;
}

}  // namespace fathom
