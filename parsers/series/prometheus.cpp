// Prometheus' text, of node_exporter, lustre_exporter and others, once or again and again in one file. Its
// time is, in this order, the sample's own, a line with a time before it, node_time_seconds, or the file's.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "logformat/log/log.h"
#include "parsers/series/clock.h"
#include "parsers/series/lustre.h"
#include "parsers/series/readers.h"
#include "parsers/series/words.h"

namespace fathom::series {
namespace {

struct PrometheusRule {
    std::string_view metric;
    std::string_view label, is;  // only where this label is that; empty: always
    std::string_view quantity;
    ComponentType type = ComponentType::host;
    std::string_view name = {};  // the label that names the component
    double scale = 1;
};

constexpr ComponentType on_device = ComponentType::device, on_interface = ComponentType::interface,
                        on_processor = ComponentType::processor, on_space = ComponentType::file_system,
                        on_target = ComponentType::ost, on_job = ComponentType::job;

// Of Lustre the type is that of the target's name.
constexpr PrometheusRule prometheus_rules[] = {
    {"node_disk_read_bytes_total", "", "", "bytes_read", on_device, "device"},
    {"node_disk_written_bytes_total", "", "", "bytes_written", on_device, "device"},
    {"node_disk_reads_completed_total", "", "", "reads", on_device, "device"},
    {"node_disk_writes_completed_total", "", "", "writes", on_device, "device"},
    {"node_disk_reads_merged_total", "", "", "reads_merged", on_device, "device"},
    {"node_disk_writes_merged_total", "", "", "writes_merged", on_device, "device"},
    {"node_disk_read_time_seconds_total", "", "", "read_time", on_device, "device"},
    {"node_disk_write_time_seconds_total", "", "", "write_time", on_device, "device"},
    {"node_disk_io_time_seconds_total", "", "", "busy_time", on_device, "device"},
    {"node_disk_io_time_weighted_seconds_total", "", "", "queue_time", on_device, "device"},
    {"node_disk_io_now", "", "", "queue_length", on_device, "device"},
    {"node_disk_discards_completed_total", "", "", "discards", on_device, "device"},
    {"node_disk_discarded_sectors_total", "", "", "bytes_discarded", on_device, "device", 512},
    {"node_disk_discard_time_seconds_total", "", "", "discard_time", on_device, "device"},
    {"node_disk_flush_requests_total", "", "", "flushes", on_device, "device"},
    {"node_disk_flush_requests_time_seconds_total", "", "", "flush_time", on_device, "device"},
    {"node_network_receive_bytes_total", "", "", "bytes_received", on_interface, "device"},
    {"node_network_transmit_bytes_total", "", "", "bytes_sent", on_interface, "device"},
    {"node_network_receive_packets_total", "", "", "packets_received", on_interface, "device"},
    {"node_network_transmit_packets_total", "", "", "packets_sent", on_interface, "device"},
    {"node_network_receive_errs_total", "", "", "receive_errors", on_interface, "device"},
    {"node_network_transmit_errs_total", "", "", "send_errors", on_interface, "device"},
    {"node_network_up", "", "", "up", on_interface, "device"},
    {"node_cpu_seconds_total", "mode", "user", "cpu_user", on_processor, "cpu"},
    {"node_cpu_seconds_total", "mode", "nice", "cpu_nice", on_processor, "cpu"},
    {"node_cpu_seconds_total", "mode", "system", "cpu_system", on_processor, "cpu"},
    {"node_cpu_seconds_total", "mode", "irq", "cpu_irq", on_processor, "cpu"},
    {"node_cpu_seconds_total", "mode", "softirq", "cpu_softirq", on_processor, "cpu"},
    {"node_cpu_seconds_total", "mode", "steal", "cpu_steal", on_processor, "cpu"},
    {"node_cpu_seconds_total", "mode", "iowait", "cpu_wait", on_processor, "cpu"},
    {"node_cpu_seconds_total", "mode", "idle", "cpu_idle", on_processor, "cpu"},
    {"node_pressure_cpu_waiting_seconds_total", "", "", "cpu_pressure"},
    {"node_pressure_io_waiting_seconds_total", "", "", "io_pressure"},
    {"node_pressure_memory_waiting_seconds_total", "", "", "memory_pressure"},
    {"node_memory_MemTotal_bytes", "", "", "memory_total"},
    {"node_memory_MemFree_bytes", "", "", "memory_free"},
    {"node_memory_MemAvailable_bytes", "", "", "memory_available"},
    {"node_memory_Cached_bytes", "", "", "memory_cached"},
    {"node_memory_Dirty_bytes", "", "", "memory_dirty"},
    {"node_filesystem_avail_bytes", "", "", "bytes_free", on_space, "mountpoint"},
    {"node_filesystem_size_bytes", "", "", "bytes_total", on_space, "mountpoint"},
    {"node_filesystem_files", "", "", "inodes_total", on_space, "mountpoint"},
    {"node_filesystem_files_free", "", "", "inodes_free", on_space, "mountpoint"},
    {"lustre_read_bytes_total", "", "", "bytes_read", on_target, "target"},
    {"lustre_write_bytes_total", "", "", "bytes_written", on_target, "target"},
    {"lustre_read_samples_total", "", "", "reads", on_target, "target"},
    {"lustre_write_samples_total", "", "", "writes", on_target, "target"},
    {"lustre_available_kilobytes", "", "", "bytes_free", on_target, "target", 1024},
    {"lustre_used_kilobytes", "", "", "bytes_used", on_target, "target", 1024},
    {"lustre_capacity_kilobytes", "", "", "bytes_total", on_target, "target", 1024},
    {"lustre_inodes_free", "", "", "inodes_free", on_target, "target"},
    {"lustre_inodes_maximum", "", "", "inodes_total", on_target, "target"},
    {"lustre_job_read_bytes_total", "", "", "bytes_read", on_job, "jobid"},
    {"lustre_job_write_bytes_total", "", "", "bytes_written", on_job, "jobid"},
    {"lustre_job_read_samples_total", "", "", "reads", on_job, "jobid"},
    {"lustre_job_write_samples_total", "", "", "writes", on_job, "jobid"},
};

using Labels = std::map<std::string, std::string, std::less<>>;

std::string label_in(const Labels& labels, std::string_view name)
{
    const auto found = labels.find(name);
    return found == labels.end() ? std::string() : found->second;
}

// One sample: `name{a="b",…} value [milliseconds]`.
struct PrometheusLine {
    std::string_view name, value, time;
    Labels labels;
};

// Takes {a="b",…} from the front of a text.
bool take_labels(std::string_view& text, Labels& labels)
{
    text.remove_prefix(1);
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
        if (text.empty()) return false;
        if (text[0] == '}') {
            text.remove_prefix(1);
            return true;
        }
        const std::size_t equals = text.find("=\"");
        if (equals == std::string_view::npos) return false;
        const std::string name(trimmed(text.substr(0, equals)));
        text.remove_prefix(equals + 2);
        std::string value;
        while (!text.empty() && text[0] != '"') {
            const bool escaped = text[0] == '\\' && text.size() > 1;
            const char letter = escaped ? text[1] : text[0];
            value += escaped && letter == 'n' ? '\n' : letter;
            text.remove_prefix(escaped ? 2 : 1);
        }
        if (text.empty()) return false;
        text.remove_prefix(1);
        labels[name] = value;
    }
}

std::optional<PrometheusLine> prometheus_line(std::string_view text)
{
    PrometheusLine line;
    const std::size_t end = text.find_first_of("{ \t");
    if (end == std::string_view::npos || end == 0) return {};
    const bool letter = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z') ||
                        text[0] == '_' || text[0] == ':';
    if (!letter) return {};
    line.name = text.substr(0, end);
    text.remove_prefix(end);
    if (text[0] == '{' && !take_labels(text, line.labels)) return {};
    const auto words = words_of(text, 4);
    if (words.empty() || words.size() > 3) return {};
    line.value = words[0];
    if (words.size() > 1) line.time = words[1];
    return line;
}

class PrometheusText {
  public:
    PrometheusText(const Reading& reading, Builder& builder)
        : reading_(reading), builder_(builder), clock_(builder)
    {}

