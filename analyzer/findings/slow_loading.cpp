// Programs that take long from exec to their first line: the dynamic linker looks for their libraries along
// folders on a slow file system. No call of its own is recorded, but when the shell gave way to the program,
// and when that began.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/methods/intervals.h"

namespace fathom {
namespace {

using namespace report;

// Nearly all of these starts take long, those of tools that need no library but libc among them: so it is no
// matter of one program's many libraries.
constexpr std::size_t few_loads = 8;
constexpr std::string_view small_tools[] = {
    "basename", "cat", "cp",    "cut",  "date", "dirname", "expr",  "head", "ls",   "mkdir", "mv",
    "rm",       "seq", "sleep", "sort", "tail", "test",    "touch", "tr",   "true", "uniq",  "wc"};
constexpr double nearly_all_slow = 0.8;
// ns from exec to where recording begins: so long it usually takes, and what is far longer, with a core of
// its own.
constexpr double usual_load = 1.5e6, slow_load = 10e6;

struct Load {
    const Member* member = nullptr;  // the program that began
    std::uint64_t start = 0, end = 0;
    double length() const { return static_cast<double>(end - start); }
};

std::vector<Load> loads_of(const Job& job)
{
    std::map<std::pair<std::string_view, std::uint64_t>, const Member*> replaced;  // the last one of each pid
    std::vector<const Member*> members;
    for (const Member& member : job.ranks) members.push_back(&member);
    std::stable_sort(members.begin(), members.end(),
                     [](const Member* a, const Member* b) { return a->process.start < b->process.start; });
    std::vector<Load> loads;
    for (const Member* const member : members) {
        const Process& process = member->process;
        const std::pair pid(process.host, process.pid);
        if (const auto before = replaced.find(pid); before != replaced.end()) {
            const std::uint64_t gave_way = before->second->process.end;
            if (process.start > gave_way) loads.push_back({member, gave_way, process.start});
            replaced.erase(before);
        }
        if (static_cast<Ending>(process.ending) == Ending::replaced) replaced[pid] = member;
    }
    return loads;
}

bool is_small(const Load& load)
{
    const std::string_view path = load.member->process.program;
    return std::find(std::begin(small_tools), std::end(small_tools), path.substr(path.rfind('/') + 1)) !=
           std::end(small_tools);
}

}  // namespace

MaybeFinding slow_loading(const Scene& scene)
{
    const std::vector<Load> loads = loads_of(scene.job);
    std::vector<Load> slow;
    for (const Load& one : loads)
        if (one.length() >= slow_load * scene.stretched) slow.push_back(one);
    if (slow.size() < few_loads || std::none_of(slow.begin(), slow.end(), is_small) ||
        static_cast<double>(slow.size()) < nearly_all_slow * static_cast<double>(loads.size()))
        return {};
    std::vector<Interval> intervals;
    std::vector<double> lengths;
    for (const Load& one : slow) {
        intervals.push_back({one.start, one.end});
        lengths.push_back(one.length());
    }
    const auto union_of_all = static_cast<double>(union_length(std::move(intervals)));
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    Finding finding;
    finding.title = fmt::format("{} programs took {} each to load, before their first line",
                                format_count(slow.size()), format_seconds(*middle / 1e9));
    finding.cost = seconds(
        std::min(union_of_all * std::max(1 - usual_load * scene.stretched / *middle, 0.0) / 1e9, scene.run));
    finding.cost_basis =
        "the time from exec to where recording begins in them, less 1.5 ms each, which is assumed to be what "
        "it "
        "usually takes";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"loads", "programs that were slow to load", count(slow.size()),
         fmt::format("of {} whose exec was seen", format_count(loads.size()))},
        {"each", "from exec to the first line", seconds(*middle / 1e9), "median"},
        {"program", "one of them", path(std::string(slow.front().member->process.program)), ""}};
    finding.why =
        "The dynamic linker looks for each library in every folder of LD_LIBRARY_PATH, one after the other, "
        "before "
        "the program begins: on a shared file system each look is a message to a server. It is not recorded.";
    finding.doubt =
        "Programs that are large, or on a slow file system themselves; a node that is short of memory.";
    finding.advice = {
        {"Keep LD_LIBRARY_PATH short: no folder that is not needed, the one that has most libraries first, "
         "and none "
         "on a shared file system where the node has its own. See where they are looked for:",
         {"LD_DEBUG=libs PROGRAM 2>&1 | grep -c trying", "export LD_LIBRARY_PATH=/folder/that/has/them"}},
        {"Or have the program know where its libraries are:", {"gcc … -Wl,-rpath,/folder/that/has/them"}},
        {"Or start fewer programs: one that goes through all tasks."}};
    return Found(std::move(finding));
}

}  // namespace fathom
