// Reads or writes at places that nothing foretells, or backwards: no read-ahead, no merging of neighbours.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/classic_netcdf.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/fortran_statements.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/memory_reads.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_accesses = 200;
constexpr double telling_random_share = 0.2;

struct Jumps {
    double calls = 0, backwards = 0, all_calls = 0;
    double excess = 0, least = 0;  // ns
    double seeks = 0;              // one before each, or nearly
    LostTime lost;
    const FileCase* most = nullptr;
    double time_of_most = 0;  // ns
};

// Those that follow nothing: the first of each process, of each open after which it does not seek, and of
// each that makes or empties the file.
double beginnings(const RecordView& record)
{
    const std::uint64_t opens = record[&Transfers::opens],
                        from_start = opens - std::min(opens, record[&Pattern::seeks]),
                        emptied = record.layer == Layer::posix ? record[&PosixRecord::creates] : 0;
    return static_cast<double>(
        std::max({record[&Sharing::processes], from_start, emptied, std::uint64_t{1}}));
}

// Of the calls of one direction, those at random: of random offsets half lie behind the last one and half
// before it, so that twice the backward ones are meant, but no more than all that are neither consecutive nor
// strided.
double random_calls(const RecordView& record, Direction direction)
{
    const bool reads = direction == Direction::read;
    const auto calls = static_cast<double>(reads ? record[&Transfers::reads] : record[&Transfers::writes]),
               consecutive = static_cast<double>(reads ? record[&Pattern::consecutive_reads]
                                                       : record[&Pattern::consecutive_writes]),
               forward = static_cast<double>(reads ? record[&Pattern::sequential_reads]
                                                   : record[&Pattern::sequential_writes]),
               strided = static_cast<double>(reads ? record[&Pattern::strided_reads]
                                                   : record[&Pattern::strided_writes]);
    const double following = calls - beginnings(record);
    const double backward = following - consecutive - forward;
    return std::clamp(std::min(2 * backward, following - consecutive - strided), 0.0, calls);
}

// Those that go back by equal steps, if nearly all do.
double backward_calls(const RecordView& record, Direction direction)
{
    constexpr double nearly_all = 0.9;
    const bool reads = direction == Direction::read;
    const auto calls = static_cast<double>(reads ? record[&Transfers::reads] : record[&Transfers::writes]),
               forward = static_cast<double>(
                   reads ? record[&Pattern::consecutive_reads] + record[&Pattern::sequential_reads]
                         : record[&Pattern::consecutive_writes] + record[&Pattern::sequential_writes]),
               strided = static_cast<double>(reads ? record[&Pattern::strided_reads]
                                                   : record[&Pattern::strided_writes]);
    const double following = calls - beginnings(record);
    const auto bytes = static_cast<double>(reads ? record[&Transfers::bytes_read]
                                                 : record[&Transfers::bytes_written]),
               extent = static_cast<double>(reads ? record[&Pattern::highest_read]
                                                  : record[&Pattern::highest_written]);
    // The same place again and again is as far back.
    const bool covers = bytes <= extent && following > 0;
    return covers && strided >= nearly_all * following && forward <= (1 - nearly_all) * following ? following
                                                                                                  : 0;
}

void add(Jumps& sum, const Scene& scene, const FileCase& file, const RecordView& record, Direction direction,
         double each_seek)
{
    const bool reads = direction == Direction::read;
    const auto calls = static_cast<double>(reads ? record[&Transfers::reads] : record[&Transfers::writes]);
    sum.all_calls += calls;
    if (const Member* const member = scene.job.member_of(record);
        !reads && member != nullptr && writes_record_lengths(member->process, record[&Transfers::writes]))
        return;
    const double back = backward_calls(record, direction),
                 random = std::max(random_calls(record, direction), back);
    if (calls == 0 || random < telling_random_share * calls) return;
    const auto bytes = static_cast<double>(reads ? record[&Transfers::bytes_read]
                                                 : record[&Transfers::bytes_written]),
               time = static_cast<double>(reads ? record[&Transfers::read_time]
                                                : record[&Transfers::write_time] -
                                                      record[&Transfers::sync_time]);
    if (reads && are_from_memory(scene, calls, bytes, time)) return;
    const double excess =
        random / calls * std::max(time - bytes * scene.reference(direction).ns_per_byte, 0.0);
    if (excess <= 0) return;  // as quick as large ones: seeks are a finding of their own
    double seeks = 0;
    if (record.layer == Layer::posix &&
        record[&Pattern::seeks] > (record[&Transfers::reads] + record[&Transfers::writes]) / 2)
        seeks = random / calls * std::min(static_cast<double>(record[&Pattern::seeks]), calls);
    sum.seeks += seeks;
    sum.calls += random;
    sum.backwards += back;
    sum.excess += excess;
    sum.least += random / calls * scene.at_least(direction, time, calls, bytes);
    sum.lost.add(record, excess);
    if (excess + seeks * each_seek <= sum.time_of_most) return;
    sum.time_of_most = excess + seeks * each_seek;
    sum.most = &file;
}

