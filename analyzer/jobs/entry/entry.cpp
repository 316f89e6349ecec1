// Takes each number from where the report's sections take it.
#include "analyzer/jobs/entry/entry.h"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "analyzer/book/verdict.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/file_count.h"
#include "analyzer/job/job_phases.h"
#include "analyzer/job/metadata_calls.h"
#include "analyzer/job/mounts.h"
#include "analyzer/job/recorded.h"
#include "analyzer/job/who.h"
#include "analyzer/jobs/entry/bins.h"
#include "analyzer/jobs/entry/identity.h"
#include "analyzer/many/row.h"
#include "logformat/log/words.h"

namespace fathom::jobs {
namespace {

// Databases know no numbers above 2^63.
Number number_of(std::uint64_t value)
{
    return static_cast<Number>(std::min<std::uint64_t>(value, std::numeric_limits<Number>::max()));
}
Number number_of(double value)
{
    return value > 0 ? number_of(static_cast<std::uint64_t>(std::min(value, 9.2e18))) : 0;
}
// No run moved more than 32 PiB; sums of what damaged logs say stay below the largest number.
Number bytes_of(auto value)
{
    return std::min(number_of(value), Number{1} << 55);
}
Number nanoseconds_of(double seconds)
{
    return number_of(std::round(seconds * 1e9));
}
Known nanoseconds_of(const std::optional<double>& seconds)
{
    return seconds ? Known(nanoseconds_of(*seconds)) : std::nullopt;
}

void add_who(const fathom::Job& from, const JobRow& row, Job& job)
{
    job.match = match_key_of(from);
    job.batch_system = row.batch_system;
    job.job = row.job;
    job.step = row.job_step;
    job.array_job = row.array_job;
    job.array_index = row.array_index;
    job.job_name = row.job_name;
    job.account = row.account;
    job.queue = row.queue;
    job.user = row.user;
    job.group = row.group;
    job.project = row.account;
    job.program = program_name_of(from);
}

void add_times(const fathom::Job& from, const JobRow& row, const TimeSplit& time, Job& job)
{
    job.start = number_of(from.start);
    job.end = number_of(from.end);
    job.run = nanoseconds_of(row.run_time);
    job.processes = number_of(row.processes);
    job.ranks_missing = number_of(row.ranks_missing);
    if (from.nodes() > 0) job.nodes = number_of(from.nodes());
    job.read_time = number_of(time.read);
    job.write_time = number_of(time.write);
    job.metadata_time = number_of(time.metadata);
    if (row.rate_by_slowest && *row.rate_by_slowest > 0)
        job.slowest_time = nanoseconds_of(static_cast<double>(row.bytes) / mebibyte / *row.rate_by_slowest);
    job.rate = row.rate;
    job.rate_by_slowest = row.rate_by_slowest;
    job.rate_per_node = row.rate_per_node;
    job.rate_window = row.rate_window;
    job.io_share = row.io_share;
    job.bytes = bytes_of(row.bytes);
    job.bytes_read = bytes_of(row.bytes_read);
    job.bytes_written = bytes_of(row.bytes_written);
}

bool called_itself(const fathom::Job& from, fathom::Layer layer)
{
    bool any = false;
    from.each_share([&](const Member& member) {
        const Totals& totals = member.in(layer, Scope::direct);
        any =
            any || totals.opens + totals.reads + totals.writes + totals.bytes_read + totals.bytes_written > 0;
    });
    return any;
}

// By its calls. Logs of ours that do not have those yet have what was loaded.
bool has_library(const fathom::Job& from, DataLibrary library, std::string_view loaded,
                 std::string_view called)
{
    const fathom::Log& log = from.log;
    const auto of_library = [&](const auto& rows) {
        return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
            return row.library == static_cast<std::uint64_t>(library);
        });
    };
    if (of_library(log.rows<DataFileRecord>()) || of_library(log.rows<DatasetRecord>())) return true;
    for (const LibraryCounter& counter : log.rows<LibraryCounter>())
        if (counter.library.starts_with(called)) return true;
    if (log.recorded(table_name<DataFileRecord>(), counter_name(&DataFileCounters::library))) return false;
    const auto& processes = log.rows<Process>();
    return std::any_of(processes.begin(), processes.end(), [&](const Process& process) {
        return process.libraries.find(loaded) != std::string_view::npos;
    });
}

void add_interfaces(const fathom::Job& from, Job& job)
{
    job.posix = called_itself(from, fathom::Layer::posix);
    job.stdio = called_itself(from, fathom::Layer::stdio);
    job.mpiio = from.used(fathom::Layer::mpiio);
    job.hdf5 = has_library(from, DataLibrary::hdf5, "hdf5", "H5");
    job.pnetcdf = has_library(from, DataLibrary::pnetcdf, "pnetcdf", "PNETCDF");
}

