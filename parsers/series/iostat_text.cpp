// `iostat -x -t`: a report each interval, of rates since the one before. The first report is since boot,
// which is no interval, unless -y left that one out: then two empty lines stand before it.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "logformat/log/log.h"
#include "parsers/series/clock.h"
#include "parsers/series/readers.h"
#include "parsers/series/sysstat.h"
#include "parsers/series/words.h"

namespace fathom::series {
namespace {

// A line of a device or of all processors.
struct IostatLine {
    bool processors = false;
    std::string device;
    std::vector<std::pair<std::string, double>> columns;
};

class IostatText {
  public:
    IostatText(const Reading& reading, Builder& builder)
        : reading_(reading), builder_(builder), clock_(builder), host_(reading.host)
    {}

    void read()
    {
        find_date_order();
        Lines lines(reading_);
        std::string_view line;
        while (lines.next(line)) take(line, lines);
        if (!any_time_ && any_device_) throw LogError("its reports have no times: run iostat with -t");
        if (any_time_ && !any_interval_)
            throw LogError(
                "one report alone, which is since boot or of an unknown length: run iostat -x -t SECONDS");
    }

  private:
    void find_date_order()
    {
        constexpr std::size_t longest = 200;
        Lines lines(reading_.text);
        std::string_view line;
        while (lines.next(line)) {
            if (line.size() > longest || line.find('/') == std::string_view::npos) continue;
            for (const std::string_view word : words_of(line))
                if (const auto order = day_comes_first(word)) {
                    day_first_ = *order;
                    return;
                }
        }
    }

    void take(std::string_view line, const Lines& lines)
    {
        if (line.starts_with("Linux ")) return take_banner(line);
        if (trimmed(line).empty()) {
            if (after_banner_) ++empty_lines_;
            expects_processors_ = false;
            columns_.clear();
            return;
        }
        if (line[0] >= '0' && line[0] <= '9' && columns_.empty() && !expects_processors_)
            if (const auto civil = civil_in(line, day_first_)) return take_time(*civil);
        const auto words = words_of(line);
        after_banner_ = false;
        if (words[0] == "avg-cpu:") {
            processor_columns_.assign(words.begin() + 1, words.end());
            for (std::string_view& name : processor_columns_)
                if (name.starts_with('%')) name.remove_prefix(1);
            expects_processors_ = true;
            return;
        }
        const auto is_device = [](std::string_view word) { return word == "Device" || word == "Device:"; };
        if (std::ranges::any_of(words, is_device)) {
            columns_ = words;
            any_device_ = true;
            return;
        }
        const auto& columns = expects_processors_ ? processor_columns_ : columns_;
        if (columns.empty()) return;
        if (words.size() != columns.size()) {
            builder_.left_out("their lines have more or fewer columns than the heading", lines.place());
            return;
        }
        IostatLine row;
        row.processors = expects_processors_;
        for (std::size_t at = 0; at < words.size(); ++at) {
            if (!row.processors && is_device(columns[at]))
                row.device = words[at];
            else if (const auto number = number_in(words[at]))
                row.columns.emplace_back(columns[at], *number);
            else
                builder_.left_out("their values are no plain numbers (iostat without --human writes them)",
                                  lines.place());
        }
        expects_processors_ = false;
        take_row(std::move(row));
    }

    // "Linux 6.1.0 (node17)  11/23/26  _x86_64_  (2 CPU)"
    void take_banner(std::string_view line)
    {
        const auto inside = [&](std::string_view ending) -> std::string_view {
            const std::size_t end = line.find(ending);
            const std::size_t begin = line.rfind('(', end);
            return end == std::string_view::npos || begin == std::string_view::npos
                       ? std::string_view()
                       : line.substr(begin + 1, end - begin - 1);
        };
        if (const std::string_view host = inside(")"); !host.empty()) host_ = host;
        processors_ = static_cast<double>(whole_in(inside(" CPU)")).value_or(0));
        reports_ = 0;
        empty_lines_ = 0;
        after_banner_ = true;
        since_boot_left_out_ = false;
        waiting_.clear();
        clock_.begin();
    }

    void take_time(const Civil& civil)
    {
        any_time_ = true;
        const auto time = clock_.instant(civil);
        if (after_banner_) since_boot_left_out_ = empty_lines_ > 1;
        after_banner_ = false;
        before_ = time_;
        time_ = time;
        if (++reports_ != 2 || !before_ || !time_) return;
        // The first interval is as long as the second.
        for (const IostatLine& row : std::exchange(waiting_, {}))
            add(row, {*before_ - (*time_ - *before_), *before_});
    }

    void take_row(IostatLine&& row)
    {
        if (!time_) return;
        if (reports_ > 1) {
            if (before_) add(row, {*before_, *time_});
        } else if (since_boot_left_out_) {
            waiting_.push_back(std::move(row));
        }
    }

    void add(const IostatLine& row, const Interval& when)
    {
        any_interval_ = true;
        std::vector<NamedValue> values;
        for (const auto& [name, value] : row.columns) values.push_back({name, value});
        if (row.processors)
            add_processors(builder_, {reading_.system, host_, ComponentType::host, host_, {}}, processors_,
                           values, when);
        else
            add_disk(builder_, {reading_.system, host_, ComponentType::device, row.device, {}}, values, when);
    }

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    std::string host_;
    double processors_ = 0;
    bool day_first_ = false, any_time_ = false, any_device_ = false, any_interval_ = false;
    bool after_banner_ = false, since_boot_left_out_ = false, expects_processors_ = false;
    int empty_lines_ = 0, reports_ = 0;
    std::optional<Nanoseconds> before_, time_;
    std::vector<std::string_view> columns_, processor_columns_;
    std::vector<IostatLine> waiting_;  // the first interval, whose length is not known yet
};

}  // namespace

bool is_iostat_text(const std::string&, std::string_view first_bytes)
{
    const auto has = [&](std::string_view words) {
        return first_bytes.find(words) != std::string_view::npos;
    };
    const bool device = has("\nDevice ") || has("\nDevice:") || has(" Device\n");
    return device && (has("/s ") || has("/s\n") || has(" tps"));
}

void read_iostat_text(const Reading& reading, Builder& builder)
{
    IostatText(reading, builder).read();
}

}  // namespace fathom::series
