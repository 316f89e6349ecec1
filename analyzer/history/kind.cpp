// The exact parts sort runs into groups; bytes divide these.
#include "analyzer/history/kind.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <stdexcept>
#include <tuple>

#include "logformat/log/words.h"

namespace fathom::history {
namespace {

struct MatchPart {
    std::string_view name, words;
    bool Match::*part;
};
constexpr MatchPart match_parts[] = {
    {"program", "program", &Match::program},
    {"user", "user", &Match::user},
    {"processes", "processes", &Match::processes},
    {"files", "files", &Match::files},
    {"bytes", "bytes read and written", &Match::bytes},
};

bool is_close(Number one, Number other, double within)
{
    const auto a = static_cast<double>(one), b = static_cast<double>(other);
    return std::abs(a - b) <= within * std::max(std::abs(a), std::abs(b));
}

bool is_earlier(const KindRun& a, const KindRun& b)
{
    return std::tie(a.start, a.id) < std::tie(b.start, b.id);
}

using ExactParts = std::tuple<std::string, std::string, Known, Known>;
ExactParts exact_parts_of(const KindRun& run, const Match& match)
{
    return {match.program ? run.program : "", match.user ? run.user : "",
            match.processes ? run.processes : Known(), match.files ? run.files : Known()};
}

}  // namespace

Match parse_match(std::string_view words, Match match)
{
    for (const MatchPart& part : match_parts) match.*part.part = false;
    while (!words.empty()) {
        const std::size_t comma = words.find(',');
        const std::string_view word = words.substr(0, comma);
        words = comma == std::string_view::npos ? "" : words.substr(comma + 1);
        const auto part = std::find_if(std::begin(match_parts), std::end(match_parts),
                                       [&](const MatchPart& one) { return one.name == word; });
        if (part == std::end(match_parts)) {
            std::string all;
            for (const MatchPart& one : match_parts) add_to_list(all, one.name);
            throw std::invalid_argument(
                fmt::format("--match {}: runs can agree in these: {}", word.empty() ? "''" : word, all));
        }
        match.*part->part = true;
    }
    return match;
}

std::string words_of(const Match& match)
{
    std::string all;
    for (const MatchPart& part : match_parts) {
        if (!(match.*part.part)) continue;
        add_to_list(all, part.words);
        if (part.part == &Match::bytes) all += fmt::format(" within {:g} %", match.within * 100);
    }
    return all.empty() ? "nothing" : all;
}

bool are_alike(const KindRun& one, const KindRun& other, const Match& match)
{
    return (!match.program || one.program == other.program) && (!match.user || one.user == other.user) &&
           (!match.processes || one.processes == other.processes) &&
           (!match.files || one.files == other.files) &&
           (!match.bytes || (is_close(one.bytes_read, other.bytes_read, match.within) &&
                             is_close(one.bytes_written, other.bytes_written, match.within)));
}

Kind kind_of(const KindRun& model, std::vector<KindRun> runs, const Match& match)
{
    std::erase_if(runs, [&](const KindRun& run) { return !are_alike(model, run, match); });
    std::sort(runs.begin(), runs.end(), is_earlier);
    return {std::move(runs)};
}

std::vector<Kind> kinds_of(std::vector<KindRun> runs, const Match& match)
{
    std::map<ExactParts, std::vector<KindRun>> groups;
    for (KindRun& run : runs) {
        ExactParts parts = exact_parts_of(run, match);
        groups[std::move(parts)].push_back(std::move(run));
    }
    std::vector<Kind> kinds;
    for (auto& [parts, group] : groups) {
        std::sort(group.begin(), group.end(), is_earlier);
        while (!group.empty()) {
            const KindRun model = group.back();
            Kind kind;
            std::vector<KindRun> rest;
            for (KindRun& run : group)
                (are_alike(model, run, match) ? kind.runs : rest).push_back(std::move(run));
            kinds.push_back(std::move(kind));
            group = std::move(rest);
        }
    }
    std::sort(kinds.begin(), kinds.end(),
              [](const Kind& a, const Kind& b) { return is_earlier(b.newest(), a.newest()); });
    return kinds;
}

}  // namespace fathom::history
