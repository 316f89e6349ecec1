// The exact parts sort runs into groups; bytes divide these.
#include "analyzer/history/kind.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
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

// Numbers that are close have the same place or neighbouring ones.
class Places {
  public:
    explicit Places(const Match& match)
        : width_(match.bytes && match.within < 1 ? -std::log1p(-match.within) * (1 + 1e-9) : infinity)
    {}
    std::int64_t of(Number bytes) const
    {
        if (width_ == 0) return 3 * bytes;  // nobody's neighbour
        if (bytes <= 0 || std::isinf(width_)) return std::isinf(width_) ? 0 : -3;
        return static_cast<std::int64_t>(std::floor(std::log(static_cast<double>(bytes)) / width_));
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    double width_;
};

// Runs in the order of time that agree in all but their bytes.
void divide(std::vector<KindRun> runs, const Match& match, std::vector<Kind>& kinds)
{
    const Places places(match);
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> left;
    for (std::size_t at = 0; at < runs.size(); ++at)
        left[{places.of(runs[at].bytes_read), places.of(runs[at].bytes_written)}].push_back(at);
    std::vector<bool> taken(runs.size(), false);
    for (std::size_t newest = runs.size(); newest-- > 0;) {
        if (taken[newest]) continue;
        std::vector<std::size_t> chosen;
        const std::int64_t read = places.of(runs[newest].bytes_read),
                           written = places.of(runs[newest].bytes_written);
        for (std::int64_t one = read - 1; one <= read + 1; ++one)
            for (std::int64_t other = written - 1; other <= written + 1; ++other)
                if (const auto place = left.find({one, other}); place != left.end())
                    std::erase_if(place->second, [&](std::size_t at) {
                        if (!are_alike(runs[newest], runs[at], match)) return false;
                        chosen.push_back(at);
                        taken[at] = true;
                        return true;
                    });
        std::sort(chosen.begin(), chosen.end());
        Kind& kind = kinds.emplace_back();
        const KindRun model = runs[newest];
        for (const std::size_t at : chosen) kind.runs.push_back(at == newest ? model : std::move(runs[at]));
    }
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
        divide(std::move(group), match, kinds);
    }
    std::sort(kinds.begin(), kinds.end(),
              [](const Kind& a, const Kind& b) { return is_earlier(b.newest(), a.newest()); });
    return kinds;
}

}  // namespace fathom::history
