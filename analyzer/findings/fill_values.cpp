#include "analyzer/findings/fill_values.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/classic_netcdf.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/overwritten.h"
#include "analyzer/findings/rules.h"
#include "analyzer/job/dataset_words.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

using namespace report;

// What HDF5 wrote into the datasets of a file beside what it was given; of NetCDF's classic format, in which
// no call says so, what was read, written and written over.
struct Fills {
    const DatasetUse* most = nullptr;
    double bytes = 0, of_most = 0;
    double in_creates = 0, in_writes = 0;  // ns beneath
    bool classic = false, together = false;
};

// Nothing but data and fill values is written into it.
bool is_plain(const DatasetUse& one, const FileUse& file)
{
    return one.own && one.container == file.path && one.sums.filters == 0 &&
           one.sums.library == static_cast<std::uint64_t>(DataLibrary::hdf5);
}

// Without filters, and where chunks do not pass again and again, nothing else than fill values is written in
// creates of datasets, or beside the data into one that lies in one piece.
Fills fills_of(const Scene& scene, const FileUse& file)
{
    Fills all;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const DatasetCounters& sums = one.sums;
        if (!is_plain(one, file)) continue;
        const bool in_one_piece = sums.layout == static_cast<std::uint64_t>(DataLayout::contiguous);
        if (!in_one_piece && 10 * sums.metadata_time_beneath < sums.write_time_beneath) continue;
        const auto bytes = static_cast<double>(sums.posix_bytes_written -
                                               std::min(sums.posix_bytes_written, sums.bytes_written));
        if (bytes <= 0) continue;
        all.bytes += bytes;
        all.in_creates += static_cast<double>(sums.metadata_time_beneath);
        all.in_writes += static_cast<double>(sums.write_time_beneath);
        if (bytes <= all.of_most) continue;
        all.of_most = bytes;
        all.most = &one;
    }
    return all;
}

// What was written over in one file.
struct FilledFile {
    Fills fills = {};
    double bytes = 0, kept = 0;
    LostTime lost;
};

// The same where ranks have it open together: HDF5 then fills each dataset when it is made. One rank does so
// for a dataset in one piece, and the others wait for it; chunks are filled by collective writes of all.
FilledFile filled_together(const Scene& scene, const FileUse& file)
{
    constexpr double clearly_more = 1.5;  // than it was given
    FilledFile filled{.lost = LostTime(scene.job)};
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const DatasetCounters& sums = one.sums;
        const auto given = static_cast<double>(sums.bytes_written),
                   written = static_cast<double>(sums.mpiio_bytes_written);
        if (!is_plain(one, file) || sums.creates == 0 || given == 0 || written < clearly_more * given)
            continue;
        if (sums.layout == static_cast<std::uint64_t>(DataLayout::contiguous))
            filled.lost.add_to_all(static_cast<double>(sums.metadata_time_beneath));
        else
            for (const DatasetRecord* const record : one.records)
                filled.lost.add(owner_of(*record), static_cast<double>(record->metadata_time_beneath));
        filled.fills.together = true;
        filled.fills.bytes += written - given;
        filled.kept += given;
        if (written - given <= filled.fills.of_most) continue;
        filled.fills.of_most = written - given;
        filled.fills.most = &one;
    }
    filled.bytes = filled.fills.bytes;
    return filled;
}

