// The same place of a file written several times, with little else in between: only the last time counts. So
// do fill values that HDF5 writes into a dataset before the program writes all of it, and what MPI-IO writes
// to set aside room for a file.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/dataset_words.h"

namespace fathom {
namespace {

using namespace report;

// More than this part of the file's extent was written; of the time from the first write to the last, so much
// went into writes, so that it is no state that is kept up to date; and next to nothing was read.
constexpr double clearly_again = 1.25, at_once = 0.5, hardly_read = 0.1;

// What HDF5 wrote into the datasets of a file beside what it was given.
struct Fills {
    const DatasetUse* most = nullptr;
    double bytes = 0, of_most = 0;
    double in_creates = 0, in_writes = 0;  // ns beneath
};

struct Again {
    double bytes = 0, kept = 0, time = 0;
    LostTime lost;
    const FileUse* most = nullptr;
    double time_of_most = 0;
    Fills fills_of_most = {};
};

// Without filters, and where chunks do not pass again and again, nothing else than fill values is written in
// creates of datasets, or beside the data into one that lies in one piece.
Fills fills_of(const Scene& scene, const FileUse& file)
{
    Fills all;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const DatasetCounters& sums = one.sums;
        if (!one.own || one.container != file.path || sums.filters != 0 ||
            sums.library != static_cast<std::uint64_t>(DataLibrary::hdf5))
            continue;
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

// The part of a share of all that was written that is saved where fill values are not: what is written first
// makes the file's pages and blocks, which the other would have to do then.
double spared_of(const Fills& fills, double share)
{
    const double quicker = std::min(fills.in_creates, fills.in_writes),
                 both = share * (fills.in_creates + fills.in_writes);
    return quicker > 0 && both > 0 ? std::min(quicker / both, 1.0) : 1;
}

// How often the file was made anew, each time with what belongs there.
double times_made(const RecordView& record)
{
    std::uint64_t times = 0;
    if (record.layer == Layer::posix) {
        times = record[&PosixRecord::creates] + record[&PosixRecord::truncates];
    } else {
        times = record[&StdioRecord::creates];
    }
    return static_cast<double>(std::max<std::uint64_t>(times, 1));
}

// With the syncs in which much is written; those after every few bytes are a finding of their own.
std::uint64_t time_writing(const RecordView& record)
{
    constexpr std::uint64_t enough_a_sync = 16 << 20;
    const bool in_syncs = record[&Transfers::syncs] > 0 &&
                          record[&Transfers::bytes_written] / record[&Transfers::syncs] >= enough_a_sync;
    return record[&Transfers::write_time] - (in_syncs ? 0 : record[&Transfers::sync_time]);
}

// Bytes that were written over.
double bytes_again(const RecordView& record)
{
    if (!record.has_pattern() || record.layer == Layer::mpiio || record[&Pattern::highest_written] == 0)
        return 0;
    const auto written = static_cast<double>(record[&Transfers::bytes_written]),
               processes = static_cast<double>(std::max<std::uint64_t>(record[&Sharing::processes], 1)),
               kept = static_cast<double>(record[&Pattern::highest_written]) * processes * times_made(record),
               span = static_cast<double>(
                   record[&Transfers::last_write] -
                   std::min(record[&Transfers::first_write], record[&Transfers::last_write]));
    if (written <= clearly_again * kept ||
        static_cast<double>(record[&Transfers::bytes_read]) > hardly_read * written ||
        static_cast<double>(record[&Transfers::write_time]) < at_once * span * processes)
        return 0;
    return written - kept;
}

constexpr Remedy written_again_remedies[] = {
    {Language::c, "Keep what still changes in memory and write it once, when it is done."},
    {Language::c,
     "Do not fill a file with zeros first. To have its room set aside:",
     {"posix_fallocate(fd, 0, length);"}},
    {Language::python, "Keep what still changes in memory and write it once, when it is done."},
    {Language::python,
     "Do not fill a file with zeros first. To have its room set aside:",
     {"os.posix_fallocate(file.fileno(), 0, length)"}},
    {Language::script, "Keep what still changes in memory and write it once, when it is done."},
    {Language::packaged, "Look for an option of PROGRAM that has it write its output once."},
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

constexpr Remedy preallocation_remedies[] = {
    {Language::c,
     "Leave MPI_File_preallocate out: writes make the file longer by themselves. Where its length has to be "
     "known, set it, which writes nothing:",
     {"MPI_File_set_size(file, size);"}},
    {Language::fortran,
     "Leave MPI_File_preallocate out: writes make the file longer by themselves. Where its length has to be "
     "known, set it, which writes nothing:",
     {"call MPI_File_set_size(file, size, ierror)"}},
    {Language::python,
     "Leave Preallocate out: writes make the file longer by themselves. Where its length has to be known, "
     "set "
     "it, which writes nothing:",
     {"file.Set_size(size)"}},
    {Language::packaged, "Look for an option of PROGRAM that has it set aside no room for its files."},
};

// Room that MPI-IO set aside for a file by writing all of it, in calls that are counted among others.
struct Preallocated {
    std::uint64_t calls = 0;
    double bytes = 0, written = 0;
    LostTime lost, writes;  // in these calls, and in the program's writes behind them
    const FileUse* most = nullptr;
    double time_of_most = 0;
};

Preallocated preallocated_of(const Scene& scene)
{
    Preallocated all{.lost = LostTime(scene.job), .writes = LostTime(scene.job)};
    // Calls of that kind which wait for nothing take next to none of this.
    const auto in_others = static_cast<double>(scene.operations(Layer::mpiio, Kind::other).time);
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file || !file.use->by_mpiio) continue;
        std::uint64_t calls = 0;
        double beneath = 0, written = 0, time = 0;
        for (const RecordView& record : file.records) {
            const auto bytes = static_cast<double>(record[&Transfers::bytes_written]);
            if (record.layer == Layer::posix) beneath += bytes;
            if (record.layer != Layer::mpiio) continue;
            written += bytes;
            calls += record[&MpiioRecord::truncates];
            if (record[&MpiioRecord::truncates] > 0)
                time += static_cast<double>(record[&Transfers::metadata_time]);
        }
        if (calls == 0 || written <= 0 || time <= 0 || beneath <= clearly_again * written) continue;
        all.calls += calls;
        all.bytes += beneath - written;
        all.written += written;
        const double part = std::min(in_others / time, 1.0);
        for (const RecordView& record : file.records)
            if (record.layer == Layer::mpiio && record[&MpiioRecord::truncates] > 0) {
                all.lost.add(record, part * static_cast<double>(record[&Transfers::metadata_time]));
                all.writes.add(record, static_cast<double>(record[&Transfers::write_time]));
            }
        if (time <= all.time_of_most) continue;
        all.time_of_most = time;
        all.most = file.use;
    }
    return all;
}

MaybeFinding preallocated(const Scene& scene)
{
    const Preallocated all = preallocated_of(scene);
    if (all.most == nullptr) return {};
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    Finding finding;
    finding.title = fmt::format("{} that MPI_File_preallocate wrote, for {} of data",
                                format_bytes(whole(all.bytes)), format_bytes(whole(all.written)));
    // The first of two writes makes the file's pages and blocks: without it, those who write must do so.
    const auto writers =
        static_cast<double>(std::max<std::uint64_t>(all.most->application().writers().count, 1));
    const double cost = scene.cost(all.lost);
    finding.cost = seconds(cost);
    finding.cost_least = std::min(cost, cost * (1 - 1 / writers) + scene.cost(all.writes));
    finding.cost_basis =
        "the time of the ranks in MPI_File_preallocate and calls like it, of which those that write nothing "
        "take next to none; at least without what the writers then take to make the file's pages and blocks, "
        "which was done for them";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"calls", "calls that set a file's size or room", count(all.calls), "summed over all ranks"},
        {"again", "written beyond the program's data", bytes(whole(all.bytes)),
         fmt::format("for {}", format_bytes(whole(all.written)))},
        {"file", "most time in", path(all.most->path),
         fmt::format("{} written", format_bytes(all.most->system.bytes_written))}};
    finding.why =
        "MPI-IO writes the whole file to have its room, by one rank while the others wait; then the program "
        "writes all of it once more.";
    finding.doubt = "A file system that has to have the room before the program begins.";
    finding.advice = advice_in(program_of(scene.job, all.lost, all.most->path), preallocation_remedies);
    return Found(std::move(finding), all.lost);
}

