// The plan beside what is free.
#include "analyzer/timing/measure/refusal.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>

#include "analyzer/document/units.h"
#include "analyzer/timing/measure/plan.h"
#include "analyzer/timing/measure/room.h"
#include "analyzer/timing/measure/samples_csv.h"

namespace fathom::measure {
namespace {

std::string folder_of(const std::string& path)
{
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

bool on_one_disk(const std::string& one, const std::string& other)
{
    struct stat a {
    }, b{};
    return stat(one.c_str(), &a) == 0 && stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev;
}

void refuse_if(const std::string& why, const std::string& where)
{
    if (!why.empty()) throw std::runtime_error(fmt::format("{}: {}", where, why));
}

}  // namespace

void refuse_too_much(const Settings& settings, const std::string& csv, const Allowances& allowed)
{
    const Grid& grid = settings.grid;
    const Plan plan = plan_of(grid, settings.file_size);
    const auto wanted = [&](State state) {
        return std::find(grid.states.begin(), grid.states.end(), state) != grid.states.end();
    };
    Needs needs;
    needs.buffer = settings.buffer_size + grid.threads.back() * grid.limits.count * sizeof(Sample);
    needs.cached = wanted(State::cached);
    if (needs.cached || wanted(State::uncached)) needs.files = settings.file_size;
    Needs results;
    results.csv = plan.operations * row_bytes;
    const std::string folder = folder_of(csv);
    if (on_one_disk(settings.folder, folder)) std::swap(needs.csv, results.csv);

    const std::uint64_t memory = free_memory();
    refuse_if(too_much(needs, disk_room(settings.folder), memory, allowed.most_of_disk), settings.folder);
    refuse_if(too_much(results, disk_room(folder), memory, allowed.most_of_disk), csv);
    if (plan.bytes_written > allowed.most_written)
        refuse_if(
            fmt::format("up to {} would be written to the device, which wears flash memory, and {} is the "
                        "most that is allowed; allow more with --most-written, or ask for less with "
                        "--sizes, --file, --count or --bytes-limit",
                        report::format_bytes(plan.bytes_written), report::format_bytes(allowed.most_written)),
            settings.folder);
}

}  // namespace fathom::measure