// The same of HDF5 that is linked statically, of which no call is recorded: what is filled is written twice,
// and both times through MPI-IO.
FilledFile filled_by_unseen(const Scene& scene, const FileCase& file)
{
    constexpr double clearly_more = 1.5, twice = 2.1, hardly_read = 0.1;
    FilledFile filled{.lost = LostTime(scene.job)};
    const FileView& given = file.use->application();
    const auto kept = static_cast<double>(file.use->system.highest_written),
               written = static_cast<double>(given.bytes_written);
    if (file.use->kind != NameKind::file || file.use->system.creates != 1 ||
        !is_named_as_hdf5(file.use->path) || static_cast<double>(given.bytes_read) > hardly_read * written ||
        written < clearly_more * kept || written > twice * kept)
        return filled;
    std::uint64_t together = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::mpiio) {
            together += record[&MpiioRecord::collective_writes];
            filled.lost.add(record, (written - kept) / written *
                                        static_cast<double>(record[&Transfers::write_time] +
                                                            record[&Transfers::metadata_time]));
        }
    if (together == 0 || !program_of(scene.job, filled.lost).uses(hdf5_inside)) return filled;
    filled.fills = {.bytes = written - kept, .together = true};
    filled.bytes = written - kept;
    filled.kept = kept;
    return filled;
}

// The same of variables of NetCDF's classic format that were written once: as much again was written into
// their file beside them, and each block of it was read before they took its place. A header that grows has
// more read than that.
FilledFile filled_variables(const Scene& scene, const FileCase& file)
{
    constexpr double least_part = 0.5, at_most = 1.1, most_read = 0.5;
    FilledFile filled{.fills = {.classic = true}, .lost = LostTime(scene.job)};
    double given = 0;
    for (const DatasetUse* const one : scene.datasets.in_file(file.use->file))
        if (one->is_classic()) given += static_cast<double>(one->sums.bytes_written);
    const FileView& view = file.use->system;
    const double beside = static_cast<double>(view.bytes_written) - given,
                 read = static_cast<double>(view.bytes_read);
    if (view.creates == 0 || beside < least_part * given || beside > at_most * given ||
        read < most_read * beside || read > at_most * beside)
        return filled;
    filled.bytes = beside;
    filled.kept = given;
    filled.lost.add_by_time(file.records, beside / (beside + given) * static_cast<double>(view.time()));
    return filled;
}

// The part of a share of all that was written that is saved where fill values are not: what is written first
// makes the file's pages and blocks, which the other would have to do then.
double spared_of(const Fills& fills, double share)
{
    const double quicker = std::min(fills.in_creates, fills.in_writes),
                 both = share * (fills.in_creates + fills.in_writes);
    return quicker > 0 && both > 0 ? std::min(quicker / both, 1.0) : 1;
}

FilledFile filled_file(const Scene& scene, const FileCase& file)
{
    if (file.use->by_mpiio) {
        FilledFile together = filled_together(scene, *file.use);
        return together.bytes > 0 ? together : filled_by_unseen(scene, file);
    }
    if (is_buffered_netcdf(scene, file)) {
        FilledFile variables = filled_variables(scene, file);
        if (variables.bytes > 0) return variables;
    }
    FilledFile one{.lost = LostTime(scene.job)};
    const auto is_over = [&](bool read_before) {
        return std::any_of(file.records.begin(), file.records.end(), [&](const RecordView& record) {
            return overwritten_in(file, record, read_before).bytes > 0;
        });
    };
    if (file.use->kind != NameKind::file || !is_over(true)) return one;
    const bool classic = is_buffered_netcdf(scene, file);
    if (!classic && !is_over(false)) return one;
    one.fills = classic ? Fills{.classic = true} : fills_of(scene, *file.use);
    for (const RecordView& record : file.records) {
        const Overwritten over = overwritten_in(file, record, classic);
        const double share = over.share();
        one.bytes += over.bytes;
        one.kept += over.written - over.bytes;
        one.lost.add(record, share * (classic ? static_cast<double>(record.time())
                                              : over.time * spared_of(one.fills, share)));
    }
    return one;
}

// A file is filled once: what is written more often than that is written again, as at each sync.
bool is_filled(const FilledFile& one)
{
    constexpr double at_most = 1.5;  // of what the file holds
    if (one.fills.classic && one.bytes > at_most * one.kept) return false;
    return one.bytes > 0 && (one.fills.classic || one.fills.bytes >= one.bytes / 2);
}