constexpr Remedy backward_remedies[] = {
    {Language::c,
     "Go through the file from its beginning, or take regions of some MiB and go back in memory."},
    {Language::packaged, "Look for an option of PROGRAM that has it go through the file from its beginning."},
};
constexpr Remedy random_read_remedies[] = {
    {Language::c,
     "Sort the requests by offset, or read whole regions and pick from memory. Where the places are known "
     "beforehand, ask for them ahead:",
     {"posix_fadvise(fd, offset, length, POSIX_FADV_WILLNEED);"}},
    {Language::c,
     "Where they are not, keep the system from reading ahead in vain:",
     {"posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);"}},
    {Language::fortran,
     "Sort the requests by place, or read whole regions and pick from the array:",
     {"open(newunit=unit, file=name, access='stream', form='unformatted')", "read(unit, pos=first) region"}},
    {Language::hdf5,
     "Read whole blocks and pick from memory, or have HDF5 keep more chunks in memory:",
     {"H5Pset_chunk_cache(dataset_access, 12421, 256 << 20, 1.0);"}},
    {Language::python,
     "Sort the requests by offset, or read whole regions and pick from memory:",
     {"region = numpy.fromfile(path, dtype=float, count=length, offset=offset)"}},
    {Language::python,
     "Where the places are known beforehand, ask for them ahead; where they are not, keep the system from "
     "reading ahead in vain:",
     {"os.posix_fadvise(file.fileno(), offset, length, os.POSIX_FADV_WILLNEED)",
      "os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)"}},
    {Language::h5py,
     "Read one slice that has them all, and pick from the array:",
     {"picked = dataset[first:last][places - first]"}},
    {Language::h5py,
     "Or have HDF5 keep more chunks in memory:",
     {"h5py.File(path, \"r\", rdcc_nbytes=256 << 20)"}},
    {Language::netcdf4,
     "Read one slice that has them all, and pick from the array; or have more chunks kept in memory:",
     {"picked = variable[first:last][places - first]", "variable.set_var_chunk_cache(size=256 << 20)"}},
    {Language::script, "Sort the requests by offset, or read whole regions and pick from memory."},
    {Language::shell,
     "Sort what is looked up, and look it up in one go:",
     {"sort KEYS | join - SORTED_TABLE"}},
    {Language::packaged,
     "Where PROGRAM has an option for a cache, make it larger; or have it work on a copy in the node's "
     "memory:",
     {"cp FILE /dev/shm/"}},
    {Language::sqlite,
     "Have SQLite keep more of the database in memory, and put it into order:",
     {"PRAGMA cache_size = -1048576;  -- KiB", "VACUUM;"}},
};
constexpr Remedy random_write_remedies[] = {
    {Language::c, "Collect what is to be written and write it in the order of its offsets."},
    {Language::hdf5,
     "Write whole blocks by one call, or have HDF5 keep more chunks in memory:",
     {"H5Pset_chunk_cache(dataset_access, 12421, 256 << 20, 1.0);"}},
    {Language::h5py,
     "Fill an array in memory and assign it by one statement:",
     {"dataset[first:last] = array"}},
    {Language::netcdf4,
     "Fill an array in memory and assign it by one statement:",
     {"variable[first:last] = array"}},
    {Language::packaged,
     "Have PROGRAM work on a copy in the node's memory, and copy that back at the end:",
     {"cp FILE /dev/shm/"}},
    {Language::sqlite,
     "Put many changes into one transaction, in the order of the table's key:",
     {"BEGIN; …; COMMIT;"}},
};

// Each of its readers comes by half of its pages or more: larger requests would fetch as much.
bool reaches_most(const FileUse& use)
{
    constexpr double page = 4096, most = 0.5;
    const FileView& view = use.system;
    const auto readers = static_cast<double>(std::max<std::uint64_t>(view.readers().count, 1));
    return static_cast<double>(view.reads) / readers * page >= most * static_cast<double>(view.highest_read);
}

}  // namespace

