// rsync --checksum and the like: all files are read whole to find those that have changed.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t much_compared = 16 << 20;

// A tool that knows by size and time which files have changed, and reads all of them under such an option.
struct Comparer {
    std::string_view tool, option, short_option, value;  // value: of the long option, where it needs one
    std::string_view why, advice, line;
};
constexpr Comparer comparers[] = {
    {"rsync", "--checksum", "c", "",
     "Without it, rsync takes a file to be the same where its size and time are: it reads what has changed "
     "alone.",
     "Leave --checksum (-c) out; where times were not kept by an earlier copy, have the first run set them:",
     "rsync --archive SOURCE/ COPY/"},
    {"borg", "--files-cache", "", "disabled",
     "With its cache, borg takes a file to be the same where its size, time and number are: it reads what "
     "has changed alone.",
     "Leave --files-cache=disabled out:", "borg create ARCHIVE FOLDER"},
};

// Of a command in words, spaces between.
bool has_option(std::string_view command, const Comparer& of)
{
    bool value_follows = false;
    while (!command.empty()) {
        const std::size_t end = std::min(command.find(' '), command.size());
        const std::string_view word = command.substr(0, end);
        if (value_follows && word == of.value) return true;
        value_follows = !of.value.empty() && word == of.option;
        if (of.value.empty() ? word == of.option
                             : word.starts_with(of.option) && word.size() > of.option.size() &&
                                   word.substr(of.option.size() + 1) == of.value)
            return true;
        if (!of.short_option.empty() && word.size() > 1 && word[0] == '-' && word[1] != '-' &&
            word.find(of.short_option) != std::string_view::npos)
            return true;
        command.remove_prefix(std::min(end + 1, command.size()));
    }
    return false;
}

MaybeFinding compared_by(const Scene& scene, const Comparer& comparer)
{
    std::vector<const Member*> members;
    std::uint64_t read = 0, written = 0;
    for (const ToolRuns& runs : runs_of_tools(scene.job)) {
        if (runs.name() != comparer.tool) continue;
        for (const Member* const member : runs.members) {
            if (!has_option(member->process.command, comparer)) continue;
            members.push_back(member);
            read += member->application_bytes(Direction::read);
            written += member->application_bytes(Direction::write);
        }
    }
    // What it copies it has to read, once.
    if (read < much_compared || written > read / 2) return {};
    const double needed = static_cast<double>(2 * written) / static_cast<double>(read + written);
    Finding finding;
    finding.title = fmt::format("{} {}{}{} reads {} to copy {}", comparer.tool, comparer.option,
                                comparer.value.empty() ? "" : "=", comparer.value, format_bytes(read),
                                written == 0 ? "nothing" : format_bytes(written));
    finding.cost = seconds(std::min(seconds_of(members) * (1 - needed), scene.run));
    finding.cost_basis = fmt::format(
        "at most the time in which any {} ran with this option, by the share of the bytes that were only "
        "compared",
        comparer.tool);
    double reading = 0;
    for (const Member* const member : members) reading += static_cast<double>(member->time().read) / 1e9;
    finding.cost_least = std::min(reading * (1 - needed), scene.run);
    finding.cost_basis += "; at least that of the time in reads";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"read", "read", bytes(read), ""},
                        {"written", "written", bytes(written), ""},
                        {"processes", fmt::format("processes of {}", comparer.tool), count(members.size()),
                         "with this option"}};
    finding.why = comparer.why;
    finding.doubt = "Files that change, and keep their size and time.";
    finding.advice = {{std::string(comparer.advice), {std::string(comparer.line)}}};
    return Found(std::move(finding));
}

}  // namespace

MaybeFinding compared_by_reading(const Scene& scene)
{
    MaybeFinding most;
    for (const Comparer& comparer : comparers)
        if (MaybeFinding one = compared_by(scene, comparer); one && (!most || cost_of(*one) > cost_of(*most)))
            most = std::move(one);
    return most;
}

}  // namespace fathom