constexpr Remedy classic_fill_remedies[] = {
    {Language::c,
     "Tell the library not to write fill values into variables that are written whole, before the "
     "definitions end. In Fortran it is nf90_set_fill(file, NF90_NOFILL, old):",
     {"nc_set_fill(file, NC_NOFILL, &old);"}},
    {Language::python,
     "Tell the library not to write fill values into variables that are written whole, before the first is "
     "created:",
     {"dataset.set_fill_off()"}},
    {Language::packaged, "Look for an option of PROGRAM that has it write no fill values."},
};

constexpr Remedy fill_remedies[] = {
    {Language::netcdf,
     "Tell the library not to write fill values into variables that are written whole. In Fortran it is "
     "nf90_def_var_fill(file, variable, 1, 0):",
     {"nc_def_var_fill(file, variable, NC_NOFILL, NULL);"}},
    {Language::c,
     "Tell HDF5 not to write fill values into datasets that are written whole. In Fortran it is "
     "h5pset_fill_time_f with H5D_FILL_TIME_NEVER_F:",
     {"H5Pset_fill_time(dataset_creation, H5D_FILL_TIME_NEVER);"}},
    {Language::python,
     "Tell HDF5 not to write fill values into datasets that are written whole:",
     {"properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)",
      "properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)",
      "file.create_dataset(name, shape, dtype, dcpl=properties)"}},
    {Language::netcdf4,
     "Tell the library not to write fill values into variables that are written whole:",
     {"dataset.createVariable(name, \"f8\", dimensions, fill_value=False)"}},
    {Language::packaged, "Look for an option of PROGRAM that has it write no fill values."},
};

}  // namespace

bool is_filled(const Scene& scene, const FileCase& file)
{
    return is_filled(filled_file(scene, file));
}

MaybeFinding fill_values(const Scene& scene)
{
    double bytes_over = 0, kept = 0;
    LostTime lost(scene.job);
    MostLost<FileUse> most;
    Fills fills = {};
    for (const FileCase& file : scene.files) {
        const FilledFile one = filled_file(scene, file);
        if (!is_filled(one)) continue;
        bytes_over += one.bytes;
        kept += one.kept;
        lost.add(one.lost, one.lost.total());
        most.add(*file.use, one.lost.total());
        if (most.use == file.use) fills = one.fills;
    }
    if (most.use == nullptr) return {};
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    Finding finding;
    finding.title = fmt::format("{} of fill values that {} wrote{}, and the program wrote over",
                                format_bytes(whole(bytes_over)), fills.classic ? "NetCDF" : "HDF5",
                                fills.most == nullptr ? "" : ", most into " + called(*fills.most));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_basis =
        fills.classic ? "their share of the time in calls on these files, of which each block is "
                        "filled, read, and written over"
        : fills.together && fills.most == nullptr ? "their share of the time in MPI-IO; that they are fill "
                                                    "values is known by the bytes alone, as HDF5 "
                                                    "is linked statically"
        : fills.together
            ? "the time in MPI-IO beneath the calls that create these datasets, for which all ranks wait"
            : "their share of the time in writes of these files, and in syncs that had much "
              "to write";
    if (fills.in_creates > 0)
        finding.cost_basis +=
            "; no more than the quicker of filling and writing, as the first of two makes the file's pages "
            "and blocks";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"again", "written over", bytes(whole(bytes_over)),
                         fmt::format("of {}", format_bytes(whole(bytes_over + kept)))},
                        {"kept", "what the files hold of it", bytes(whole(kept)), "at most"},
                        {"file", "most time in", path(most.use->path),
                         fmt::format("{} written", format_bytes(most.use->system.bytes_written))}};
    finding.why =
        "Only what was written last is kept; the rest took time on its way to the file system for nothing.";
    finding.doubt = "Variables of which not all is written: the rest then holds anything.";
    const AdvisedProgram program = program_of(scene.job, lost, most.use->path);
    finding.advice =
        fills.classic ? advice_in(program, classic_fill_remedies) : advice_in(program, fill_remedies);
    return Found(std::move(finding), lost);
}

}  // namespace fathom
