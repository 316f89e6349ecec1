// `gluster volume profile VOLUME info`: for each brick totals since profiling began, and those since the last
// time that somebody asked. Where the totals are there, the others say the same a second time.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "parsers/series/clock.h"
#include "parsers/series/readers.h"
#include "parsers/series/words.h"

namespace fathom::series {
namespace {

struct GlusterRule {
    std::string_view operation, quantity;
};
constexpr GlusterRule gluster_rules[] = {
    {"READ", "reads"},         {"WRITE", "writes"},    {"OPEN", "opens"},        {"CREATE", "creates"},
    {"UNLINK", "unlinks"},     {"MKDIR", "mkdirs"},    {"RMDIR", "rmdirs"},      {"RENAME", "renames"},
    {"LINK", "links"},         {"STAT", "getattrs"},   {"SETATTR", "setattrs"},  {"GETXATTR", "getxattrs"},
    {"SETXATTR", "setxattrs"}, {"LOOKUP", "lookups"},  {"READDIRP", "readdirs"}, {"STATFS", "statfs"},
    {"FSYNC", "syncs"},        {"ACCESS", "accesses"},
};

class GlusterProfile {
  public:
    GlusterProfile(const Reading& reading, Builder& builder)
        : reading_(reading), builder_(builder), clock_(builder), time_(reading.file_time)
    {}

    void read()
    {
        // `info cumulative` has totals alone, `info incremental` intervals alone.
        has_totals_ = reading_.text.find("Cumulative Stats") != std::string_view::npos;
        Lines lines(reading_);
        std::string_view line;
        while (lines.next(line)) take(trimmed(line), lines);
        end_part();
    }

  private:
    void take(std::string_view line, const Lines& lines)
    {
        if (line.empty()) return;
        if (const auto time = date_line(line, clock_)) {
            end_part();
            time_ = *time;
            return;
        }
        if (line.starts_with("Brick:")) {
            end_part();
            const std::string_view brick = trimmed(line.substr(6));
            const std::size_t colon = brick.find(":/");
            brick_ = {reading_.system,
                      std::string(colon == std::string_view::npos ? reading_.host : brick.substr(0, colon)),
                      ComponentType::brick,
                      std::string(colon == std::string_view::npos ? brick : brick.substr(colon + 1)),
                      {}};
            return;
        }
        const bool totals = line.starts_with("Cumulative Stats"), interval = line.starts_with("Interval ");
        if (totals || interval) {
            end_part();
            part_ = totals ? Part::totals : has_totals_ ? Part::none : Part::interval;
            return;
        }
        if (part_ == Part::none) return;
        const auto words = words_of(line);
        if (line.starts_with("Duration") && words.size() > 1) {
            seconds_ = number_in(words[1] == ":" && words.size() > 2 ? words[2] : words[1]);
            return;
        }
        const std::size_t colon = line.find(':');
        for (const auto& [words_before, quantity] : {std::pair("Data Read", "bytes_read"),
                                                     {"Data Written", "bytes_written"},
                                                     {"BytesRead", "bytes_read"},
                                                     {"BytesWritten", "bytes_written"}})
            if (line.starts_with(words_before) && colon != std::string_view::npos) {
                const auto value = words_of(line.substr(colon + 1));
                if (const auto bytes = value.empty() ? std::nullopt : number_in(value[0]))
                    values_.emplace_back(quantity, *bytes);
                return;
            }
        take_operation(words, lines);
    }

    // "12.50   10.00 us   5.00 us   20.00 us   7   WRITE"; since version 10 in ns
    void take_operation(const std::vector<std::string_view>& words, const Lines& lines)
    {
        if (words.size() != 9 || (words[2] != "us" && words[2] != "ns")) return;
        const auto mean = number_in(words[1]), calls = number_in(words[7]);
        if (!mean || !calls) {
            builder_.left_out("their line is none of gluster volume profile", lines.place());
            return;
        }
        const std::string_view operation = words[8];
        const auto* const rule = std::ranges::find(gluster_rules, operation, &GlusterRule::operation);
        values_.emplace_back(rule == std::end(gluster_rules) ? operation : rule->quantity, *calls);
        const double seconds = *mean * *calls / (words[2] == "ns" ? 1e9 : 1e6);
        if (operation == "READ")
            values_.emplace_back("read_time", seconds);
        else if (operation == "WRITE")
            values_.emplace_back("write_time", seconds);
        else
            metadata_seconds_ += seconds;
    }

    void end_part()
    {
        const Part part = std::exchange(part_, Part::none);
        auto values = std::exchange(values_, {});
        const auto seconds = std::exchange(seconds_, {});
        values.emplace_back("metadata_time", std::exchange(metadata_seconds_, 0));
        if (part == Part::none) return;
        const std::uint32_t component = builder_.component(brick_);
        const Nanoseconds begin = time_ - from_seconds(seconds.value_or(0)).value_or(0);
        for (const auto& [quantity, value] : values) {
            const auto id = builder_.series(component, quantity, Kind::amount);
            if (part == Part::interval) {
                builder_.amount(id, begin, time_, value);
                continue;
            }
            // Profiling began with all totals at 0; an operation is listed from its first call on.
            const Nanoseconds without = asked_.contains(component) ? asked_[component] : begin;
            if (begun_.insert(id).second && without < time_) builder_.total(id, without, 0);
            builder_.total(id, time_, value);
        }
        if (part == Part::totals) asked_[component] = time_;
    }

    enum class Part : std::uint8_t { none, totals, interval };

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    Nanoseconds time_;
    bool has_totals_ = false;
    Component brick_;
    Part part_ = Part::none;
    std::optional<double> seconds_;
    double metadata_seconds_ = 0;
    std::vector<std::pair<std::string_view, double>> values_;
    std::set<Builder::Id> begun_;
    std::map<std::uint32_t, Nanoseconds> asked_;  // when a brick's totals were read before
};

}  // namespace

bool is_gluster_profile(const std::string&, std::string_view first_bytes)
{
    return first_bytes.find("Brick:") != std::string_view::npos &&
           (first_bytes.find("Cumulative Stats") != std::string_view::npos ||
            first_bytes.find("Interval ") != std::string_view::npos);
}

void read_gluster_profile(const Reading& reading, Builder& builder)
{
    GlusterProfile(reading, builder).read();
}

}  // namespace fathom::series
