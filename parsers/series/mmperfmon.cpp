// `mmperfmon query` of GPFS: a legend, then tables whose columns go on through it. An amount is that of the
// bucket that ends at the row's time.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "logformat/log/log.h"
#include "parsers/series/clock.h"
#include "parsers/series/readers.h"
#include "parsers/series/words.h"

namespace fathom::series {
namespace {

struct GpfsRule {
    std::string_view metric, quantity;
    double factor = 1;
};
constexpr GpfsRule gpfs_rules[] = {
    {"gpfs_nsdds_bytes_read", "bytes_read"},
    {"gpfs_nsdds_bytes_written", "bytes_written"},
    {"gpfs_nsdds_read_ops", "reads"},
    {"gpfs_nsdds_write_ops", "writes"},
    {"gpfs_fs_bytes_read", "bytes_read"},
    {"gpfs_fs_bytes_written", "bytes_written"},
    {"gpfs_fs_read_ops", "reads"},
    {"gpfs_fs_write_ops", "writes"},
    {"gpfs_fis_bytes_read", "bytes_read"},
    {"gpfs_fis_bytes_written", "bytes_written"},
    {"gpfs_fis_read_calls", "reads"},
    {"gpfs_fis_write_calls", "writes"},
    {"gpfs_fis_open_calls", "opens"},
    {"gpfs_fis_close_calls", "closes"},
    {"gpfs_fis_readdir_calls", "readdirs"},
    {"net_r", "bytes_received"},
    {"net_s", "bytes_sent"},
    {"netdev_bytes_r", "bytes_received"},
    {"netdev_bytes_s", "bytes_sent"},
    {"netdev_packets_r", "packets_received"},
    {"netdev_packets_s", "packets_sent"},
    {"cpu_user", "cpu_user_share", 0.01},
    {"cpu_sys", "cpu_system_share", 0.01},
    {"cpu_system", "cpu_system_share", 0.01},
    {"cpu_iowait", "cpu_wait_share", 0.01},
    {"mem_total", "memory_total"},
    {"mem_memtotal", "memory_total"},
    {"mem_free", "memory_free"},
    {"mem_memfree", "memory_free"},
    {"mem_cached", "memory_cached"},
    {"mem_dirty", "memory_dirty"},
};

struct GpfsUnit {
    std::string_view name;
    double factor;
};
constexpr GpfsUnit gpfs_units[] = {{"B", 1},          {"kB", 1024.0},       {"KB", 1024.0},
                                   {"MB", 1048576.0}, {"GB", 1073741824.0}, {"TB", 1099511627776.0}};

ComponentType gpfs_type(std::string_view sensor)
{
    if (sensor == "GPFSNSDDisk" || sensor == "GPFSDisk" || sensor == "DiskFree" || sensor == "Diskstat")
        return ComponentType::device;
    if (sensor == "GPFSFilesystem" || sensor == "GPFSFilesystemAPI") return ComponentType::file_system;
    if (sensor == "Network" || sensor == "Netstat") return ComponentType::interface;
    return ComponentType::other;
}

class Mmperfmon {
  public:
    Mmperfmon(const Reading& reading, Builder& builder)
        : reading_(reading), builder_(builder), clock_(builder)
    {}

    void read()
    {
        Lines lines(reading_);
        std::string_view line;
        while (lines.next(line)) take(line, lines);
        end_page();
    }

  private:
    struct Row {
        Nanoseconds time = 0;
        std::vector<std::optional<double>> values;
    };

    void take(std::string_view line, const Lines& lines)
    {
        const auto words = words_of(line);
        if (words.empty()) return;
        if (words[0] == "Legend:") {
            end_page();
            legend_.clear();
            next_ = 0;
            return;
        }
        if (words.size() >= 2 && words[0].ends_with(':') && words[1].find('|') != std::string_view::npos) {
            legend_.push_back(series_of(words[1]));
            return;
        }
        if (words[0] == "Row") {
            end_page();
            first_ = next_;
            next_ += words.size() - 2;
            in_page_ = words.size() > 2 && words[1] == "Timestamp";
            return;
        }
        if (!in_page_ || !whole_in(words[0])) return;
        take_row(words, lines);
    }

