// Views of MPI-IO that are set again and again, each by all ranks together, for little data in between.
// PnetCDF and HDF5 set one for each collective access.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

using namespace report;

// Few of all ranks, unless each sets more than a program's steps would. HDF5 sets two for each access: one
// for its pieces, and one to go back.
constexpr std::uint64_t few_views = 200, few_each = 25, little_a_view = 1 << 20;

struct Views {
    std::uint64_t views = 0, bytes = 0;
    LostTime lost;
    MostLost<FileUse> most = {};
};

void add(Views& all, const FileCase& file, double each)
{
    std::uint64_t views = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::mpiio) views += record[&MpiioRecord::views];
    const FileView& view = file.use->application();
    const std::uint64_t bytes = view.bytes_read + view.bytes_written;
    const std::string_view path = file.use->path;
    const bool by_hdf5 = is_named_as_hdf5(path) && !path.ends_with(".nc");  // which may be PnetCDF's
    const std::uint64_t accesses = by_hdf5 ? views / 2 : views;
    if ((accesses < few_views && accesses < few_each * view.users().count) || accesses == 0 ||
        bytes / accesses >= little_a_view)
        return;
    const double before = all.lost.total();
    for (const RecordView& record : file.records)
        if (record.layer == Layer::mpiio)
            all.lost.add(record, std::min(static_cast<double>(record[&MpiioRecord::views]) * each,
                                          static_cast<double>(record[&Transfers::metadata_time])));
    all.most.add(*file.use, all.lost.total() - before);
    all.views += views;
    all.bytes += bytes;
}

Views views_of(const Scene& scene, double each)
{
    Views all{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files)
        if (file.use->by_mpiio && !are_views_of_flushes(file)) add(all, file, each);
    return all;
}

// Seconds: all ranks are in each of them at once.
double cost_of(const Scene& scene, const Views& all)
{
    return std::min(scene.cost(all.lost), all.lost.longest() / 1e9);
}

constexpr Remedy view_remedies[] = {
    {Language::c,
     "Set the view once, for all steps; or leave it out where each rank's part is one piece, and give the "
     "offset:",
     {"MPI_File_write_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Set the view once, for all steps; or leave it out where each rank's part is one piece, and give the "
     "offset:",
     {"call MPI_File_write_at_all(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::pnetcdf,
     "PnetCDF sets a view for each collective access: post many, and have them done together. In Fortran "
     "these are nf90mpi_iput_var and nf90mpi_wait_all:",
     {"ncmpi_iput_vara_double(file, variable, start, count, array, &request);",
      "ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL);"}},
    {Language::hdf5,
     "HDF5 sets a view for each collective access: move larger selections by each call, put many small "
     "datasets into one with one more dimension, or move several by one call (H5Dwrite_multi, from HDF5 1.14 "
     "on)."},
    {Language::h5py, "HDF5 sets a view for each collective access: move larger slices by each statement."},
    {Language::netcdf4,
     "The library sets a view for each collective access: move larger slices by each statement."},
    {Language::python,
     "Set the view once, for all steps; or leave it out where each rank's part is one piece, and give the "
     "offset:",
     {"file.Write_at_all(offset, array)"}},
    {Language::packaged, "Look for an option of PROGRAM that has it move more at a time."},
};

// ns with a core of its own, that HDF5 computes around a view at most: to make a dataset, and to select a
// part.
constexpr double most_around_view = 20e3;

// s of the rank with most, where HDF5 is linked statically, so that its own calls are not recorded.
double around_unseen_views(const Scene& scene, const AdvisedProgram& program, const Views& all)
{
    if (!program.uses(hdf5_inside)) return 0;
    const double users = static_cast<double>(all.most.use->application().users().count);
    double most = 0;
    for (std::size_t rank = 0; rank < scene.job.ranks.size(); ++rank)
        if (all.lost.of(rank) > 0)
            most = std::max(
                most, std::min(static_cast<double>(all.views) / users * most_around_view * scene.stretched,
                               scene.most_computed(rank)));
    return most / 1e9;
}

}  // namespace

MaybeFinding many_views(const Scene& scene)
{
    const OperationSum others = scene.operations(Layer::mpiio, Kind::other);
    if (others.operations == 0) return {};
    // Ranks that wait there for one that is late may wait elsewhere, without these calls.
    const auto number = static_cast<double>(others.operations);
    const double each = scene.steady_time(Layer::mpiio, Kind::other, 0) / scene.stretched / number;
    const Views all = views_of(scene, each);
    if (all.most.use == nullptr) return {};
    const double cost = cost_of(scene, all),
                 with_waiting = cost_of(scene, views_of(scene, static_cast<double>(others.time) / number));
    Finding finding;
    finding.title = fmt::format("{} file views set by MPI_File_set_view, for {} each",
                                format_count(all.views), format_bytes(all.bytes / all.views));
    const AdvisedProgram program = program_of(scene.job, all.lost, all.most.use->path);
    if (program.language == Language::pnetcdf)
        finding.title = fmt::format("{} collective calls of PnetCDF, of {} each, which each set a file view",
                                    format_count(all.views), format_bytes(all.bytes / all.views));
    const double unseen = around_unseen_views(scene, program, all);
    finding.cost = seconds(std::min(cost + unseen, scene.run));
    finding.cost_basis =
        "the time in these calls of the rank with most, as the mean of MPI-IO's rarer calls has it without "
        "those that waited far longer than others";
    constexpr double clearly_more = 1.25;
    if (cost + unseen >= least_worthy(scene.run) && with_waiting > clearly_more * cost) {
        finding.cost_least = cost;
        finding.cost = seconds(std::min(with_waiting + unseen, scene.run));
        finding.cost_basis += "; at most with the time that ranks waited in them, which may remain";
    }
    if (unseen > 0) {
        finding.cost_least = cost;
        finding.cost_basis += fmt::format(
            "; at most also what HDF5, linked statically, computes around each, which is assumed: up to {}",
            format_seconds(most_around_view / 1e9));
    }
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"views", "views set", count(all.views), fmt::format("{} each", format_seconds(each / 1e9))},
        {"bytes", "moved through them", bytes(all.bytes), ""},
        {"file", "most time in", path(all.most.use->path),
         fmt::format("by {} ranks", format_count(all.most.use->application().users().count))}};
    finding.why = "Setting a view is collective: all ranks wait for each other.";
    finding.doubt = "Ranks that wait there for one that is late would wait elsewhere.";
    finding.advice = advice_in(program, view_remedies);
    Found found(std::move(finding), all.lost);
    if (program.language == Language::pnetcdf) found.container = all.most.use->path;
    found.metadata = cost;
    found.file = all.most.use;
    return found;
}

}  // namespace fathom
