// The job, names and mounts of a log of ours; and what of the job has no place.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

#include "logformat/job_identity.h"
#include "logformat/version.h"
#include "parsers/darshan/from_log_parts.h"
#include "parsers/darshan/record_id.h"

namespace fathom::darshan {
namespace {

constexpr std::int64_t ns_of_second = 1'000'000'000;

// Facts that the job's record has as metadata, and by which key.
struct MetadataFact {
    std::string_view fact, key;
};
constexpr MetadataFact metadata_facts[] = {
    {"darshan_version", "lib_ver"}, {"mpi_hints", "h"}, {"fork_parent", "fork_parent"}, {"note", "note"}};
// Those that it has elsewhere, and those that are of the log rather than of the job.
constexpr std::string_view further_facts[] = {
    "command",    "job",      "job_id",      "user",           "metadata",      "source",
    "started_ns", "ended_ns", "not_decoded", "time_bins_from", "histograms_of", "darshan_log_format",
    "modules"};

// Who ran it and which job it was: user and job_id have places of their own, the others go by their names.
bool is_metadata(std::string_view fact)
{
    return identity::is_identity(fact) && fact != identity::user && fact != identity::job_id;
}

// The id of PBS is a number and the server's name, in arrays an index between them: "1234[5].server".
std::string_view number_of_id(std::string_view id)
{
    const std::size_t digits = std::min(id.find_first_not_of("0123456789"), id.size());
    const bool ends = digits < id.size() && (id[digits] == '.' || id[digits] == '[');
    return digits > 0 && ends ? id.substr(0, digits) : id;
}

// A number of the job: a fact that is a decimal one stays, another becomes a hash.
std::int64_t number_of(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
    constexpr std::uint64_t positive = ~std::uint64_t{0} >> 1;
    return static_cast<std::int64_t>(record_id(text) & positive);
}

// Mounts that files lie on come first, for there may be no room for all.
std::vector<MountEntry> mounts_of(const LogView& view)
{
    const Log& log = view.log();
    std::map<std::string_view, bool> used;
    for (const Mount& mount : log.rows<Mount>()) used.emplace(mount.path, false);
    for (const FileName& name : log.rows<FileName>()) {
        if (!view.tells_file(name.file)) continue;
        std::string_view parent = name.path;
        while (!parent.empty()) {
            const auto found = used.find(parent);
            if (found != used.end()) {
                found->second = true;
                break;
            }
            const std::size_t slash = parent.rfind('/');
            if (slash == std::string_view::npos) break;
            parent = slash == 0 && parent.size() > 1 ? parent.substr(0, 1) : parent.substr(0, slash);
        }
    }
    std::vector<MountEntry> mounts;
    for (const bool wanted : {true, false})
        for (const Mount& mount : log.rows<Mount>())
            if (used.at(mount.path) == wanted)
                mounts.push_back({std::string(mount.path), std::string(mount.type)});
    return mounts;
}

std::string plural(std::size_t count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

// The job's own begins with what started its ranks, where that is left out.
std::string command_of(const LogView& view)
{
    const auto fact = view.log().fact("command");
    const auto& rows = view.ranks().rows();
    if (rows.empty()) return std::string(fact.value_or(""));
    const Process& first = *rows.front();
    const bool alike = !first.command.empty() &&
                       std::all_of(rows.begin(), rows.end(),
                                   [&](const Process* row) { return row->command == first.command; });
    const bool all = rows.size() == view.log().rows<Process>().size();
    if (fact && (all || !alike)) return std::string(*fact);
    return std::string(first.command.empty() ? first.program : first.command);
}

// Like Darshan, which takes the process id of rank 0 where no batch system gives a job id.
std::int64_t job_id_of(const LogView& view)
{
    if (const auto id = view.log().fact("job_id")) return number_of(number_of_id(*id));
    const auto& rows = view.ranks().rows();
    if (!rows.empty() && rows.front()->pid != 0) return static_cast<std::int64_t>(rows.front()->pid);
    return number_of(view.log().fact("job").value_or("0"));
}

// How much the calls that opened nothing and the files without names of their own were.
void add_nameless_losses(const LogView& view, Losses& losses)
{
    std::uint64_t failed = 0, records = 0, read = 0, written = 0;
    const auto add = [&](const auto& rows) {
        for (const auto& record : rows) {
            if (!view.rank_of(record) || view.tells_file(record.file)) continue;
            if (view.is_overflow(record.file)) {
                ++records;
                read += record.bytes_read;
                written += record.bytes_written;
            } else {
                failed += record.failed;
            }
        }
    };
    add(view.log().rows<PosixRecord>());
    add(view.log().rows<StdioRecord>());
    add(view.log().rows<MpiioRecord>());
    std::uint64_t stats = 0, unlinks = 0, seen = 0;
    for (const PosixRecord& record : view.log().rows<PosixRecord>())
        if (view.rank_of(record) && view.is_by_path(record.file)) {
            ++seen;
            stats += record.stats;
            unlinks += record.unlinks;
        }
    if (seen > 0)
        losses.add(
            fmt::format("files that were not opened and have no names of their own: {}, with {} and {}",
                        plural(seen, "record", "records"), plural(stats, "stat", "stats"),
                        plural(unlinks, "unlink", "unlinks")));
    if (failed > 0)
        losses.add(
            fmt::format("{} that opened nothing", plural(failed, "call by a path", "calls by a path")));
    if (records > 0)
        losses.add(
            fmt::format("files for which a process had no room: {}, with {} bytes read and {} bytes "
                        "written; their modules are marked as incomplete",
                        plural(records, "record", "records"), read, written));
}

}  // namespace

JobRecord job_of(const LogView& view)
{
    const Log& log = view.log();
    JobRecord job;
    job.uid = log.fact("user") ? number_of(*log.fact("user")) : -1;
    job.has_ns = true;
    job.start = static_cast<std::int64_t>(view.start()) / ns_of_second;
    job.start_ns = static_cast<std::int64_t>(view.start()) % ns_of_second;
    job.end = static_cast<std::int64_t>(view.end()) / ns_of_second;
    job.end_ns = static_cast<std::int64_t>(view.end()) % ns_of_second;
    job.processes = view.processes();
    job.jobid = job_id_of(view);
    if (!log.fact("darshan_version"))
        job.metadata.emplace_back("lib_ver", fmt::format("fathom {}", fathom_version));
    for (const Fact& fact : log.rows<Fact>()) {
        for (const MetadataFact& known : metadata_facts)
            if (known.fact == fact.name) job.metadata.emplace_back(known.key, fact.value);
        if (is_metadata(fact.name)) job.metadata.emplace_back(fact.name, fact.value);
        const std::size_t equals = fact.value.find('=');
        if (fact.name == "metadata" && equals != std::string_view::npos)
            job.metadata.emplace_back(fact.value.substr(0, equals), fact.value.substr(equals + 1));
    }
    job.command = command_of(view);
    job.mounts = mounts_of(view);
    return job;
}

void write_names(const LogView& view, Writer& writer)
{
    std::set<std::uint64_t> written;
    for (const FileName& name : view.log().rows<FileName>())
        if (view.tells_file(name.file) && written.insert(view.id_of(name.file)).second)
            writer.add_name(view.id_of(name.file), LogView::name_of(name));
    const auto with_bytes = layers_with_bytes(view);
    for (std::size_t layer = 0; layer < layers; ++layer)
        if (with_bytes[layer]) writer.add_name(record_id(heatmap_names[layer]), heatmap_names[layer]);
}

void add_left_out(const LogView& view, Losses& losses)
{
    losses.add(view.ranks().losses());
    add_nameless_losses(view, losses);
}

void add_other_losses(const LogView& view, const JobText& text, Losses& losses)
{
    const Log& log = view.log();
    if (const std::size_t rows = view.ranks().rows().size(); rows > 0)
        losses.add(fmt::format("of {}: program, host, process ids, start, end and how it ended",
                               plural(rows, "process", "processes")));
    if (const auto command = log.fact("command"); command && *command != command_of(view))
        losses.add(fmt::format("what started the job: {}", *command));
    if (const std::size_t rows = log.rows<Totals>().size(); rows > 0)
        losses.add(fmt::format("sums by process, layer and scope: {}", plural(rows, "row", "rows")));
    std::uint64_t timed = 0;
    for (const OperationTimes& operations : log.rows<OperationTimes>()) timed += operations.operations;
    if (timed > 0) losses.add(fmt::format("histograms of durations: of {} operations", timed));
    if (const std::size_t bursts = log.rows<Burst>().size(); bursts > 0)
        losses.add(fmt::format("when processes had I/O under way: {}", plural(bursts, "burst", "bursts")));
    std::size_t kinds = 0, sources = 0;
    for (const FileName& name : log.rows<FileName>())
        kinds += name.kind != 0 && name.kind != static_cast<std::uint64_t>(NameKind::object) &&
                         view.tells_file(name.file)
                     ? 1
                     : 0;
    for (const Mount& mount : log.rows<Mount>()) sources += mount.source.empty() ? 0 : 1;
    if (kinds > 0)
        losses.add(fmt::format("that {} no regular file, but a directory, a stream or a device",
                               plural(kinds, "name is", "names are")));
    if (sources > 0) losses.add(fmt::format("devices and servers of {}", plural(sources, "mount", "mounts")));
    if (const std::size_t files = log.rows<Hints>().size(); files > 0)
        losses.add(fmt::format("hints (MPI_Info) of {}", plural(files, "file", "files")));
    std::set<std::string_view> facts;
    for (const Fact& fact : log.rows<Fact>()) {
        const bool told = is_metadata(fact.name) ||
                          std::any_of(std::begin(metadata_facts), std::end(metadata_facts),
                                      [&](const MetadataFact& one) { return one.fact == fact.name; }) ||
                          std::find(std::begin(further_facts), std::end(further_facts), fact.name) !=
                              std::end(further_facts);
        if (!told) facts.insert(fact.name);
    }
    if (!facts.empty()) losses.add(fmt::format("facts of the job: {}", fmt::join(facts, ", ")));
    if (!log.problems.empty())
        losses.add(fmt::format("what the log says of its own damage: {}",
                               plural(log.problems.size(), "problem", "problems")));
    add_job_losses(text, losses);
}

void add_job_losses(const JobText& text, Losses& losses)
{
    if (text.command_cut) losses.add("the end of the command line: there is no more room for it");
    if (text.metadata_left_out > 0)
        losses.add(fmt::format("{}: there is no more room",
                               plural(text.metadata_left_out, "note on the job", "notes on the job")));
    if (text.mounts_left_out > 0)
        losses.add(fmt::format("{}: there is no more room", plural(text.mounts_left_out, "mount", "mounts")));
}

}  // namespace fathom::darshan