void add_accesses(const fathom::Job& from, Job& job)
{
    const LayerSums& sums = layer_sums_of(from);
    const PosixCounters& posix = sums.posix;
    job.accesses = number_of(posix.reads + posix.writes);
    job.sequential = number_of(posix.sequential_reads + posix.consecutive_reads + posix.sequential_writes +
                               posix.consecutive_writes);
    if (tells(from.log, &PosixCounters::file_unaligned)) {
        const std::uint64_t all = posix.reads + posix.writes;
        job.aligned = number_of(all - std::min(all, posix.file_unaligned));
    }
    SizeSums sizes;
    for (const fathom::Layer layer : {fathom::Layer::posix, fathom::Layer::stdio})
        sizes.add(sums.sizes[static_cast<std::size_t>(layer)]);
    const auto commonest = sizes.commonest();
    if (commonest.empty()) return;
    const CommonSizes::Slot& most = commonest.front();
    job.key_size = number_of(most.size);
    const std::size_t size_class = SizeHistogram::class_of(most.size);
    std::uint64_t reads = 0, writes = 0;
    for (const fathom::Layer layer : {fathom::Layer::posix, fathom::Layer::stdio}) {
        reads += sums.transfers(layer).read_size.count[size_class];
        writes += sums.transfers(layer).write_size.count[size_class];
    }
    job.key_direction = reads > 0 && writes > 0 ? "r+w" : reads > 0 ? "r" : "w";
}

void add_layers(const fathom::Job& from, Entry& entry)
{
    std::array<std::uint64_t, layers> files{};
    from.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (!is_of_files(use.kind)) return;
        std::array<bool, layers> in{};
        for (const RecordView& record : records) in[static_cast<std::size_t>(record.layer)] = true;
        for (std::size_t at = 0; at < layers; ++at) files[at] += in[at] ? use.files : 0;
    });
    const LayerSums& sums = layer_sums_of(from);
    for (std::size_t at = 0; at < layers; ++at) {
        const auto layer = static_cast<fathom::Layer>(at);
        const Transfers& transfers = sums.transfers(layer);
        if (files[at] == 0) continue;
        Layer row;
        row.layer = layer_names[at];
        row.files = number_of(files[at]);
        row.reads = number_of(transfers.reads);
        row.writes = number_of(transfers.writes);
        row.bytes_read = bytes_of(transfers.bytes_read);
        row.bytes_written = bytes_of(transfers.bytes_written);
        row.read_time = number_of(transfers.read_time);
        row.write_time = number_of(transfers.write_time);
        row.metadata_time = number_of(transfers.metadata_time);
        row.opens = number_of(transfers.opens);
        row.syncs = number_of(transfers.syncs);
        if (const Pattern* const pattern = sums.pattern(layer); pattern != nullptr)
            row.seeks = number_of(pattern->seeks);
        for (std::size_t size = 0; size < SizeHistogram::classes; ++size) {
            row.read_size[size] = number_of(transfers.read_size.count[size]);
            row.write_size[size] = number_of(transfers.write_size.count[size]);
        }
        entry.layers.push_back(std::move(row));
    }
}

// Where each of the job's files lies; nullptr: not known.
using MountsOfFiles = std::vector<const Mount*>;

MountsOfFiles mounts_of(const fathom::Job& from)
{
    const Mounts mounts(from.log);
    MountsOfFiles all;
    all.reserve(from.files.size());
    for (const FileUse& use : from.files) all.push_back(mounts.of(use));
    return all;
}

void add_mounts(const fathom::Job& from, const MountsOfFiles& mounts, Entry& entry)
{
    struct Use : FileSums {
        explicit Use(const fathom::Job& job) : files(job) {}
        FileCounter files;
        std::string_view type, source;
    };
    std::map<std::string_view, Use> by_path;
    auto at = mounts.begin();
    from.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        const Mount* const mount = *at++;
        if (!is_of_files(use.kind)) return;
        Use& sum = by_path.try_emplace(mount == nullptr ? "" : mount->path, from).first->second;
        if (mount != nullptr) {
            sum.type = mount->type;
            sum.source = mount->source;
        }
        sum.files.add(use, records);
        merge<FileSums>(sum, use.application());
    });
    for (const auto& [path, use] : by_path)
        entry.mounts.push_back(
            {0, std::string(path), std::string(use.type), number_of(use.files.result().files),
             bytes_of(use.bytes_read), bytes_of(use.bytes_written), number_of(use.read_time),
             number_of(use.write_time), number_of(use.metadata_time), std::string(use.source)});
}

