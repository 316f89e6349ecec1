// Picks what the first page says from the job and from the sections behind it.
#include "analyzer/book/first_page.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "analyzer/book/verdict.h"
#include "analyzer/document/chart_ends.h"
#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/section.h"
#include "analyzer/job/collectives.h"
#include "analyzer/job/endings.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/file_count.h"
#include "analyzer/job/missing_ranks.h"
#include "analyzer/job/source.h"
#include "analyzer/job/who.h"
#include "analyzer/sections/overview/notes.h"
#include "analyzer/sections/slowdown/slowdown.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_findings = 3;
constexpr std::string_view size_charts[] = {"sizes_posix", "sizes_stdio"};

// The block of that type and id; nullptr where no section has one.
template <class Kind>
const Kind* block_of(const std::vector<Section>& sections, std::string_view id)
{
    for (const Section& section : sections)
        for (const Block& block : section.blocks)
            if (const auto* const found = std::get_if<Kind>(&block); found != nullptr && found->id == id)
                return found;
    return nullptr;
}

std::vector<Finding> findings_in(const std::vector<Section>& sections)
{
    std::vector<Finding> findings;
    for (const Section& section : sections)
        for (const Block& block : section.blocks)
            if (const auto* const finding = std::get_if<Finding>(&block)) findings.push_back(*finding);
    return findings;
}

// Where the largest part of the I/O went, as the section of findings has it.
std::string largest_part_in(const std::vector<Section>& sections)
{
    for (const Section& section : sections)
        for (const Block& block : section.blocks)
            if (const auto* const entries = std::get_if<Entries>(&block))
                for (const Entry& entry : entries->entries)
                    if (entry.id == "largest_part")
                        return fmt::format("The largest part, {}, is time {}.", format(entry.value),
                                           entry.remark);
    return {};
}

void add_state(const Job& job, FirstPage& page)
{
    const MissingRanks ranks = missing_ranks_of(job);
    const Source& source = source_of(job.log);
    std::string& words = page.recorded;
    if (job.ranks.empty())
        words = "nothing recorded";
    else if (ranks.any())
        words = ranks.in_words() + " recorded";
    else
        words =
            job.mpi && job.ranks.size() > 1
                ? fmt::format("all {} ranks recorded", format_count(job.ranks.size()))
                : fmt::format("{} recorded", job.mpi ? counted(job.ranks.size(), "rank", "ranks")
                                                     : counted(processes_of(job), "process", "processes"));
    if (!source.own) words += fmt::format(" by {}", source.name);
    const std::string status(job.log.fact("exit_status").value_or(""));
    const std::size_t early = early_endings_of(job);
    if (early > 0)
        words += fmt::format(", {} ended early",
                             job.ranks.size() == 1 ? "it" : counted(early, "process", "processes"));
    else if (!status.empty())
        words += ", exit status " + status;
    if (!job.log.problems.empty()) words += ", the log is damaged";
    page.all_well = !job.ranks.empty() && !ranks.any() && job.log.problems.empty() && early == 0 &&
                    (status.empty() || status == "0");
}

TimeBar bar_of(std::string label, const TimeSplit& split, std::uint64_t run)
{
    const auto in_seconds = [](std::uint64_t time) { return static_cast<double>(time) / 1e9; };
    return {std::move(label), in_seconds(split.read), in_seconds(split.write), in_seconds(split.metadata),
            in_seconds(run)};
}

void add_bars(const Job& job, const TimeUse& use, FirstPage& page)
{
    if (job.ranks.empty() || !(use.run > 0)) return;
    const bool several = job.ranks.size() > 1, summed = several && !job.mpi;
    const std::uint64_t processes = processes_of(job);
    const double members = summed ? 1 : static_cast<double>(job.ranks.size());
    const auto part = [&](double sum) { return sum / members / 1e9; };
    page.bars.push_back(
        {!several ? (job.mpi ? "rank" : "process")
         : summed ? (processes > 1 ? fmt::format("all {} processes", format_count(processes)) : "process")
                  : fmt::format("mean of {} ranks", format_count(job.ranks.size())),
         part(use.in_read), part(use.in_write), part(use.in_metadata), part(use.run)});
    if (!several || use.slowest || use.all.largest == 0) return;
    const Member& slowest = job.ranks[use.all.where];
    std::string name = job.rank_name(use.all.where);
    if (!job.mpi && !slowest.process.program.empty())
        name = std::filesystem::path(slowest.process.program).filename().string();
    page.bars.push_back(bar_of(name + ", most I/O", slowest.time(), slowest.run_time()));
}

