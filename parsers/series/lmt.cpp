// The database of LMT, the Lustre Monitoring Tool: MySQL, or a copy of its tables in SQLite. READ_BYTES,
// WRITE_BYTES and the samples of operations are totals; times are local.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "logformat/log/log.h"
#include "parsers/database/database.h"
#include "parsers/series/clock.h"
#include "parsers/series/lustre.h"
#include "parsers/series/readers.h"

namespace fathom::series {
namespace {

using database::Value;
using database::ValueType;
using LmtRow = std::span<const Value>;

constexpr ValueType lmt_integer = ValueType::integer, lmt_real = ValueType::real, lmt_text = ValueType::text;

std::string lmt_text_in(const Value& value)
{
    const auto* const words = std::get_if<std::string>(&value);
    return words == nullptr ? std::string() : *words;
}

std::int64_t lmt_key_in(const Value& value)
{
    const auto* const key = std::get_if<std::int64_t>(&value);
    return key == nullptr ? -1 : *key;
}

std::optional<double> lmt_real_in(const Value& value)
{
    if (const auto* const number = std::get_if<double>(&value)) return *number;
    if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return {};
}

struct LmtLevel {
    std::string_view column, quantity;
    double factor = 1;
};
constexpr double lmt_kib = 1024;
constexpr LmtLevel lmt_space[] = {
    {"KBYTES_FREE", "bytes_free", lmt_kib},
    {"KBYTES_USED", "bytes_used", lmt_kib},
    {"INODES_FREE", "inodes_free"},
    {"INODES_USED", "inodes_used"},
};

class Lmt {
  public:
    Lmt(const Reading& reading, Builder& builder)
        : reading_(reading), builder_(builder), database_(reading.path, database::Access::read)
    {}

    void read()
    {
        for (const std::string_view table : {"TIMESTAMP_INFO", "OST_DATA", "OST_INFO"})
            if (!has(table))
                throw LogError(fmt::format("a database, but not one of LMT: it has no table {}", table));
        read_times();
        read_systems();
        read_osts();
        if (has("OSS_DATA")) read_servers();
        if (has("MDS_INFO") && has("MDS_DATA")) read_mdts();
        if (has("MDS_INFO") && has("MDS_OPS_DATA") && has("OPERATION_INFO")) read_operations();
    }

  private:
    bool has(std::string_view table)
    {
        const Value name{std::string(table)};
        return database_.one(database_.dialect().tables_named, std::span(&name, 1), lmt_text).index() != 0;
    }

    void each(std::string_view sql, const std::vector<ValueType>& types,
              const std::function<void(LmtRow)>& visit)
    {
        const database::Values range{first_, last_};
        database_.each(sql, sql.find('?') == std::string_view::npos ? std::span<const Value>() : range, types,
                       visit);
    }

    // Times by their key; and which keys are within the window, with one before and one behind it for the
    // totals.
    void read_times()
    {
        LocalClock clock(builder_);
        std::int64_t before = -1;
        bool past = false;
        first_ = std::numeric_limits<std::int64_t>::max();
        last_ = std::numeric_limits<std::int64_t>::min();
        each("select TS_ID, TIMESTAMP from TIMESTAMP_INFO order by TS_ID", {lmt_integer, lmt_text},
             [&](LmtRow row) {
                 const std::int64_t key = lmt_key_in(row[0]);
                 const auto civil = civil_in(lmt_text_in(row[1]));
                 const auto time = civil ? clock.instant(*civil) : std::nullopt;
                 if (!time) {
                     if (!civil)
                         builder_.left_out("their TIMESTAMP is no time", fmt::format("TS_ID {}", key));
                     return;
                 }
                 if (*time < builder_.window().begin) {
                     before = key;
                     times_[key] = *time;
                     return;
                 }
                 // The one after the window ends the last interval within.
                 if (past) return;
                 past = *time > builder_.window().end;
                 times_[key] = *time;
                 if (first_ > last_) first_ = before >= 0 ? before : key;
                 last_ = std::max(last_, key);
             });
    }