void add_modes(const fathom::Job& from, Entry& entry)
{
    std::array<Shared, file_class_count> shared{};
    for (const Direction direction : directions) {
        const ModeStudy study = modes_at(from, Level::application, direction);
        const bool reads = direction == Direction::read;
        for (std::size_t at = 1; at < mode_count; ++at)
            if (study.by_mode[at].files > 0)
                entry.modes.push_back({0, std::string(direction_names[static_cast<std::size_t>(direction)]),
                                       std::string(mode_names[at]), number_of(study.by_mode[at].files),
                                       bytes_of(study.by_mode[at].bytes)});
        for (std::size_t at = 1; at < file_class_count; ++at) {
            (reads ? shared[at].files_read : shared[at].files_written) = number_of(study.by_class[at].files);
            (reads ? shared[at].bytes_read : shared[at].bytes_written) = bytes_of(study.by_class[at].bytes);
        }
        (reads ? entry.job.reads_mode : entry.job.writes_mode) =
            study.mode == Mode::none ? "" : mode_names[static_cast<std::size_t>(study.mode)];
    }
    for (std::size_t at = 1; at < file_class_count; ++at) {
        if (shared[at].files_read + shared[at].files_written == 0) continue;
        shared[at].sharing = file_class_names[at];
        entry.sharing.push_back(std::move(shared[at]));
    }
}

void add_files(const fathom::Job& from, Entry& entry)
{
    std::vector<const FileUse*> largest;
    std::uint64_t both = 0, created = 0;
    for (const FileUse& use : from.files) {
        const FileView& view = use.application();
        if (is_of_files(use.kind)) {
            both += view.bytes_read > 0 && view.bytes_written > 0 ? use.files : 0;
            created += view.bytes_written > 0 && use.system.creates > 0 ? use.files : 0;
        }
        if (use.kind == NameKind::file && !use.path.empty()) largest.push_back(&use);
    }
    Job& job = entry.job;
    job.files = number_of(count_files(from).files);
    job.files_read = number_of(count_files(from, Direction::read).files);
    job.files_written = number_of(count_files(from, Direction::write).files);
    job.files_read_and_written = number_of(both);
    if (tells(from.log, &PosixCounters::creates))
        job.files_created = std::min(number_of(created), *job.files_written);
    const auto end = largest.begin() + static_cast<std::ptrdiff_t>(std::min(most_files, largest.size()));
    std::partial_sort(largest.begin(), end, largest.end(), [](const FileUse* a, const FileUse* b) {
        const auto rank = [](const FileUse& use) {
            return std::tuple(use.application().bytes(), use.application().time(), use.file);
        };
        return rank(*a) > rank(*b);
    });
    for (auto use = largest.begin(); use != end; ++use) {
        const FileView& view = (*use)->application();
        entry.files.push_back({0, std::string((*use)->path), bytes_of(view.bytes_read),
                               bytes_of(view.bytes_written), number_of(view.time())});
    }
}

// At most so long, and no name is cut.
std::string joined(const std::vector<std::string>& names, std::size_t most, std::string_view between)
{
    std::string all;
    for (const std::string& name : names) {
        if (all.size() + between.size() + name.size() > most) break;
        add_to_list(all, name, between);
    }
    return all;
}

// What of each has most of, first.
std::string by_bytes(const std::map<std::string, std::uint64_t>& bytes, std::size_t most)
{
    std::vector<std::pair<std::uint64_t, std::string>> order;
    for (const auto& [what, moved] : bytes) order.emplace_back(~moved, what);
    std::sort(order.begin(), order.end());
    std::vector<std::string> names;
    for (const auto& [rank, what] : order) names.push_back(what);
    return joined(names, most, "; ");
}