MaybeFinding random_access(const Scene& scene)
{
    const Log& log = scene.job.log;
    const bool strided = tells(log, Layer::posix, &Pattern::strided_reads);
    const auto placed = layers_that_tell(log, &Pattern::consecutive_reads);
    const OperationSum all_seeks = scene.operations(Layer::posix, Kind::seek);
    const double each_seek = all_seeks.operations > 0 ? static_cast<double>(all_seeks.time) /
                                                            static_cast<double>(all_seeks.operations)
                                                      : 0;
    Jumps sums[2] = {{.lost = LostTime(scene.job)}, {.lost = LostTime(scene.job)}};
    std::string basis[2];
    for (const Direction direction : directions) {
        const auto at = static_cast<std::size_t>(direction);
        const auto& reference = scene.reference(direction);
        basis[at] = reference.words;
        for (const FileCase& file : scene.files) {
            // SQLite and LMDB write pages, whatever they are given, and zip a header behind each member.
            if (direction == Direction::write &&
                (file.is_of_sqlite() || is_lmdb(file.use->path) || is_zip(file.use->path)))
                continue;
            // Of many files, one after the other; and records that follow one another, but for the number of
            // them, which is written after each.
            if (file.use->kind != NameKind::file || file.is_one_place() || is_unbuffered_netcdf(scene, file))
                continue;
            for (const RecordView& record : file.records)
                if (record.has_pattern() && !file.use->by_mpiio &&
                    placed[static_cast<std::size_t>(record.layer)])
                    add(sums[at], scene, file, record, direction, each_seek);
        }
    }
    const std::size_t at = sums[0].excess >= sums[1].excess ? 0 : 1;
    const Jumps& more = sums[at];
    if (more.most == nullptr || more.calls < few_accesses) return {};
    const std::string what(direction_names[at]);
    const bool reads = at == 0;
    Finding finding;
    const bool back = more.backwards > more.calls / 2;
    const std::string_view places = back ? "backwards" : "at random places";
    finding.title =
        fmt::format("{} {} {}", format_count(static_cast<std::uint64_t>(more.calls)), what, places);
    const double seeking = scene.cost(sums[0].lost, sums[0].seeks * each_seek) +
                           scene.cost(sums[1].lost, sums[1].seeks * each_seek);
    finding.cost = seconds(scene.cost(sums[0].lost) + scene.cost(sums[1].lost) + seeking);
    if (!scene.reference(directions[at]).measured)
        finding.cost_least =
            scene.cost(sums[0].lost, sums[0].least) + scene.cost(sums[1].lost, sums[1].least);
    finding.cost_basis =
        fmt::format("their share of the time in {} of these files, beyond what the bytes would have taken {}",
                    what, basis[at]);
    if (seeking > 0) finding.cost_basis += "; and the seeks before them";
    finding.confidence = reads && strided ? Confidence::medium : Confidence::low;
    finding.evidence = {
        {"random", fmt::format("{}, about", places), count(static_cast<std::uint64_t>(more.calls)),
         fmt::format("of {} {}", format_count(static_cast<std::uint64_t>(more.all_calls)), what)},
        {"file", "most time in", path(more.most->use->path),
         fmt::format("{} in {} of it",
                     format_seconds(static_cast<double>(reads ? more.most->use->system.read_time
                                                              : more.most->use->system.write_time) /
                                    1e9),
                     what)}};
    finding.why =
        reads ? "The system cannot read ahead, and a disk or server has to seek for each request."
              : "Neighbouring blocks are not written together, and a disk or server has to seek for each.";
    finding.doubt = "Files that fit into memory and are there already.";
    if (reads && finding.cost_least)
        finding.cost_least = scene.beyond_slow_link(*more.most->use, *finding.cost_least,
                                                    static_cast<double>(more.most->use->system.highest_read));
    // What a server's link gives is not known: it may be all that these requests wait for.
    if (reads && finding.cost_least && reaches_most(*more.most->use) &&
        !on_local_file_system(scene.job, *more.most->use)) {
        finding.cost_least = 0.0;
        finding.confidence = Confidence::low;
        finding.doubt +=
            " These requests reach most of the file, which has to come from the server once in any case.";
    }
    if (!strided) finding.doubt += " The log does not separate regular steps backwards from random places.";
    AdvisedProgram program = program_of(scene.job, more.lost, more.most->use->path);
    if (more.most->is_moved_by_sqlite(program)) program.language = Language::sqlite;
    finding.advice = back    ? advice_in(program, backward_remedies)
                     : reads ? advice_in(program, random_read_remedies)
                             : advice_in(program, random_write_remedies);
    Found found(std::move(finding), more.lost);
    found.metadata = seeking;
    found.file = more.most->use;
    return found;
}

}  // namespace fathom