    void read_systems()
    {
        if (has("FILESYSTEM_INFO"))
            each("select FILESYSTEM_ID, FILESYSTEM_NAME from FILESYSTEM_INFO", {lmt_integer, lmt_text},
                 [&](LmtRow row) { systems_[lmt_key_in(row[0])] = lmt_text_in(row[1]); });
        only_system_ = systems_.size() == 1 ? systems_.begin()->second : reading_.system;
    }

    Component lmt_target(const std::string& name, const std::string& host) const
    {
        Component component = lustre_target(name);
        if (component.system.empty()) component.system = only_system_;
        component.host = host;
        return component;
    }

    const Nanoseconds* time_of(const Value& key) const
    {
        const auto found = times_.find(lmt_key_in(key));
        return found == times_.end() ? nullptr : &found->second;
    }

    static constexpr std::string_view within = "TS_ID >= ? and TS_ID <= ? order by TS_ID";

    void read_osts()
    {
        std::unordered_map<std::int64_t, std::uint32_t> osts;
        each("select OST_ID, OST_NAME, HOSTNAME from OST_INFO", {lmt_integer, lmt_text, lmt_text},
             [&](LmtRow row) {
                 osts[lmt_key_in(row[0])] =
                     builder_.component(lmt_target(lmt_text_in(row[1]), lmt_text_in(row[2])));
             });
        const auto sql = fmt::format(
            "select OST_ID, TS_ID, READ_BYTES, WRITE_BYTES, KBYTES_FREE, KBYTES_USED, INODES_FREE, "
            "INODES_USED, PCT_CPU from OST_DATA where {}",
            within);
        each(sql,
             {lmt_integer, lmt_integer, lmt_integer, lmt_integer, lmt_real, lmt_real, lmt_real, lmt_real,
              lmt_real},
             [&](LmtRow row) {
                 const auto ost = osts.find(lmt_key_in(row[0]));
                 const Nanoseconds* const time = time_of(row[1]);
                 if (ost == osts.end() || time == nullptr) return say_unknown(row[0], row[1]);
                 put_total(ost->second, "bytes_read", *time, row[2]);
                 put_total(ost->second, "bytes_written", *time, row[3]);
                 put_space(ost->second, *time, row.subspan(4, std::size(lmt_space)));
                 if (const auto share = lmt_real_in(row[8]))
                     builder_.level(builder_.series(ost->second, "PCT_CPU"), *time, *share);
             });
    }

    void read_servers()
    {
        std::unordered_map<std::int64_t, std::uint32_t> servers;
        each("select OSS_ID, FILESYSTEM_ID, HOSTNAME from OSS_INFO", {lmt_integer, lmt_integer, lmt_text},
             [&](LmtRow row) {
                 const auto system = systems_.find(lmt_key_in(row[1]));
                 servers[lmt_key_in(row[0])] =
                     builder_.component({system == systems_.end() ? only_system_ : system->second,
                                         lmt_text_in(row[2]),
                                         ComponentType::host,
                                         lmt_text_in(row[2]),
                                         {}});
             });
        each(fmt::format("select OSS_ID, TS_ID, PCT_CPU, PCT_MEMORY from OSS_DATA where {}", within),
             {lmt_integer, lmt_integer, lmt_real, lmt_real}, [&](LmtRow row) {
                 const auto server = servers.find(lmt_key_in(row[0]));
                 const Nanoseconds* const time = time_of(row[1]);
                 if (server == servers.end() || time == nullptr) return say_unknown(row[0], row[1]);
                 put_share(server->second, "cpu_share", *time, row[2]);
                 put_share(server->second, "memory_share", *time, row[3]);
             });
    }

