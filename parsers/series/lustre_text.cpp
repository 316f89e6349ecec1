// What Lustre's own commands print: lfs df, lctl dl -t and the job_stats of servers.
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "logformat/log/log.h"
#include "parsers/series/clock.h"
#include "parsers/series/lustre.h"
#include "parsers/series/readers.h"
#include "parsers/series/words.h"

namespace fathom::series {
namespace {

// "90767651352", or "84.5T" of lfs df -h
std::optional<double> space_in(std::string_view text, double unit)
{
    constexpr std::string_view suffixes = "KMGTPE";
    if (text.empty()) return {};
    const std::size_t suffix = suffixes.find(text.back());
    if (suffix == std::string_view::npos) {
        const auto number = number_in(text);
        return number ? std::optional(*number * unit) : std::nullopt;
    }
    auto number = number_in(text.substr(0, text.size() - 1));
    for (std::size_t power = 0; number && power <= suffix; ++power) *number *= 1024;
    return number;
}

class LfsDf {
  public:
    LfsDf(const Reading& reading, Builder& builder)
        : reading_(reading), builder_(builder), clock_(builder), time_(reading.file_time)
    {}

    void read()
    {
        Lines lines(reading_);
        std::string_view line;
        while (lines.next(line)) {
            if (const auto time = date_line(line, clock_)) {
                time_ = *time;
                continue;
            }
            take(line, lines);
        }
    }

  private:
    void take(std::string_view line, const Lines& lines)
    {
        auto words = words_of(line);
        if (words.empty()) return;
        if (words[0] == "UUID") {
            inodes_ = words.size() > 1 && words[1] == "Inodes";
            unit_ = inodes_ || (words.size() > 1 && words[1] == "bytes") ? 1 : 1024;
            system_.clear();
            return;
        }
        Component of;
        if (line.starts_with("filesystem summary:") || line.starts_with("filesystem_summary:")) {
            words.erase(words.begin(), words.begin() + (words[0].ends_with(':') ? 1 : 2));
            words.insert(words.begin(), std::string_view());
            of = {system_.empty() ? reading_.system : system_, {}, ComponentType::file_system, {}, {}};
            if (words.size() == 6) of.name = words[5];
        } else if (words.size() == 6) {
            of = lustre_target(words[0]);
            if (of.system.empty()) of.system = reading_.system;
            system_ = of.system;
        } else {
            builder_.left_out("their line says nothing of space (lfs df has that of inactive targets)",
                              lines.place());
            return;
        }
        const auto all = words.size() == 6 ? space_in(words[1], unit_) : std::nullopt;
        if (!all) {
            builder_.left_out("their line is none of lfs df", lines.place());
            return;
        }
        const std::uint32_t component = builder_.component(of);
        const std::string_view names[] = {inodes_ ? "inodes_total" : "bytes_total",
                                          inodes_ ? "inodes_used" : "bytes_used",
                                          inodes_ ? "inodes_free" : "bytes_free"};
        for (std::size_t at = 0; at < std::size(names); ++at)
            if (const auto value = space_in(words[at + 1], unit_))
                builder_.level(builder_.series(component, names[at]), time_, *value);
    }

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    Nanoseconds time_;
    bool inodes_ = false;
    double unit_ = 1024;
    std::string system_;
};

// Fields of "{ samples: 3, unit: bytes, min: 4, max: 8, sum: 18 }".
struct JobStat {
    std::optional<double> samples, sum;
    std::string_view unit;
};
JobStat job_stat_in(std::string_view text)
{
    JobStat stat;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        std::string_view field = trimmed(text.substr(0, comma));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        while (field.starts_with('{')) field = trimmed(field.substr(1));
        while (field.ends_with('}')) field = trimmed(field.substr(0, field.size() - 1));
        const std::size_t colon = field.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view name = trimmed(field.substr(0, colon)),
                               value = trimmed(field.substr(colon + 1));
        if (name == "samples") stat.samples = number_in(value);
        if (name == "sum") stat.sum = number_in(value);
        if (name == "unit") stat.unit = value;
    }
    return stat;
}

class JobStats {
  public:
    JobStats(const Reading& reading, Builder& builder) : reading_(reading), builder_(builder), clock_(builder)
    {}

    void read()
    {
        Lines lines(reading_);
        std::string_view line;
        while (lines.next(line)) take(line, lines);
        end_job();
    }