std::string rate_words(const Rate& rate)
{
    if (!rate.has_total) return {};
    std::string words = format_rate(rate.total);
    if (rate.nodes > 1) words += fmt::format(", {} per node", format_rate(rate.per_node));
    return words;
}

std::string joined(const std::string& one, const std::string& other)
{
    return one.empty() ? other : other.empty() ? one : one + "; " + other;
}

// What went through mappings, where that is not next to nothing.
std::string via_mmap(const Job& job, Direction direction)
{
    constexpr std::uint64_t next_to_nothing = 1 << 20;
    const PosixCounters& posix = layer_sums_of(job).posix;
    const std::uint64_t bytes = direction == Direction::read ? posix.map_bytes_read : posix.map_bytes_written;
    return bytes < next_to_nothing ? "" : fmt::format("about {} more via mmap", format_bytes(bytes));
}

// "4 files shared by all (N-1)", "1 file by 1 of 24 ranks (1-1)"
std::string about_direction(const Job& job, Direction direction)
{
    const ModeStudy study = modes_at(job, Level::application, direction);
    const FileCount files = count_files(job, direction);
    if (files.files == 0) return {};
    std::string words = fmt::format("{} {}", files.words(), files.files == 1 ? "file" : "files");
    if (study.ranks > 1)
        words +=
            fmt::format(" by {}{} of {} {}{} ({})",
                        job.application_movers_at_most[static_cast<std::size_t>(direction)] ? "at most " : "",
                        format_count(study.movers), format_count(study.ranks),
                        missing_ranks_of(job).any() ? "recorded " : "", job.mpi ? "ranks" : "processes",
                        mode_names[static_cast<std::size_t>(study.mode)]);
    return words;
}

std::string metadata_calls(const Job& job)
{
    const auto& [posix, stdio, mpiio, sizes] = static_cast<const CounterSums&>(layer_sums_of(job));
    std::string words;
    const auto add = [&](std::uint64_t n, std::string_view one, std::string_view many) {
        if (n > 0) words += fmt::format("{}{}", words.empty() ? "" : ", ", counted(n, one, many));
    };
    add(posix.opens + stdio.opens, "open", "opens");
    add(posix.stats, "stat", "stats");
    add(posix.unlinks, "unlink", "unlinks");
    add(posix.renames, "rename", "renames");
    return words;
}

void add_numbers(const Job& job, const TimeUse& use, const JobRates& rates, FirstPage& page)
{
    for (const Direction direction : {Direction::write, Direction::read}) {
        const bool writes = direction == Direction::write;
        page.numbers.push_back({writes ? "written" : "read", writes ? "written" : "read",
                                bytes(job.application_bytes(direction)),
                                joined(about_direction(job, direction), via_mmap(job, direction)),
                                rate_words(rates.direction[static_cast<std::size_t>(direction)])});
    }
    if (rates.slowest && rates.job.has_total)
        page.numbers.push_back({"rate", "rate", rate(rates.job.total),
                                rates.slowest->exact()
                                    ? "bytes / time in I/O of the slowest rank"
                                    : fmt::format("at least: bytes / the most that the slowest rank can have "
                                                  "spent in I/O; at most {}",
                                                  format_rate(rates.fastest.total)),
                                ""});
    if (rates.transfer_unseen && rates.window.has_total)
        page.numbers.push_back({"rate", "rate by the clock", rate(rates.window.total),
                                "the time inside of calls is not known", ""});
    const double members = job.mpi ? static_cast<double>(std::max<std::size_t>(job.ranks.size(), 1)) : 1;
    page.numbers.push_back(
        {"metadata", "metadata", seconds(use.in_metadata / members / 1e9), metadata_calls(job), ""});
}

// The lines to copy, which it may lead to, are in the section.
std::string advice_of(const Finding& finding)
{
    std::string advice = first_sentence(finding.advice.front().text);
    if (advice.ends_with(':')) advice.back() = '.';
    return advice;
}

void add_findings(const std::vector<Finding>& findings, FirstPage& page)
{
    double most = 0;
    for (const Finding& one : findings) most = std::max(most, cost_of(one));
    page.findings_in_all = findings.size();
    for (const Finding& one : findings) {
        if (page.findings.size() == most_findings) break;
        page.findings.push_back({one.title, cost_in_seconds(one), most > 0 ? cost_of(one) / most : 0,
                                 one.confidence, one.advice.empty() ? "" : advice_of(one)});
    }
    if (findings.size() > most_findings)
        page.on_findings = fmt::format("{} more in \"What to change\".", findings.size() - most_findings);
}