void add_environment(const fathom::Job& from, const MountsOfFiles& mounts, Environment& environment)
{
    environment.mpi = from.log.fact("mpi").value_or("");
    environment.kernel = from.log.fact("kernel").value_or("");
    if (const Process* const main = main_process_of(from)) environment.build = main->build;
    const std::string tool(source_of(from.log).name);
    const std::string version(
        from.log.fact(source_of(from.log).own ? "recorder" : "darshan_version").value_or(""));
    environment.recorder = version.empty() ? tool : tool + " " + version;
    std::set<std::string> nodes;
    for (const Member& member : from.ranks) {
        if (!member.process.host.empty()) nodes.emplace(member.process.host);
        if (const std::uint64_t wait = member.process.core_wait; wait > 0)
            environment.core_wait = std::max(environment.core_wait.value_or(0), number_of(wait));
    }
    const std::string names = fmt::format("{}", fmt::join(nodes, ", "));
    if (names.size() <= most_of_list) environment.node_names = names;

    std::map<std::string, std::uint64_t> storage, striping;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> stripes;  // by their count and size
    std::unordered_map<std::uint64_t, std::uint64_t> moved;
    std::map<const Mount*, std::uint64_t> by_mount;
    for (std::size_t at = 0; at < from.files.size(); ++at) {
        const FileUse& file = from.files[at];
        const std::uint64_t bytes = file.application().bytes();
        if (bytes == 0 || !is_of_files(file.kind)) continue;
        moved[file.file] = bytes;
        if (const Mount* const mount = mounts[at]; mount != nullptr && !mount->type.empty())
            by_mount[mount] += bytes;
    }
    for (const auto& [mount, bytes] : by_mount)
        storage[mount->source.empty() ? std::string(mount->type)
                                      : fmt::format("{} {}", mount->type, mount->source)] += bytes;
    for (const Layout& layout : from.log.rows<Layout>())
        if (const auto file = moved.find(layout.file); file != moved.end())
            stripes[{layout.stripe_count, layout.stripe_size}] += file->second;
    for (const auto& [stripe, bytes] : stripes)
        striping[fmt::format("{}, {} each", report::counted(stripe.first, "server", "servers"),
                             report::format_bytes(stripe.second))] += bytes;
    environment.storage = by_bytes(storage, most_of_list);
    environment.striping = by_bytes(striping, most_of_list);

    const LayerSums& sums = layer_sums_of(from);
    environment.metadata_calls = number_of(metadata_calls(sums.posix) + metadata_calls(sums.stdio));
}

void add_phases(const fathom::Job& from, Entry& entry)
{
    for (const Phase& phase : phases_of(from, 0).phases) {
        if (entry.phases.size() == most_phases) break;
        entry.phases.push_back({0, number_of(phase.start - std::min(phase.start, from.start)),
                                number_of(phase.end - std::min(phase.end, phase.start)),
                                bytes_of(phase.done.bytes_read), bytes_of(phase.done.bytes_written)});
    }
}

void add_findings(const std::vector<report::Finding>& findings, Entry& entry)
{
    entry.job.findings = number_of(findings.size());
    for (const report::Finding& finding : findings) {
        if (entry.findings.size() == most_findings) break;
        const auto* const cost = std::get_if<double>(&finding.cost.value);
        entry.findings.push_back(
            {0, finding.id,
             std::string(report::confidence_names[static_cast<std::size_t>(finding.confidence)]),
             finding.title, cost == nullptr ? std::nullopt : Known(nanoseconds_of(*cost))});
    }
    if (entry.findings.empty()) return;
    entry.job.finding = entry.findings[0].finding;
    entry.details.finding_title = entry.findings[0].title;
    entry.job.finding_cost = entry.findings[0].cost;
}

void add_details(const fathom::Job& from, const JobRow& row, const TimeUse& use,
                 const std::vector<report::Finding>& findings, Details& details)
{
    details.program_path = row.program;
    details.command = report::valid_utf8(command_of(from)).substr(0, most_command);
    details.verdict = verdict_of(from, use, findings, {});
    details.problem = row.problem;
    const Bins bins = bins_of(from);
    if (bins.length > 0) details.bin_length = number_of(bins.length);
    details.bins = pack(bins.bins);
}

}  // namespace

Entry entry_of(const fathom::Job& from)
{
    Entry entry;
    const Scene scene(from);
    const std::vector<report::Finding> findings = findings_of(scene);
    const JobRow row = row_of(from, "", findings);
    TimeSplit time;
    from.each_share([&](const Member& member) {
        const TimeSplit own = member.time();
        time.read += own.read;
        time.write += own.write;
        time.metadata += own.metadata;
    });
    Job& job = entry.job;
    job.recorded = 1;
    job.tool = entry.log.tool = source_of(from.log).own ? "fathom" : from.log.fact("source").value_or("");
    entry.log.identity = identity_of(from);
    add_who(from, row, job);
    add_times(from, row, time, job);
    add_interfaces(from, job);
    add_accesses(from, job);
    add_layers(from, entry);
    const MountsOfFiles mounts = mounts_of(from);
    add_mounts(from, mounts, entry);
    add_modes(from, entry);
    add_files(from, entry);
    add_phases(from, entry);
    add_findings(findings, entry);
    job.problems = number_of(row.problems);
    add_details(from, row, scene.use, findings, entry.details);
    add_environment(from, mounts, entry.environment);
    return entry;
}

}  // namespace fathom::jobs