  private:
    void take(std::string_view line, const Lines& lines)
    {
        if (const auto time = date_line(line, clock_)) {
            end_job();
            asked_ = time;
            return;
        }
        line = trimmed(line);
        if (const std::size_t end = line.find(".job_stats="); end != std::string_view::npos) {
            end_job();
            const std::size_t dot = line.rfind('.', end - 1);
            target_ =
                lustre_target(line.substr(dot == std::string_view::npos || end == 0 ? 0 : dot + 1,
                                          dot == std::string_view::npos || end == 0 ? end : end - dot - 1));
            return;
        }
        constexpr std::string_view job_begins = "- job_id:";
        if (line.starts_with(job_begins)) {
            end_job();
            line = trimmed(line.substr(job_begins.size()));
            if (line.size() > 1 && line.front() == '"' && line.back() == '"')
                line = line.substr(1, line.size() - 2);
            job_ = line;
            in_job_ = true;
            return;
        }
        const std::size_t colon = line.find(':');
        if (!in_job_ || colon == std::string_view::npos) return;
        const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
        if (name == "snapshot_time")
            changed_ = unix_time(value.substr(0, value.find(' ')));
        else if (name == "start_time")
            started_ = unix_time(value.substr(0, value.find(' ')));
        else if (value.starts_with('{'))
            stats_.emplace_back(name, job_stat_in(value));
        else if (name != "elapsed_time")
            builder_.left_out("their line is none of job_stats", lines.place());
    }

    // The snapshot's time is that of the job's last change: since then its totals are the same.
    void end_job()
    {
        if (!in_job_) return;
        in_job_ = false;
        const auto stats = std::exchange(stats_, {});
        const auto changed = std::exchange(changed_, {}), started = std::exchange(started_, {});
        const auto time = asked_ ? asked_ : changed;
        if (!time) {
            builder_.left_out("they have neither a snapshot_time nor a line with the time before them", job_);
            return;
        }
        const Component job{target_.system.empty() ? reading_.system : target_.system, reading_.host,
                            ComponentType::job, job_, target_.name};
        const std::uint32_t component = builder_.component(job);
        const bool begins = jobs_.insert(component).second && started && *started < *time;
        const auto put = [&](std::string_view quantity, double value, double scale) {
            const auto id = builder_.series(component, quantity, Kind::amount);
            if (begins) builder_.total(id, *started, 0, scale);
            builder_.total(id, *time, value, scale);
        };
        double metadata_microseconds = 0;
        bool timed = false;
        for (const auto& [name, stat] : stats) {
            const bool timing = stat.unit == "usecs" || stat.unit == "usec";
            if (name == "read_bytes" || name == "write_bytes") {
                const bool reads = name == "read_bytes";
                if (stat.samples) put(reads ? "reads" : "writes", *stat.samples, 1);
                if (stat.sum) put(reads ? "bytes_read" : "bytes_written", *stat.sum, 1);
                continue;
            }
            if ((name == "read" || name == "write") && timing) {
                if (stat.sum) put(name == "read" ? "read_time" : "write_time", *stat.sum, 1e-6);
                continue;
            }
            const std::string_view quantity = lustre_quantity(name);
            // An OST has no mknod: its objects are made by create.
            const bool object = name == "create" && target_.type == ComponentType::ost;
            if (stat.samples) put(object ? "creates" : quantity.empty() ? name : quantity, *stat.samples, 1);
            if (timing && stat.sum) {
                metadata_microseconds += *stat.sum;
                timed = true;
            }
        }
        if (timed) put("metadata_time", metadata_microseconds, 1e-6);
    }

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    Component target_;
    std::string job_;
    bool in_job_ = false;
    std::optional<Nanoseconds> asked_, changed_, started_;
    std::vector<std::pair<std::string_view, JobStat>> stats_;
    std::set<std::uint32_t> jobs_;
};

}  // namespace

bool is_job_stats(const std::string&, std::string_view first_bytes)
{
    return first_bytes.find("job_stats:") != std::string_view::npos ||
           first_bytes.find("- job_id:") != std::string_view::npos;
}

void read_job_stats(const Reading& reading, Builder& builder)
{
    JobStats(reading, builder).read();
}

bool is_lfs_df(const std::string&, std::string_view first_bytes)
{
    return first_bytes.find("UUID ") != std::string_view::npos &&
           first_bytes.find("Mounted on") != std::string_view::npos;
}

void read_lfs_df(const Reading& reading, Builder& builder)
{
    LfsDf(reading, builder).read();
}

bool is_lctl_dl(const std::string&, std::string_view first_bytes)
{
    Lines lines(first_bytes);
    std::string_view line;
    for (int tries = 0; tries < 4 && lines.next(line); ++tries) {
        const auto words = words_of(line);
        if (words.size() >= 6 && whole_in(words[0]) &&
            (words[1] == "UP" || words[1] == "IN" || words[1] == "AT"))
            return true;
    }
    return false;
}

// "  4 UP osc scratch-OST0014-osc-ffff885f81a64000 8dbd… 5 10.100.101.25@o2ib2": what the client's device is
// connected to.
void read_lctl_dl(const Reading& reading, Builder& builder)
{
    Lines lines(reading);
    std::string_view line;
    while (lines.next(line)) {
        const auto words = words_of(line);
        if (words.size() != 7 || (words[2] != "osc" && words[2] != "mdc")) continue;
        const std::size_t end = words[3].find(words[2] == "osc" ? "-osc" : "-mdc");
        if (end == std::string_view::npos) continue;
        Component target = lustre_target(words[3].substr(0, end));
        if (target.system.empty()) target.system = reading.system;
        builder.lives_on(target, std::string(words[6]));
    }
}

}  // namespace fathom::series
