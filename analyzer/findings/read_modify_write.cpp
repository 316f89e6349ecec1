// Data read only in order to write it again: by MPI-IO beneath strided writes (data sieving), or by the
// program.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/classic_netcdf.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_turns = 200;
constexpr std::uint64_t page_bytes = 4096;
// Of the bytes written, what is read beneath a program that only writes; of its calls, those that turn
// around.
constexpr double telling_reread_share = 0.1, turning_share = 0.6;

struct Rewritten {
    double time = 0;  // ns in the reads
    LostTime lost;
    LostTime with_writes;  // and in writes of what was written before
    std::uint64_t reads = 0, bytes = 0, written = 0;
    const FileUse* most = nullptr;
    double time_of_most = 0;

    void add(const FileUse& use, std::uint64_t new_reads, std::uint64_t new_bytes, double new_time)
    {
        reads += new_reads;
        bytes += new_bytes;
        written += use.application().bytes_written;
        time += new_time;
        if (new_time <= time_of_most) return;
        time_of_most = new_time;
        most = &use;
    }
};

// Reads that the program did not ask for, and the locks around them.
void add_sieved(Rewritten& sum, const FileCase& file)
{
    const FileUse& use = *file.use;
    const std::uint64_t beneath = use.system.bytes_read, asked = use.application().bytes_read;
    if (beneath <= asked || static_cast<double>(beneath - asked) <
                                telling_reread_share * static_cast<double>(use.application().bytes_written))
        return;
    const double part = static_cast<double>(beneath - asked) / static_cast<double>(beneath);
    const double time = part * static_cast<double>(use.system.read_time);
    sum.add(use, static_cast<std::uint64_t>(part * static_cast<double>(use.system.reads)), beneath - asked,
            time);
    if (file.is_collective(Direction::write)) {
        sum.lost.add_to_all(part * Scene::longest(use.system, Direction::read));
        return;
    }
    sum.lost.add_by_time(file.records, time);
    for (const RecordView& record : file.records)
        if (record.layer == Layer::posix)
            sum.lost.add(record, static_cast<double>(record[&PosixRecord::lock_time]));
}

// ns in writes of places that were written before. Not of less than a page, which cost what small requests
// do, nor those that wait for the device: both are findings of their own.
double written_before(const RecordView& record)
{
    if (record.layer != Layer::posix || !record.has_pattern()) return 0;
    const std::uint64_t extent = record[&Pattern::highest_written], bytes = record[&Transfers::bytes_written];
    if (extent == 0 || bytes <= extent || bytes < page_bytes * record[&Transfers::writes]) return 0;
    const std::uint64_t all = record[&PosixRecord::write_time],
                        synced = record[&PosixRecord::sync_time] + record[&PosixRecord::synced_write_time];
    return static_cast<double>(all - std::min(all, synced)) *
           (1 - static_cast<double>(extent) / static_cast<double>(bytes));
}

// Reading and writing by turns, about as much of each.
void add_turning(Rewritten& sum, const FileCase& file)
{
    std::uint64_t switches = 0;
    for (const RecordView& record : file.records) switches += record[&Transfers::switches];
    const FileView& view = file.use->system;
    const std::uint64_t calls = view.reads + view.writes;
    const double less = static_cast<double>(std::min(view.bytes_read, view.bytes_written)),
                 more = static_cast<double>(std::max(view.bytes_read, view.bytes_written));
    if (calls < few_turns || static_cast<double>(switches) < turning_share * static_cast<double>(calls) ||
        less < more / 2)
        return;
    sum.add(*file.use, view.reads, view.bytes_read, static_cast<double>(view.read_time));
    sum.lost.add_by_time(file.records, static_cast<double>(view.read_time));
    sum.with_writes.add_by_time(file.records, static_cast<double>(view.read_time));
    for (const RecordView& record : file.records) sum.with_writes.add(record, written_before(record));
}