// Requests of POSIX and stdio by size, without the empty classes at both ends; of MPI-IO where there are no
// others.
std::optional<Chart> sizes_in(const std::vector<Section>& sections)
{
    std::optional<Chart> all;
    std::string layers;
    const auto add = [&](std::string_view id) {
        const auto* const one = block_of<Chart>(sections, id);
        if (one == nullptr) return;
        add_to_list(layers, one->title.substr(0, one->title.find(':')), " and ");
        if (!all) {
            all = *one;
            return;
        }
        for (std::size_t series = 0; series < all->series.size(); ++series)
            for (std::size_t at = 0; at < all->categories.size(); ++at)
                all->series[series].values[at] += one->series[series].values[at];
    };
    for (const std::string_view id : size_charts) add(id);
    if (!all) add("sizes_mpiio");
    if (!all) return all;
    all = without_empty_ends(*all);
    all->id = "first_sizes";
    all->title = fmt::format("Requests by size, {}", layers);
    return all;
}

// Of the time of all ranks in I/O. Collective MPI-IO in the parts that are known of it.
void add_layers(const Job& job, FirstPage& page)
{
    std::array<double, layers> time{};
    job.each_share([&](const Member& member) {
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const Totals& one = member.in(static_cast<Layer>(layer), Scope::direct);
            time[layer] += static_cast<double>(one.read_time + one.write_time + one.metadata_time);
        }
    });
    double sum = 0;
    for (const double one : time) sum += one;
    if (!(sum > 0)) return;
    const auto add = [&](std::string name, double part) {
        if (part > 0.005 * sum) page.layers.push_back({std::move(name), part / sum});
    };
    double& mpiio = time[static_cast<std::size_t>(Layer::mpiio)];
    CollectiveTime together;
    for (const CollectiveTime& one : collective_times_of(job)) {
        if (!one.beneath_known) continue;
        const auto ranks = static_cast<double>(one.ranks);
        together.file_system += std::min(one.file_system, one.mean) * ranks;
        together.exchange += one.exchange * ranks;
        together.waiting += one.waiting * ranks;
    }
    const double parts = together.file_system + together.exchange + together.waiting;
    const double fit = parts > mpiio ? mpiio / parts : 1;
    add("collective MPI-IO: file system", together.file_system * fit);
    add("collective MPI-IO: waiting for ranks", together.waiting * fit);
    add("collective MPI-IO: exchange", together.exchange * fit);
    mpiio -= parts * fit;
    add(parts > 0 ? "other MPI-IO" : "MPI-IO", mpiio);
    for (const Layer layer : {Layer::posix, Layer::stdio})
        add(std::string(layer_titles[static_cast<std::size_t>(layer)]),
            time[static_cast<std::size_t>(layer)]);
}

// What took most of the time: bytes, or calls that move none. Some KiB have no rate worth a chart.
void add_over_time(const Job& job, const TimeUse& use, const std::vector<Section>& sections, FirstPage& page)
{
    constexpr std::uint64_t few_bytes = 64 << 10;
    const auto* const calls = block_of<TimeChart>(sections, "metadata_over_time");
    const bool metadata = calls != nullptr && use.in_metadata > use.in_io / 2;
    if (metadata) page.over_time = *calls;
    const auto* const rate = block_of<TimeChart>(sections, "rate_over_time");
    if (!metadata && rate != nullptr &&
        job.application_bytes(Direction::read) + job.application_bytes(Direction::write) >= few_bytes)
        page.over_time = *rate;
    const std::string_view by_rank = metadata ? "time_by_rank_and_time" : "bytes_by_rank_and_time";
    if (const auto* const map = block_of<Heatmap>(sections, by_rank)) page.by_rank = *map;
}

}  // namespace

std::string verdict_on(const Job& job)
{
    const std::vector<Section> sections = {{"findings", "", findings_section(job)}};
    return verdict_of(job, time_use_of(job), findings_in(sections), largest_part_in(sections));
}

FirstPage first_page_of(const Job& job, const std::vector<Section>& sections)
{
    FirstPage page;
    add_state(job, page);
    const TimeUse use = time_use_of(job);
    const std::vector<Finding> findings = findings_in(sections);
    page.verdict = verdict_of(job, use, findings, largest_part_in(sections));
    page.notes = notes_on_recording(job);
    if (job.slowdown != nullptr) page.notes.push_back(note_on(*job.slowdown));
    if (job.ranks.empty()) return page;
    add_bars(job, use, page);
    add_numbers(job, use, rates_of(job), page);
    add_findings(findings, page);
    add_over_time(job, use, sections, page);
    page.sizes = sizes_in(sections);
    add_layers(job, page);
    return page;
}

}  // namespace fathom
