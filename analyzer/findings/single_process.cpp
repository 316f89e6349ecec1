// One rank reads or writes for all the others.
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/findings/advice_on_reads.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr double nearly_all_bytes = 0.95;
constexpr std::uint64_t much_to_send = 1 << 30, much_taken_apart = 4 << 20;
// Between ranks data pass at about this rate, assumed.
constexpr double passing_rate_mib = 1024;

struct Alone {
    std::size_t rank = 0;
    std::uint64_t bytes = 0, all = 0;
    double time = 0;  // ns in that direction

    bool found() const
    {
        return all > 0 && static_cast<double>(bytes) >= nearly_all_bytes * static_cast<double>(all);
    }
};

// Where totals do not separate the ranks: ranks that alone moved all that was moved of a file.
Alone alone_by_files(const Job& job, Direction direction)
{
    const bool reads = direction == Direction::read;
    struct Sum {
        std::uint64_t bytes = 0, time = 0;
    };
    std::unordered_map<std::int64_t, Sum> by_rank;
    Alone alone;
    alone.all = job.application_bytes(direction);
    for (const FileUse& use : job.files) {
        if (use.kind == NameKind::stream || use.kind == NameKind::device) continue;
        const FileView& view = use.application();
        const Movers movers = reads ? view.readers() : view.writers();
        if (movers.count != 1 || movers.at_most || movers.one < 0) continue;
        Sum& sum = by_rank[movers.one];
        sum.bytes += reads ? view.bytes_read : view.bytes_written;
        sum.time += reads ? view.read_time : view.write_time;
    }
    for (const auto& [rank, sum] : by_rank) {
        const std::int64_t index = job.rank_index(rank);
        if (index < 0 || sum.bytes <= alone.bytes) continue;
        alone.bytes = sum.bytes;
        alone.rank = static_cast<std::size_t>(index);
        alone.time = static_cast<double>(sum.time);
    }
    return alone;
}

Alone alone_in(const Job& job, Direction direction)
{
    if (!job.told_apart()) return alone_by_files(job, direction);
    Alone alone;
    for (std::size_t at = 0; at < job.ranks.size(); ++at) {
        const std::uint64_t bytes = job.ranks[at].application_bytes(direction);
        alone.all += bytes;
        if (bytes <= alone.bytes) continue;
        alone.bytes = bytes;
        alone.rank = at;
    }
    const auto time_of = [&](const Member& member) {
        const TimeSplit split = member.time();
        return static_cast<double>(direction == Direction::read ? split.read : split.write);
    };
    alone.time = time_of(job.ranks[alone.rank]);
    // Others that sync as often and as long, as what they wrote through mappings, are not idle.
    const auto syncs_of = [](const Member& member) { return member.in(Layer::posix, Scope::direct).syncs; };
    const std::uint64_t syncs = syncs_of(job.ranks[alone.rank]);
    for (std::size_t at = 0; at < job.ranks.size(); ++at)
        if (at != alone.rank && syncs > 0 && syncs_of(job.ranks[at]) >= syncs / 2 &&
            time_of(job.ranks[at]) >= alone.time / 2)
            return {};
    return alone;
}

// Of a compressed byte, ns that it takes with a core of its own.
constexpr double least_packing = 100, most_packing = 2000, most_unpacking = 200;

// What one rank wrote or read as text: by what the files hold, by calls that format, or by the buffer of
// gfortran's units, which is of 8 KiB for text and of 128 KiB for others; and what is compressed.
struct TextMoved {
    double text = 0, compressed = 0, all = 0;     // bytes
    std::size_t files = 0, compressed_files = 0;  // files: of text
    double computed = 0;     // ns while it had files of text open, no more than text takes
    double compressing = 0;  // ns for compressed files
};

