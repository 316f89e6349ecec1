// rsync --checksum: all files of both sides are read whole to find those that have changed.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::string_view rsync = "rsync", long_option = "--checksum";
constexpr char short_option = 'c';
constexpr std::uint64_t much_compared = 16 << 20;

// Of a command in words, spaces between.
bool has_option(std::string_view command)
{
    while (!command.empty()) {
        const std::size_t end = std::min(command.find(' '), command.size());
        const std::string_view word = command.substr(0, end);
        if (word == long_option) return true;
        if (word.size() > 1 && word[0] == '-' && word[1] != '-' &&
            word.find(short_option) != std::string_view::npos)
            return true;
        command.remove_prefix(std::min(end + 1, command.size()));
    }
    return false;
}

}  // namespace

MaybeFinding compared_by_reading(const Scene& scene)
{
    std::vector<const Member*> members;
    std::uint64_t read = 0, written = 0;
    for (const ToolRuns& runs : runs_of_tools(scene.job)) {
        if (runs.name() != rsync) continue;
        for (const Member* const member : runs.members) {
            if (!has_option(member->process.command)) continue;
            members.push_back(member);
            read += member->application_bytes(Direction::read);
            written += member->application_bytes(Direction::write);
        }
    }
    // What it copies it has to read, once.
    if (read < much_compared || written > read / 2) return {};
    const double needed = static_cast<double>(2 * written) / static_cast<double>(read + written);
    Finding finding;
    finding.title = fmt::format("rsync {} reads {} to copy {}", long_option, format_bytes(read),
                                written == 0 ? "nothing" : format_bytes(written));
    finding.cost = seconds(std::min(seconds_of(members) * (1 - needed), scene.run));
    finding.cost_basis =
        "the time in which any rsync ran with this option, by the share of the bytes that were only compared";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"read", "read by both sides", bytes(read), ""},
                        {"written", "written", bytes(written), ""},
                        {"processes", "processes of rsync", count(members.size()), "with this option"}};
    finding.why =
        "Without it, rsync takes a file to be the same where its size and time are: it reads what has "
        "changed alone.";
    finding.doubt = "Files that change, and keep their size and time.";
    finding.advice = {
        {"Leave --checksum (-c) out; where times were not kept by an earlier copy, have the first run set "
         "them:",
         {"rsync --archive SOURCE/ COPY/"}}};
    return Found(std::move(finding));
}

}  // namespace fathom