    void read_mdts()
    {
        std::unordered_map<std::int64_t, std::uint32_t> hosts;
        each("select MDS_ID, MDS_NAME, HOSTNAME from MDS_INFO", {lmt_integer, lmt_text, lmt_text},
             [&](LmtRow row) {
                 const Component mdt = lmt_target(lmt_text_in(row[1]), lmt_text_in(row[2]));
                 mdts_[lmt_key_in(row[0])] = builder_.component(mdt);
                 hosts[lmt_key_in(row[0])] =
                     builder_.component({mdt.system, mdt.host, ComponentType::host, mdt.host, {}});
             });
        each(fmt::format("select MDS_ID, TS_ID, PCT_CPU, KBYTES_FREE, KBYTES_USED, INODES_FREE, INODES_USED "
                         "from MDS_DATA "
                         "where {}",
                         within),
             {lmt_integer, lmt_integer, lmt_real, lmt_real, lmt_real, lmt_real, lmt_real}, [&](LmtRow row) {
                 const auto mdt = mdts_.find(lmt_key_in(row[0]));
                 const Nanoseconds* const time = time_of(row[1]);
                 if (mdt == mdts_.end() || time == nullptr) return say_unknown(row[0], row[1]);
                 put_share(hosts[mdt->first], "cpu_share", *time, row[2]);
                 put_space(mdt->second, *time, row.subspan(3, std::size(lmt_space)));
             });
    }

    void read_operations()
    {
        std::unordered_map<std::int64_t, std::string> names;
        each("select OPERATION_ID, OPERATION_NAME from OPERATION_INFO", {lmt_integer, lmt_text},
             [&](LmtRow row) {
                 const std::string name = lmt_text_in(row[1]);
                 const std::string_view quantity = lustre_quantity(name);
                 names[lmt_key_in(row[0])] = quantity.empty() ? name : std::string(quantity);
             });
        each(fmt::format("select MDS_ID, TS_ID, OPERATION_ID, SAMPLES, SUM from MDS_OPS_DATA where {}",
                         within),
             {lmt_integer, lmt_integer, lmt_integer, lmt_integer, lmt_integer}, [&](LmtRow row) {
                 const auto mdt = mdts_.find(lmt_key_in(row[0]));
                 const auto name = names.find(lmt_key_in(row[2]));
                 const Nanoseconds* const time = time_of(row[1]);
                 if (mdt == mdts_.end() || time == nullptr || name == names.end())
                     return say_unknown(row[0], row[1]);
                 put_total(mdt->second, name->second, *time, row[3]);
                 // Of operations that are counted as requests it is always 0.
                 if (lmt_key_in(row[4]) > 0) put_total(mdt->second, name->second + ".SUM", *time, row[4]);
             });
    }

    void put_total(std::uint32_t component, std::string_view quantity, Nanoseconds time, const Value& value)
    {
        if (const auto* const total = std::get_if<std::int64_t>(&value))
            builder_.total(builder_.series(component, quantity, Kind::amount), time,
                           static_cast<long double>(*total));
    }

    void put_space(std::uint32_t component, Nanoseconds time, LmtRow values)
    {
        for (std::size_t at = 0; at < values.size(); ++at)
            if (const auto number = lmt_real_in(values[at]))
                builder_.level(builder_.series(component, lmt_space[at].quantity), time,
                               *number * lmt_space[at].factor);
    }

    void put_share(std::uint32_t component, std::string_view quantity, Nanoseconds time, const Value& value)
    {
        if (const auto share = lmt_real_in(value))
            builder_.level(builder_.series(component, quantity), time, *share / 100);
    }

    void say_unknown(const Value& what, const Value& time)
    {
        builder_.left_out("no table says of what they are, or when",
                          fmt::format("ID {}, TS_ID {}", lmt_key_in(what), lmt_key_in(time)));
    }

    const Reading& reading_;
    Builder& builder_;
    database::Database database_;
    std::unordered_map<std::int64_t, Nanoseconds> times_;
    std::unordered_map<std::int64_t, std::string> systems_;
    std::unordered_map<std::int64_t, std::uint32_t> mdts_;
    std::string only_system_;
    std::int64_t first_ = 0, last_ = 0;
};

}  // namespace

bool is_lmt(const std::string& path, std::string_view first_bytes)
{
    return first_bytes.starts_with("SQLite format 3") || path.find("://") != std::string::npos;
}

void read_lmt(const Reading& reading, Builder& builder)
{
    try {
        Lmt(reading, builder).read();
    } catch (const database::DatabaseError& error) {
        throw LogError(error.what());
    }
}

}  // namespace fathom::series