    void read()
    {
        Lines lines(reading_);
        std::string_view line;
        while (lines.next(line)) take(trimmed(line), lines);
        end_scrape();
    }

  private:
    struct Value {
        Component of;
        std::string quantity;
        bool total = false;
        double value = 0, scale = 1;
        std::optional<Nanoseconds> time;
    };

    void take(std::string_view line, const Lines& lines)
    {
        if (line.empty()) return;
        if (line == "# EOF") return end_scrape();
        const auto comment = words_of(line, 4);
        if (comment[0] == "#" && comment.size() == 4 && comment[1] == "TYPE") {
            // The family that a scrape began with comes again: another scrape.
            if (comment[2] == first_family_) end_scrape();
            if (first_family_.empty()) first_family_ = comment[2];
            if (comment[3] != "untyped" && comment[3] != "unknown")
                is_counter_[std::string(comment[2])] = comment[3] == "counter";
            return;
        }
        const std::string_view said = line[0] == '#' ? line.substr(1) : line;
        if (const auto time = date_line(said, clock_)) {
            end_scrape();
            time_ = time;
            return;
        }
        if (line[0] == '#') return;
        const auto sample = prometheus_line(line);
        const auto number = sample ? number_in(sample->value) : std::nullopt;
        if (!number) {
            builder_.left_out("their lines, or their values, are none that count (NaN, for one)",
                              lines.place());
            return;
        }
        if (sample->name == "node_time_seconds") scrape_time_ = from_seconds(*number);
        if (sample->name == "node_uname_info") host_ = label_in(sample->labels, "nodename");
        keep_value(*sample, *number);
    }