    void take_row(const std::vector<std::string_view>& words, const Lines& lines)
    {
        const auto civil = words.size() > 1 ? civil_in(words[1]) : std::nullopt;
        const auto time = civil ? clock_.instant(*civil) : std::nullopt;
        if (!time) {
            if (!civil) builder_.left_out("their row has no time", lines.place());
            return;
        }
        Row row{*time, {}};
        for (std::size_t at = 2; at < words.size(); ++at) {
            auto number = words[at] == "null" ? std::nullopt : number_in(words[at]);
            if (!number && words[at] != "null")
                builder_.left_out("their values are no numbers", lines.place());
            if (at + 1 < words.size()) {
                const auto* const unit = std::ranges::find(gpfs_units, words[at + 1], &GpfsUnit::name);
                if (unit != std::end(gpfs_units)) {
                    ++at;
                    if (number) *number *= unit->factor;
                }
            }
            row.values.push_back(number);
        }
        if (row.values.size() != next_ - first_) {
            builder_.left_out("their row has more or fewer columns than the heading", lines.place());
            return;
        }
        rows_.push_back(std::move(row));
    }

    struct Column {
        Builder::Id id = 0;
        bool amount = false;
        double factor = 1;
    };

    // "ngfsv468|GPFSNSDDisk|ddn59dt00|gpfs_nsdds_bytes_read", with a cluster before a file system's name
    Column series_of(std::string_view key)
    {
        std::vector<std::string_view> parts;
        while (true) {
            const std::size_t bar = key.find('|');
            parts.push_back(key.substr(0, bar));
            if (bar == std::string_view::npos || parts.size() > 8) break;
            key.remove_prefix(bar + 1);
        }
        const std::string_view metric = parts.back(),
                               sensor = parts.size() > 2 ? parts[1] : std::string_view();
        Component component{
            reading_.system, std::string(parts[0]), ComponentType::host, std::string(parts[0]), {}};
        if (parts.size() > 3) {
            component.type = gpfs_type(sensor);
            component.name = parts[parts.size() - 2];
            if (parts.size() > 4) component.system = parts[2];
        }
        const auto* const rule = std::ranges::find(gpfs_rules, metric, &GpfsRule::metric);
        const bool known = rule != std::end(gpfs_rules);
        Column column;
        column.id = builder_.series(component, known ? rule->quantity : metric);
        column.factor = known ? rule->factor : 1;
        const Quantity* const quantity = known ? quantity_named(rule->quantity) : nullptr;
        column.amount = quantity != nullptr && quantity->kind == Kind::amount;
        return column;
    }

    void end_page()
    {
        const auto rows = std::exchange(rows_, {});
        in_page_ = false;
        clock_.begin();
        std::vector<Nanoseconds> times;
        for (const Row& row : rows) times.push_back(row.time);
        const Nanoseconds step = usual_step(times);
        if (step == 0 && !rows.empty()) {
            builder_.left_out("a table of one row does not say how long its interval is", utc_text(times[0]),
                              rows.size());
            return;
        }
        if (next_ > legend_.size() && !rows.empty()) {
            builder_.left_out("the legend has fewer columns than the table", utc_text(times[0]), rows.size());
            return;
        }
        for (const Row& row : rows)
            for (std::size_t at = 0; at < row.values.size(); ++at) {
                if (!row.values[at]) continue;
                const Column& column = legend_[first_ + at];
                const double value = *row.values[at] * column.factor;
                if (column.amount)
                    builder_.amount(column.id, row.time - step, row.time, value);
                else
                    builder_.level(column.id, row.time - step, row.time, value);
            }
    }

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    std::vector<Column> legend_;
    std::size_t first_ = 0, next_ = 0;  // of the legend: the columns of this table
    bool in_page_ = false;
    std::vector<Row> rows_;
};

}  // namespace

bool is_mmperfmon(const std::string&, std::string_view first_bytes)
{
    return trimmed(first_bytes).starts_with("Legend:") && first_bytes.find('|') != std::string_view::npos;
}

void read_mmperfmon(const Reading& reading, Builder& builder)
{
    Mmperfmon(reading, builder).read();
}

}  // namespace fathom::series
