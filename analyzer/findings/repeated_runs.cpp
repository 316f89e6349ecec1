// A tool that is run again with the same arguments, on files that nobody changed since, and that makes the
// same files each time.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <unordered_map>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t least_repeated = 3;
constexpr double least_long_run = 10e6;  // ns: shorter ones are those of many_processes

struct RepeatedRuns {
    std::vector<const Member*> runs;
    std::uint64_t input = 0;  // bytes that the last one read
    std::size_t outputs = 0;
    const FileUse* output = nullptr;
    bool differs = false;
};
using RepeatedByProcess = std::unordered_map<std::int64_t, RepeatedRuns*>;

bool reads_a_stream(const Member& member)
{
    for (const Layer layer : {Layer::posix, Layer::stdio})
        if (member.in(layer, Scope::streams).bytes_read > 0) return true;
    return false;
}

// One after the other, each long enough, and on nothing that comes through a pipe.
bool may_be_the_same(const std::vector<const Member*>& runs, double stretched)
{
    if (runs.size() < least_repeated || runs[0]->process.command.find(' ') == std::string_view::npos)
        return false;
    std::uint64_t until = 0;
    for (const Member* const run : runs) {
        if (run->process.start < until || run->process.status > 0 || reads_a_stream(*run)) return false;
        if (static_cast<double>(run->run_time()) < least_long_run * stretched) return false;
        until = run->process.end;
    }
    return true;
}

// What one process did to a file, in all layers.
struct OneUse {
    std::uint64_t read = 0, written = 0, highest_write = 0, first_read = UINT64_MAX, first_write = UINT64_MAX,
                  last_write = 0;
};

std::unordered_map<std::int64_t, OneUse> uses_of(const FileCase& file)
{
    std::unordered_map<std::int64_t, OneUse> uses;
    for (const RecordView& record : file.records) {
        OneUse& use = uses[record.process];
        if (record[&Transfers::bytes_read] > 0) {
            use.read = std::max(use.read, record[&Transfers::bytes_read]);
            use.first_read = std::min(use.first_read, record[&Transfers::first_read]);
        }
        if (record[&Transfers::bytes_written] > 0) {
            use.written = std::max(use.written, record[&Transfers::bytes_written]);
            if (record.has_pattern())
                use.highest_write = std::max(use.highest_write, record[&Pattern::highest_written]);
            use.first_write = std::min(use.first_write, record[&Transfers::first_write]);
            use.last_write = std::max(use.last_write, record[&Transfers::last_write]);
        }
        if (record.layer == Layer::posix && record[&PosixRecord::renames] > 0) use.last_write = UINT64_MAX;
    }
    return uses;
}

// What one file says of each of these: whether it is an input that changed, or what they make.
void look_at(const FileCase& file, const RepeatedByProcess& by_process)
{
    const auto uses = uses_of(file);
    std::unordered_map<RepeatedRuns*, std::size_t> made;
    for (const auto& [process, use] : uses) {
        const auto at = by_process.find(process);
        if (at == by_process.end()) continue;
        RepeatedRuns& repeated = *at->second;
        const bool writes = use.written > 0;
        made[&repeated] += writes;
        // It brings it up to date, or adds to it.
        if (writes && (use.first_read < use.first_write || use.highest_write > 2 * use.written))
            repeated.differs = true;
        if (!writes && process == repeated.runs.back()->process.process) repeated.input += use.read;
    }
    for (const auto& [repeated, times] : made) {
        for (const auto& [process, use] : uses) {
            const auto at = by_process.find(process);
            if ((at == by_process.end() || at->second != repeated) &&
                use.last_write > repeated->runs[0]->process.start)
                repeated->differs = true;
        }
        const bool by_all = times == repeated->runs.size();
        if (times > 0 && !by_all) repeated->differs = true;
        if (by_all) ++repeated->outputs, repeated->output = file.use;
    }
}

}  // namespace

MaybeFinding repeated_runs(const Scene& scene)
{
    std::map<std::string_view, RepeatedRuns> by_command;
    for (const ToolRuns& tool : runs_of_tools(scene.job))
        for (const Member* const member : tool.members)
            by_command[member->process.command].runs.push_back(member);
    RepeatedByProcess by_process;
    for (auto& [command, repeated] : by_command)
        if (may_be_the_same(repeated.runs, scene.stretched))
            for (const Member* const run : repeated.runs) by_process[run->process.process] = &repeated;
    if (by_process.empty()) return {};
    for (const FileCase& file : scene.files) look_at(file, by_process);
    const RepeatedRuns* most = nullptr;
    double saved = 0;
    for (const auto& [command, repeated] : by_command) {
        if (repeated.differs || repeated.outputs == 0 || repeated.input == 0) continue;
        const double one = seconds_of({repeated.runs.begin() + 1, repeated.runs.end()});
        if (one > saved) most = &repeated, saved = one;
    }
    if (most == nullptr) return {};
    const Process& first = most->runs[0]->process;
    const std::string name(first.program.substr(first.program.rfind('/') + 1));
    Finding finding;
    finding.title = fmt::format("{} runs of {} with the same arguments make the same files",
                                format_count(most->runs.size()), name);
    finding.cost = seconds(std::min(saved, scene.run));
    finding.cost_basis = "all of the time of these runs but for the first";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"input", "read by the last of them", bytes(most->input), "from files that nobody changed"},
        {"made", "files made by each of them", count(most->outputs), ""},
        {"output", "among these", path(most->output->path), ""}};
    finding.why = "What a run reads has not changed since the one before, nor has what it is told to do.";
    finding.doubt = "Tools that draw random numbers or look at the clock; runs that are there to be timed.";
    finding.advice = {{"Run it once, before the loop, or only where its input is newer than what it made:",
                       {fmt::format("[ OUTPUT -nt INPUT ] || {} …", name)}}};
    return Found(std::move(finding));
}

}  // namespace fathom