    void keep_value(const PrometheusLine& sample, double number)
    {
        Value value;
        value.value = number;
        if (const auto milliseconds = signed_in(sample.time); milliseconds && *milliseconds > 0)
            value.time = from_seconds(static_cast<double>(*milliseconds) / 1e3);
        std::string host;
        for (const char* const label : {"nodename", "host", "hostname", "instance"})
            if (host.empty()) host = label_in(sample.labels, label);
        if (const std::size_t port = host.rfind(':'); port != std::string::npos && host.find(':') == port)
            host.resize(port);
        const auto* const rule = std::ranges::find_if(prometheus_rules, [&](const PrometheusRule& row) {
            return row.metric == sample.name &&
                   (row.label.empty() || label_in(sample.labels, row.label) == row.is);
        });
        // Those of histograms and summaries have names of their own: only the ending says what they are.
        const auto typed = is_counter_.find(sample.name);
        value.total = typed != is_counter_.end() && typed->second;
        for (const std::string_view ending : {"_total", "_count", "_sum", "_bucket"})
            value.total = value.total || (typed == is_counter_.end() && sample.name.ends_with(ending));
        value.of = {reading_.system, host, ComponentType::host, {}, {}};
        if (rule == std::end(prometheus_rules)) {
            value.quantity = sample.name;
            describe(sample.labels, value.of);
        } else {
            value.quantity = rule->quantity;
            value.scale = rule->scale;
            const std::string name = label_in(sample.labels, rule->name);
            if (rule->type != ComponentType::host) {
                value.of.type = rule->type;
                value.of.name = rule->type == on_processor ? "cpu" + name : name;
            }
            if (const std::string target = label_in(sample.labels, "target"); !target.empty()) {
                const Component lustre = lustre_target(target);
                value.of.system = lustre.system;
                if (rule->type == on_job)
                    value.of.on = lustre.name;
                else
                    value.of = {lustre.system, host, lustre.type, lustre.name, {}};
            }
            const Quantity* const quantity = quantity_named(rule->quantity);
            value.total = quantity->kind == Kind::amount;
        }
        values_.push_back(std::move(value));
    }

    // Of metrics that no row knows: what their labels say.
    static void describe(const Labels& labels, Component& of)
    {
        for (const auto& [name, text] : labels) {
            if (name == "instance" || name == "nodename" || name == "host" || name == "hostname") continue;
            of.name += fmt::format("{}{}={}", of.name.empty() ? "" : ",", name, text);
        }
        if (!of.name.empty()) of.type = ComponentType::other;
    }

    void end_scrape()
    {
        const auto values = std::exchange(values_, {});
        const auto said = std::exchange(time_, {}), scraped = std::exchange(scrape_time_, {});
        if (values.empty()) {
            time_ = said;
            return;
        }
        std::optional<Nanoseconds> time = said ? said : scraped;
        if (!time) {
            // A second one cannot be of the file's time too.
            const bool needs = std::ranges::any_of(values, [](const Value& value) { return !value.time; });
            if (needs && file_time_used_)
                throw LogError(
                    "several scrapes without times: write a line with the time before each (date +%s)");
            file_time_used_ = file_time_used_ || needs;
            time = reading_.file_time;
        }
        for (const Value& value : values) {
            Component of = value.of;
            if (of.host.empty()) of.host = host_.empty() ? reading_.host : host_;
            if (of.type == ComponentType::host) of.name = of.host;
            const Nanoseconds when = value.time.value_or(*time);
            const auto id = builder_.series(of, value.quantity, value.total ? Kind::amount : Kind::level);
            if (value.total)
                builder_.total(id, when, value.value, value.scale);
            else
                builder_.level(id, when, value.value * value.scale);
        }
    }

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    std::map<std::string, bool, std::less<>> is_counter_;  // of metrics whose type is said
    std::string first_family_, host_;
    std::optional<Nanoseconds> time_, scrape_time_;
    bool file_time_used_ = false;
    std::vector<Value> values_;
};

}  // namespace

// A comment of its own kind, or a first line that is a sample with labels or with a number alone.
bool is_prometheus(const std::string&, std::string_view first_bytes)
{
    Lines lines(first_bytes);
    std::string_view line;
    int samples = 0;
    // The last line may be cut.
    for (int tries = 0; tries < 20 && lines.next(line); ++tries) {
        line = trimmed(line);
        if (line.starts_with("# TYPE ") || line.starts_with("# HELP ")) return true;
        const auto sample = prometheus_line(line);
        samples +=
            sample && number_in(sample->value) && sample->name.find('_') != std::string_view::npos ? 1 : 0;
        if (samples >= 2) return true;
    }
    return samples == 1 && !lines.next(line);
}

void read_prometheus(const Reading& reading, Builder& builder)
{
    PrometheusText(reading, builder).read();
}

}  // namespace fathom::series