MaybeFinding written_over(const Scene& scene)
{
    Again all{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file) continue;
        double time = 0, of_file = 0;
        const bool any_again = std::any_of(file.records.begin(), file.records.end(),
                                           [](const RecordView& record) { return bytes_again(record) > 0; });
        if (!any_again) continue;
        const Fills fills = fills_of(scene, *file.use);
        for (const RecordView& record : file.records) {
            const double again = bytes_again(record);
            if (again <= 0) continue;
            const auto written = static_cast<double>(record[&Transfers::bytes_written]);
            const double share = again / written,
                         lost = share * static_cast<double>(time_writing(record)) * spared_of(fills, share);
            of_file += again;
            all.bytes += again;
            all.kept += written - again;
            all.lost.add(record, lost);
            time += lost;
        }
        all.time += time;
        if (time <= all.time_of_most) continue;
        all.time_of_most = time;
        all.most = file.use;
        all.fills_of_most = fills.bytes >= of_file / 2 ? fills : Fills{};
    }
    if (all.most == nullptr) return {};
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    const Fills& fills = all.fills_of_most;
    Finding finding;
    finding.title =
        fills.most != nullptr
            ? fmt::format("{} of fill values that HDF5 wrote, most into {}, and the program wrote over",
                          format_bytes(whole(all.bytes)), called(*fills.most))
            : fmt::format("{} written over what the program had just written",
                          format_bytes(whole(all.bytes)));
    finding.cost = seconds(scene.cost(all.lost));
    finding.cost_basis =
        "their share of the time in writes of these files, and in syncs that had much to write";
    if (fills.in_creates > 0)
        finding.cost_basis +=
            "; no more than the quicker of filling and writing, as the first of two makes "
            "the file's pages and blocks";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"again", "written over", bytes(whole(all.bytes)),
                         fmt::format("of {}", format_bytes(whole(all.bytes + all.kept)))},
                        {"kept", "what the files hold of it", bytes(whole(all.kept)), "at most"},
                        {"file", "most time in", path(all.most->path),
                         fmt::format("{} written", format_bytes(all.most->system.bytes_written))}};
    finding.why =
        "Only what was written last is kept; the rest took time on its way to the file system for nothing.";
    finding.doubt = "Several passes that another program, or a restart, relies on.";
    const AdvisedProgram program = program_of(scene.job, all.lost, all.most->path);
    finding.advice = fills.most != nullptr ? advice_in(program, fill_remedies)
                                           : advice_in(program, written_again_remedies);
    if (fills.most != nullptr)
        finding.doubt = "Datasets of which not all is written: the rest then holds anything.";
    return Found(std::move(finding), all.lost);
}

}  // namespace

MaybeFinding written_again(const Scene& scene)
{
    MaybeFinding by_library = preallocated(scene), by_program = written_over(scene);
    if (!by_library || !by_program) return by_library ? by_library : by_program;
    return cost_of(*by_library) > cost_of(*by_program) ? by_library : by_program;
}

}  // namespace fathom