constexpr Remedy sieving_remedies[] = {
    {Language::c,
     "Write collectively, so that the gaps of one rank are filled by the others:",
     {"MPI_File_write_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Write collectively, so that the gaps of one rank are filled by the others:",
     {"call MPI_File_write_at_all(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::hdf5,
     "Write collectively, so that the gaps of one rank are filled by the others:",
     {"H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);"}},
    {Language::python,
     "Write collectively, so that the gaps of one rank are filled by the others:",
     {"file.Write_at_all(offset, array)"}},
    {Language::h5py,
     "Write collectively, so that the gaps of one rank are filled by the others:",
     {"with dataset.collective:", "    dataset[first:last] = part"}},
    {Language::netcdf4,
     "Write collectively, so that the gaps of one rank are filled by the others:",
     {"variable.set_collective(True)"}},
    {Language::script, "Write collectively, so that the gaps of one rank are filled by the others."},
};
constexpr Remedy turning_remedies[] = {
    {Language::c, "Keep the blocks that are being changed in memory and write each once, when it is done."},
    {Language::netcdf,
     "Define all variables before the first data are written: each definition after that moves all that lies "
     "behind the header. Or leave room for them where the definitions of the first variable end, and there "
     "alone; in Fortran by nf90_enddef with h_minfree:",
     {"nc__enddef(file, 1 << 20, 4, 0, 4);    // for nc_enddef after the first nc_def_var"}},
    {Language::netcdf,
     "Where it is the data that are read and written by turns, keep them in memory and write them once, when "
     "they are done."},
    {Language::python,
     "Keep what is being changed in memory and write it once, when it is done; or map the file:",
     {"array = numpy.memmap(path, dtype=float, mode=\"r+\")"}},
    {Language::h5py,
     "Read the dataset into an array, change that, and write it once, when it is done:",
     {"array = dataset[...]", "dataset[...] = array    # when it is done"}},
    {Language::netcdf4,
     "Read the variable into an array, change that, and write it once, when it is done:",
     {"array = variable[...]", "variable[...] = array    # when it is done"}},
    {Language::packaged,
     "Where PROGRAM has an option for a cache, make it larger; or have it work on a copy in the node's "
     "memory:",
     {"cp FILE /dev/shm/"}},
    {Language::sqlite,
     "Have SQLite keep more of the database in memory, and put many changes into one transaction:",
     {"PRAGMA cache_size = -1048576;  -- KiB", "BEGIN; …; COMMIT;"}},
};

}  // namespace

MaybeFinding read_modify_write(const Scene& scene)
{
    Rewritten sieved{.lost = LostTime(scene.job), .with_writes = LostTime(scene.job)},
        turning{.lost = LostTime(scene.job), .with_writes = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        if (file.use->by_mpiio && file.use->application().bytes_written > 0)
            add_sieved(sieved, file);
        else if (!file.use->by_mpiio && !is_moved_in_blocks(scene, file))
            add_turning(turning, file);
    }
    const bool beneath = sieved.time >= turning.time;
    const Rewritten& sum = beneath ? sieved : turning;
    if (sum.most == nullptr) return {};
    Finding finding;
    finding.title = beneath ? fmt::format("MPI-IO reads {} only in order to write {}",
                                          format_bytes(sum.bytes), format_bytes(sum.written))
                            : fmt::format("{} read and written again by turns", format_bytes(sum.bytes));
    finding.cost = seconds(scene.cost(sum.lost));
    finding.cost_basis =
        "the time in these reads and in locks around them; beneath collective calls that in reads alone, of "
        "the rank with most, for which all wait";
    // What is a guess makes no finding.
    const double reading = scene.cost(sum.lost);
    if (!beneath && reading >= least_worthy(scene.run) && scene.cost(sum.with_writes) > reading) {
        finding.cost_least = reading;
        finding.cost = seconds(scene.cost(sum.with_writes));
        finding.cost_basis =
            "the time in these reads; at most also that in writes of what had been written before";
    }
    finding.confidence = beneath ? Confidence::high : Confidence::low;
    finding.evidence = {
        {"reads", beneath ? "reads beneath MPI-IO" : "reads", count(sum.reads),
         fmt::format("of {}, in {}", format_bytes(sum.bytes), format_seconds(sum.time / 1e9))},
        {"written", "written to these files", bytes(sum.written), ""},
        {"file", "most time in", path(sum.most->path), ""}};
    if (beneath) {
        finding.why =
            "To write pieces with gaps between them, the MPI library reads the whole stretch, changes the "
            "pieces and writes it back (data sieving), under a lock.";
        finding.doubt = "A program that reads these files by other means than MPI-IO.";
        if (sum.lost.waited() > 0)
            finding.advice = {
                {"The calls are collective already: let the pieces of one call leave no gaps, or make "
                 "each rank's a stretch of its own."}};
        else
            finding.advice = advice_in(program_of(scene.job, sum.lost), sieving_remedies);
        if (mpi_of(scene.job) == MpiKind::romio)
            finding.advice.push_back(
                {"Or switch data sieving off for writes:",
                 {"echo 'romio_ds_write disable' > hints", "export ROMIO_HINTS=$PWD/hints"}});
    } else {
        finding.why =
            "Each block makes the way from the file and back, and reading ahead and writing behind stand in "
            "each other's way.";
        finding.doubt = "Updates in place that cannot be foreseen: a database.";
        AdvisedProgram program = program_of(scene.job, sum.lost, sum.most->path);
        if (is_in_sqlite(program, sum.most->path)) program.language = Language::sqlite;
        finding.advice = advice_in(program, turning_remedies);
    }
    return Found(std::move(finding), sum.lost);
}

}  // namespace fathom