TextMoved text_moved(const Scene& scene, std::size_t rank, Direction direction, const AdvisedProgram& program)
{
    constexpr std::uint64_t buffer_for_text = 8 << 10;
    // Where statements are timed, those that format are known: other text was made elsewhere, maybe by
    // others.
    const Process& process = scene.job.ranks[rank].process;
    const bool fortran = program.language == Language::fortran, reads = direction == Direction::read,
               as_it_is = fortran && process.fortran_statements > 0 && process.fortran_formatted == 0;
    TextMoved moved;
    for (const FileCase& file : scene.files) {
        double computed = 0;
        bool text = false;
        for (const RecordView& record : file.records) {
            if (record.process == reduced || record.layer == Layer::mpiio || file.use->by_mpiio ||
                scene.job.rank_index(record.process) != static_cast<std::int64_t>(rank))
                continue;
            const std::uint64_t bytes = reads ? record[&Transfers::bytes_read]
                                              : record[&Transfers::bytes_written],
                                calls = reads ? record[&Transfers::reads] : record[&Transfers::writes];
            if (calls == 0) continue;
            moved.all += static_cast<double>(bytes);
            if (is_compressed(file.use->path)) {
                const double work = scene.computed_for(file, record),
                             each_byte = scene.stretched * static_cast<double>(bytes);
                moved.compressed += static_cast<double>(bytes);
                ++moved.compressed_files;
                if (reads)
                    moved.compressing += std::min(work, most_unpacking * each_byte);
                else if (work <= most_packing * each_byte)  // it may have done so before it opened the file
                    moved.compressing += std::max(work, least_packing * each_byte);
                continue;
            }
            const bool formats = record.layer == Layer::stdio && record[&StdioRecord::formatted] > calls / 2;
            if (as_it_is ||
                (!formats && !file.holds_text() && !(fortran && bytes / calls <= buffer_for_text)))
                continue;
            moved.text += static_cast<double>(bytes);
            text = true;
            computed = std::max(computed, is_interpreted(program) ? scene.work_on_whole(file, record, true)
                                                                  : scene.work_on_numbers(file, record));
        }
        moved.computed += computed;
        moved.files += text;
    }
    return moved;
}

struct Work {
    double ns = 0;
    bool compresses = false;
};

// What it made text in, or took it apart, between its calls: that is most of what lies there where it takes
// no longer than this for a byte. Where the log does not show that, while it had the files open; as what it
// compressed. Nothing where it moved neither.
std::optional<Work> work_on_text(const Scene& scene, const Alone& alone, Direction direction)
{
    constexpr double most_a_byte = 100, half = 0.5;  // ns with a core of its own
    LostTime of_rank(scene.job);
    of_rank.add(scene.job.ranks[alone.rank], 1);
    const TextMoved moved = text_moved(scene, alone.rank, direction, executable_of(scene.job, of_rank));
    if (moved.compressed > 0 && moved.compressed >= half * moved.all &&
        (direction == Direction::write || moved.compressed_files > 1))
        return Work{moved.compressing, true};
    if (moved.text < half * moved.all) return {};
    // One input that all need is read once and sent to the others; several can be dealt out.
    if (direction == Direction::read && moved.files < 2) return {};
    const double between = scene.between_calls(alone.rank);
    if (between > most_a_byte * scene.stretched * static_cast<double>(alone.bytes)) return {};
    return Work{std::max(between, moved.computed)};
}

// ns of CPU time that this rank had beyond the mean of the others, and beyond its calls: where they wait
// without spinning, as on cores that ranks share, it gathers and converts for them.
double computed_more(const Job& job, const Alone& alone, double in_calls)
{
    double others = 0;
    for (const Member& member : job.ranks)
        if (&member != &job.ranks[alone.rank]) others += static_cast<double>(member.process.cpu_time);
    const double mean = others / static_cast<double>(job.ranks.size() - 1);
    return mean > 0
               ? std::max(static_cast<double>(job.ranks[alone.rank].process.cpu_time) - mean - in_calls, 0.0)
               : 0;
}

