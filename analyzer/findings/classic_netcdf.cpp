// By its name, the libraries of those that used it, and the size of what they moved.
#include "analyzer/findings/classic_netcdf.h"

#include <algorithm>
#include <string_view>

#include "analyzer/findings/language.h"

namespace fathom {
namespace {

constexpr std::string_view netcdf_endings[] = {".nc", ".nc3", ".cdf"};
constexpr std::uint64_t unbuffered_piece = 1024;  // bytes: a buffer has 4 KiB at least

}  // namespace

bool is_classic_netcdf(const Scene& scene, const FileCase& file)
{
    const FileUse& use = *file.use;
    if (use.by_mpiio || scene.datasets.file_of(use.file) != nullptr ||
        std::none_of(std::begin(netcdf_endings), std::end(netcdf_endings),
                     [&](std::string_view ending) { return use.path.ends_with(ending); }))
        return false;
    LostTime of_file(scene.job);
    of_file.add_by_time(file.records, static_cast<double>(use.system.time()));
    return executable_of(scene.job, of_file).uses("libnetcdf");
}

bool is_buffered_netcdf(const Scene& scene, const FileCase& file)
{
    constexpr std::uint64_t least_buffer = 4096;
    const FileView& view = file.use->system;
    const std::uint64_t calls = view.reads + view.writes;
    return calls > 0 && (view.bytes_read + view.bytes_written) / calls >= least_buffer &&
           is_classic_netcdf(scene, file);
}

bool is_unbuffered_netcdf(const Scene& scene, const FileCase& file)
{
    const FileView& view = file.use->system;
    const std::uint64_t calls = view.reads + view.writes;
    if (calls == 0 || (view.bytes_read + view.bytes_written) / calls >= unbuffered_piece) return false;
    std::uint64_t writes = 0, consecutive = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::posix) {
            writes += record[&Transfers::writes];
            consecutive += record[&Pattern::consecutive_writes];
        }
    return consecutive <= writes / 2 && is_classic_netcdf(scene, file);
}

bool is_moved_in_blocks(const Scene& scene, const FileCase& file)
{
    constexpr std::uint64_t large_part = 256 << 10, small_block = 32 << 10;
    const FileView& view = file.use->system;
    const std::uint64_t requests = view.reads + view.writes;
    if (requests == 0 || view.bytes() / requests >= small_block) return false;
    std::uint64_t calls = 0, bytes = 0;
    for (const DatasetUse* const one : scene.datasets.in_file(file.use->file))
        if (one->is_classic()) {
            calls += one->calls();
            bytes += one->bytes();
        }
    return calls > 0 && bytes / calls >= large_part && is_classic_netcdf(scene, file);
}

}  // namespace fathom
