// JSON of collectd: arrays that its plugins write_http and log write, one behind the other, and documents of
// Elasticsearch ({"_source": {"plugin": …}}). A value at a time, so that the size of the file does not
// matter.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "parsers/series/clock.h"
#include "parsers/series/collectd.h"
#include "parsers/series/readers.h"
#include "parsers/series/sysstat.h"
#include "parsers/series/words.h"

namespace fathom::series {
namespace {

// Deeper than anything that holds collectd's records.
constexpr int deepest_record = 12;

// The first whole JSON value, by its brackets; all that is left where they do not close.
std::string_view take_document(std::string_view& rest)
{
    int depth = 0;
    bool quoted = false;
    std::size_t at = 0;
    for (; at < rest.size(); ++at) {
        const char letter = rest[at];
        if (quoted) {
            if (letter == '\\') ++at;
            if (letter == '"') quoted = false;
            continue;
        }
        if (letter == '"') quoted = true;
        if (letter == '{' || letter == '[') ++depth;
        if ((letter == '}' || letter == ']') && --depth <= 0) break;
    }
    const std::size_t length = std::min(at + 1, rest.size());
    const std::string_view document = rest.substr(0, length);
    rest.remove_prefix(length);
    // Logs may have commas or text between them.
    rest.remove_prefix(std::min(rest.find_first_of("[{"), rest.size()));
    return document;
}

class CollectdJson {
  public:
    CollectdJson(const Reading& reading, Builder& builder)
        : reading_(reading), builder_(builder), clock_(builder)
    {}

    void read()
    {
        using nlohmann::json;
        const auto filter = [&](int depth, json::parse_event_t event, json& parsed) {
            if (depth > deepest_record) return false;
            if (event != json::parse_event_t::object_end || !parsed.is_object()) return true;
            if (!parsed.contains("plugin") || !(parsed.contains("values") || parsed.contains("@timestamp")))
                return true;
            take(parsed);
            return false;
        };
        std::string_view rest = reading_.text;
        while (!rest.empty()) {
            const std::string_view document = take_document(rest);
            tell_progress(reading_.tick, reading_.text.size() - rest.size(), reading_.text.size());
            try {
                const json done = json::parse(document.begin(), document.end(), filter);
            } catch (const json::exception& error) {
                builder_.problem(fmt::format(
                    "no JSON in a document from byte {} on ({}); what stands before that place is in",
                    document.data() - reading_.text.data(), shown(error.what())));
            }
        }
        put_collectd(records_, reading_, builder_);
    }

  private:
    void take(const nlohmann::json& record)
    {
        const bool stored = record.contains("values");
        CollectdName name;
        name.host = text_of(record, stored ? "host" : "hostname");
        if (name.host.empty()) name.host = text_of(record, "host");
        name.plugin = text_of(record, "plugin");
        name.plugin_instance = text_of(record, "plugin_instance");
        name.type = text_of(record, stored ? "type" : "collectd_type");
        name.type_instance = text_of(record, "type_instance");
        std::optional<Nanoseconds> time;
        if (stored)
            time = from_seconds(number_of(record, "time"));
        else if (const auto civil = civil_in(text_of(record, "@timestamp")))
            time = clock_.instant(*civil);
        if (!time || *time == 0) {
            builder_.left_out("they have no time", text_of(record, stored ? "time" : "@timestamp"));
            return;
        }
        if (!stored) {
            for (const auto& [key, value] : record.items())
                if (value.is_number()) put(name, key, *time, value, 0, {});
            return;
        }
        const nlohmann::json &values = part_of(record, "values"), &names = part_of(record, "dsnames"),
                             &types = part_of(record, "dstypes");
        const double interval = number_of(record, "interval");
        for (std::size_t at = 0; values.is_array() && at < values.size(); ++at) {
            const auto word = [&](const nlohmann::json& list, const char* otherwise) {
                return list.is_array() && at < list.size() && list[at].is_string()
                           ? list[at].get<std::string>()
                           : std::string(otherwise);
            };
            if (values[at].is_number())
                put(name, word(names, "value"), *time, values[at], from_seconds(interval).value_or(0),
                    word(types, ""));
            else
                builder_.left_out("their values are no numbers", utc_text(*time));
        }
    }

    void put(CollectdName name, const std::string& value_name, Nanoseconds time, const nlohmann::json& value,
             Nanoseconds interval, std::string_view type)
    {
        name.value = value_name;
        CollectdValues& values = records_[name];
        values.points.push_back({time, value.get<double>()});
        values.fractions = values.fractions || value.is_number_float();
        values.interval = interval;
        values.counter = type == "counter";
        values.gauge = type == "gauge";
    }

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    CollectdRecords records_;
};

}  // namespace

bool is_collectd_json(const std::string&, std::string_view first_bytes)
{
    const auto has = [&](std::string_view words) {
        return first_bytes.find(words) != std::string_view::npos;
    };
    const std::string_view begin = trimmed(first_bytes);
    return !begin.empty() && (begin[0] == '[' || begin[0] == '{') && has("\"plugin\"") &&
           (has("\"dsnames\"") || has("\"collectd_type\""));
}

void read_collectd_json(const Reading& reading, Builder& builder)
{
    CollectdJson(reading, builder).read();
}

}  // namespace fathom::series
