// Files of classic NetCDF that its library moves in small blocks, though the program moves variables in large
// parts: its buffer is as long as the file system says that its blocks are, often 4 KiB.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/classic_netcdf.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_by_buffer = 500;
// Of the time beyond moving the bytes, larger blocks save this part at least.
constexpr double saved_by_buffer = 0.5;

constexpr Remedy buffer_remedies[] = {
    {Language::netcdf,
     "Give netCDF a larger buffer where the file is made or opened (nc__open), but a small part of what a "
     "call moves, since netCDF reads a whole buffer before it writes it. In Fortran it is chunksize= of "
     "nf90_create and nf90_open:",
     {"size_t buffer = 64 << 10;", "nc__create(path, NC_CLOBBER, 0, &buffer, &file);"}},
    {Language::netcdf4,
     "Write NetCDF-4, which moves variables in the program's own parts, or write to a disk of the node and "
     "copy the file at the end:",
     {"netCDF4.Dataset(path, \"w\", format=\"NETCDF4\")"}},
    {Language::script, "Move the file to a disk of the node, and work on it there."},
    {Language::packaged,
     "Have PROGRAM write NetCDF-4 (cdo: -f nc4, nco: -4), or have it work on a disk of the node."},
};

}  // namespace

MaybeFinding netcdf_buffer(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<FileUse> most;
    std::uint64_t requests = 0, bytes_moved = 0;
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->system;
        if (view.reads + view.writes < few_by_buffer || !is_moved_in_blocks(scene, file)) continue;
        const double needed =
            static_cast<double>(view.bytes_read) * scene.reference(Direction::read).ns_per_byte +
            static_cast<double>(view.bytes_written) * scene.reference(Direction::write).ns_per_byte;
        const double time = static_cast<double>(view.read_time + view.write_time) - needed,
                     slow = scene.beyond_slow_link(*file.use, time / 1e9, static_cast<double>(view.bytes())) *
                            1e9;
        if (slow <= 0) continue;
        const double before = lost.total();
        lost.add_by_time(file.records, slow);
        requests += view.reads + view.writes;
        bytes_moved += view.bytes();
        most.add(*file.use, lost.total() - before);
    }
    if (most.use == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, lost, most.use->path);
    Finding finding;
    finding.title =
        fmt::format("{} requests of {} by netCDF's buffer, for variables that are moved in large parts",
                    format_count(requests), format_bytes(bytes_moved / requests));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_least = saved_by_buffer * cost_of(finding);
    finding.cost_basis =
        "the time in these requests beyond that of large ones, and beyond a link of 50 MiB/s where nodes "
        "share "
        "the file system; at least half of that";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"requests", "reads and writes", count(requests),
                         fmt::format("of {} in all", format_bytes(bytes_moved))},
                        {"file", "most time in", path(most.use->path), ""}};
    finding.why =
        "netCDF moves a file of the classic formats through one buffer, and reads each block before it "
        "writes it, new ones too.";
    finding.doubt = "A program that moves parts from all over the file.";
    finding.advice = advice_in(program, buffer_remedies);
    Found found(std::move(finding), std::move(lost));
    found.file = most.use;
    return found;
}

}  // namespace fathom