constexpr Remedy take_part_remedies[] = {
    {Language::c,
     "Have all ranks take part, each with a part of one file:",
     {"MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);",
      "MPI_File_write_at(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::c, "HDF5 does the same where the file is opened with H5Pset_fapl_mpio."},
    {Language::fortran,
     "Have all ranks take part, each with a part of one file:",
     {"call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, &",
      "                   file, error)",
      "call MPI_File_write_at(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::netcdf,
     "Have all ranks make the file together, each with a part of it. In Fortran it is nf90_create with comm= "
     "and info=:",
     {"nc_create_par(name, NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file);",
      "nc_var_par_access(file, variable, NC_COLLECTIVE);"}},
    {Language::hdf5,
     "Have all ranks open the file together, with an HDF5 that was built for MPI, each with a part of it:",
     {"H5Pset_fapl_mpio(file_access, MPI_COMM_WORLD, MPI_INFO_NULL);",
      "H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);"}},
    {Language::python,
     "Have all ranks take part, each with a part of one file, with mpi4py:",
     {"file = MPI.File.Open(MPI.COMM_WORLD, name, MPI.MODE_CREATE | MPI.MODE_WRONLY)",
      "file.Write_at(offset, array)"}},
    {Language::h5py,
     "Have all ranks open the file together, with an h5py that was built for MPI, each with a part of it:",
     {"file = h5py.File(name, \"w\", driver=\"mpio\", comm=MPI.COMM_WORLD)",
      "with dataset.collective:", "    dataset[first:last] = part"}},
    {Language::netcdf4,
     "Have all ranks open the file together, with a netCDF4 that was built for MPI, each with a part of it:",
     {"dataset = netCDF4.Dataset(name, \"w\", parallel=True, comm=MPI.COMM_WORLD, info=MPI.Info())",
      "variable.set_collective(True)", "variable[first:last] = part"}},
    {Language::script, "Have all ranks take part, each with a part of one file."},
    {Language::packaged, "Look for an option of PROGRAM that has all ranks take part in its I/O."},
};

// Where one rank moves less on several nodes, the storage may be slow for all.
constexpr double slow_rate_mib = 100;

}  // namespace

MaybeFinding single_process(const Scene& scene)
{
    const Job& job = scene.job;
    if (!job.mpi || job.ranks.size() < 2) return {};
    const Alone in[2] = {alone_in(job, Direction::read), alone_in(job, Direction::write)};
    // Reading a little on one rank and sending it to the others is as it should be, but for text, which takes
    // long to take apart.
    const std::optional<Work> taken_apart = in[0].found() && in[0].bytes >= much_taken_apart
                                                ? work_on_text(scene, in[0], Direction::read)
                                                : std::nullopt;
    const bool reads = in[0].found() && (in[0].bytes >= much_to_send || taken_apart), writes = in[1].found();
    if (!reads && !writes) return {};
    const double time = (reads ? in[0].time : 0) + (writes ? in[1].time : 0);
    const std::size_t first = reads && (!writes || in[0].time >= in[1].time) ? 0 : 1;
    const Alone& alone = in[first];
    const auto ranks = static_cast<double>(job.ranks.size());
    const double run = static_cast<double>(job.ranks[alone.rank].run_time());
    Finding finding;
    finding.title = fmt::format("One of {} ranks {} for all of them", format_count(job.ranks.size()),
                                reads && writes ? "reads and writes"
                                : reads         ? "reads"
                                                : "writes");
    const double in_calls = std::min(time, run) * (1 - 1 / ranks) / 1e9;
    const double passed =
        (1 - 1 / ranks) * static_cast<double>((reads ? in[0].bytes : 0) + (writes ? in[1].bytes : 0));
    const Work made = writes ? work_on_text(scene, in[1], Direction::write).value_or(Work{}) : Work{};
    const double taking = taken_apart.value_or(Work{}).ns,
                 text = std::max(made.ns, taking) * (1 - 1 / ranks) / 1e9;
    const bool makes = made.ns >= taking;
    const std::string_view making = makes ? (made.compresses ? "compresses" : "makes text")
                                    : taken_apart->compresses ? "decompresses"
                                                              : "takes text apart";
    const bool slow =
        job.nodes() > 1 && static_cast<double>(alone.bytes) < slow_rate_mib * mebibyte * time / 1e9;
    // A little at the rate of a slow server: to open a file together takes as long.
    if (slow && text == 0 && alone.bytes < much_to_send) return {};
    const double passing = passed / (passing_rate_mib * mebibyte),
                 more = computed_more(job, alone, time) * (1 - 1 / ranks) / 1e9;
    finding.cost = seconds(std::min(in_calls + std::max(passing + text, more), run / 1e9));
    // Most of what lies there is to make text, to compress, or to convert.
    finding.cost_least = in_calls + std::max(text, more) / 2;
    // Whether the others passed it their data is not known: they may all have them.
    if (job.nodes() <= 1 && text == 0 && *finding.cost_least < worthy_seconds) return {};
    finding.cost_basis = fmt::format(
        "its time in these calls, less what would remain if all ranks shared them; at most also passing the "
        "data between it and the others, at {}, which is assumed",
        format_rate(passing_rate_mib));
    if (more > passing + text)
        finding.cost_basis +=
            "; or the CPU time that it had beyond the mean of the others and its calls, at least half of "
            "that, as where it gathers and converts their data";
    else if (text > 0)
        finding.cost_basis += fmt::format(
            ", and what lies between its {}, in which it {}, less as equal a share, "
            "at least half of that",
            makes ? "writes" : "reads", making);
    // It may compute as well there.
    finding.confidence = text > in_calls || (taken_apart && !makes) ? Confidence::low : Confidence::medium;
    finding.evidence = {
        {"alone", job.rank_name(alone.rank), bytes(alone.bytes),
         fmt::format("of {} that all ranks {}", format_bytes(alone.all), first == 0 ? "read" : "wrote")},
        {"alone_time", "in", seconds(alone.time / 1e9), "while the others have no such I/O"}};
    if (more > passing + text)
        finding.evidence.push_back({"computed", "computed more than the others",
                                    seconds(more / (1 - 1 / ranks)), "beside its calls"});
    if (text > 0)
        finding.evidence.push_back({"text", makes ? "between its writes" : "between its reads",
                                    seconds(text / (1 - 1 / ranks)), fmt::format("in which it {}", making)});
    finding.why =
        "One rank has the bandwidth of one node and one stream, and the others wait for it or send it their "
        "data first.";
    finding.doubt = "Files so small, or disks so slow, that more ranks would not be faster.";
    if (slow) {
        finding.cost_least = 0.0;
        finding.confidence = Confidence::low;
        finding.doubt +=
            " What this rank moves is so slow here that the storage may give no more to all of them.";
    }
    finding.advice = advice_in(program_of(job), take_part_remedies);
    if (first == 0) finding.advice = on_reads(std::move(finding.advice));
    if (text > in_calls && !makes)
        finding.advice.insert(finding.advice.begin(), {"Deal files out by their lengths, the longest first, "
                                                       "or have each rank read a part of each file, "
                                                       "and take apart what it has read."});
    if (text > in_calls && makes && made.compresses)
        finding.advice.insert(
            finding.advice.begin(),
            {"Have each rank compress its own part in memory, and write the parts one behind the other, as "
             "gzip, bzip2, xz and zstd allow, or each into a file of its own."});
    else if (text > in_calls && makes)
        finding.advice.push_back(
            {"Where it has to be text, have each rank make its own in memory, and write it "
             "at its place, which MPI_Exscan of the lengths shows:",
             {"MPI_File_write_at(file, place, text, length, MPI_CHAR, MPI_STATUS_IGNORE);"}});
    return about_rank(std::move(finding), alone.rank);
}

}  // namespace fathom
