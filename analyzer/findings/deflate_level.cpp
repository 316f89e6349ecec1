// Datasets that HDF5 compresses with one of deflate's slow levels, which make them little smaller than a
// quick one.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/dataset_words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t slow_level = 7, much_deflated = 1 << 20;
// Of the time that such a level takes, level 1 saves so much.
constexpr double saved_by_level_least = 0.4, saved_by_level_most = 0.85;

constexpr Remedy quick_level_remedies[] = {
    {Language::c,
     "Make the dataset with a quick level, after shuffling the bytes. In Fortran these are "
     "h5pset_shuffle_f and h5pset_deflate_f:",
     {"H5Pset_shuffle(dataset_creation);", "H5Pset_deflate(dataset_creation, 1);"}},
    {Language::netcdf,
     "Make the variable with a quick level, after shuffling the bytes. In Fortran it is "
     "nf90_def_var_deflate:",
     {"nc_def_var_deflate(file, variable, 1, 1, 1);"}},
    {Language::python,
     "Make the dataset with a quick level, after shuffling the bytes:",
     {"file.create_dataset(name, shape, dtype, chunks=True, shuffle=True, compression=\"gzip\", "
      "compression_opts=1)"}},
    {Language::netcdf4,
     "Make the variable with a quick level, after shuffling the bytes:",
     {"dataset.createVariable(name, \"f8\", dimensions, zlib=True, complevel=1, shuffle=True)"}},
    {Language::packaged, "Look for an option of PROGRAM that has it compress with a quicker level."},
};

}  // namespace

MaybeFinding deflate_level(const Scene& scene)
{
    LostTime taken(scene.job);
    MostLost<DatasetUse> most;
    std::uint64_t written = 0;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const DatasetCounters& sums = one.sums;
        if (!one.own || sums.deflate_level < slow_level || sums.bytes_written == 0) continue;
        const Filtered made = filtered(scene, one);
        if (made.kept >= hardly_smaller * static_cast<double>(sums.bytes_written)) continue;
        const double before = taken.total();
        for (const DatasetRecord* const record : one.records)
            taken.add(owner_of(*record), taken_by_filters(scene, one, *record, made));
        most.add(one, taken.total() - before);
        written += sums.bytes_written;
    }
    if (most.use == nullptr || written < much_deflated) return {};
    const DatasetUse& one = *most.use;
    const auto kept = static_cast<std::uint64_t>(filtered(scene, one).kept);
    const double in_filters = scene.cost_in_libraries(taken);
    Finding finding;
    finding.title = fmt::format("{}{}: {} compressed with deflate's level {}", called(one),
                                and_others(most.number), format_bytes(written), one.sums.deflate_level);
    finding.cost = seconds(saved_by_level_most * in_filters);
    finding.cost_least = saved_by_level_least * in_filters;
    finding.cost_basis = fmt::format(
        "between {:.0f} and {:.0f} % of the library's own time in these writes, which is assumed to be what "
        "level 1 saves",
        100 * saved_by_level_least, 100 * saved_by_level_most);
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"asked", "written to it", bytes(one.sums.bytes_written), ""},
        {"kept", "written to the file", bytes(kept),
         format_share(static_cast<double>(kept) / static_cast<double>(one.sums.bytes_written))},
        {"own_time", "in the library itself", nanoseconds(one.own_time()), ""}};
    finding.why = "A slow level searches for the longest match everywhere, and of numbers it finds few.";
    finding.doubt = "Files that are kept for years, or sent over a slow line.";
    finding.advice = advice_in(program_of(scene.job, taken, one.container), quick_level_remedies);
    return Found(std::move(finding), taken);
}

}  // namespace fathom
