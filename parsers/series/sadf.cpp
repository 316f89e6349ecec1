// `sadf -j FILE -- -A`: what sar has recorded. Rates and means of the interval before each time.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

#include "parsers/series/clock.h"
#include "parsers/series/readers.h"
#include "parsers/series/sysstat.h"

namespace fathom::series {
namespace {

struct SadfRule {
    std::string_view part, name, quantity;
    bool rate = false;  // a second; else a level
    double factor = 1;
};

constexpr double sadf_kib = 1024, sadf_mib = 1024 * 1024, sadf_sector = 512, sadf_percent = 0.01;

constexpr SadfRule sadf_rules[] = {
    {"io-reads", "rtps", "reads", true},
    {"io-reads", "bread", "bytes_read", true, sadf_sector},
    {"io-writes", "wtps", "writes", true},
    {"io-writes", "bwrtn", "bytes_written", true, sadf_sector},
    {"io-discard", "dtps", "discards", true},
    {"io-discard", "bdscd", "bytes_discarded", true, sadf_sector},
    {"memory", "memfree", "memory_free", false, sadf_kib},
    {"memory", "memused", "memory_used", false, sadf_kib},
    {"memory", "avail", "memory_available", false, sadf_kib},
    {"memory", "cached", "memory_cached", false, sadf_kib},
    {"memory", "dirty", "memory_dirty", false, sadf_kib},
    {"net-dev", "rxkB", "bytes_received", true, sadf_kib},
    {"net-dev", "txkB", "bytes_sent", true, sadf_kib},
    {"net-dev", "rxpck", "packets_received", true},
    {"net-dev", "txpck", "packets_sent", true},
    {"net-edev", "rxerr", "receive_errors", true},
    {"net-edev", "txerr", "send_errors", true},
    {"net-nfs", "read", "reads", true},
    {"net-nfs", "write", "writes", true},
    {"net-nfs", "access", "accesses", true},
    {"net-nfs", "getatt", "getattrs", true},
    {"net-nfs", "retrans", "retransmits", true},
    {"net-nfsd", "sread", "reads", true},
    {"net-nfsd", "swrite", "writes", true},
    {"net-nfsd", "saccess", "accesses", true},
    {"net-nfsd", "sgetatt", "getattrs", true},
    {"net-etcp", "retrans", "retransmits", true},
    {"psi-cpu", "some_avg", "cpu_pressure", true, sadf_percent},
    {"psi-io", "some_avg", "io_pressure", true, sadf_percent},
    {"psi-mem", "some_avg", "memory_pressure", true, sadf_percent},
    {"filesystems", "MBfsfree", "bytes_free", false, sadf_mib},
    {"filesystems", "MBfsused", "bytes_used", false, sadf_mib},
    {"filesystems", "Ifree", "inodes_free"},
    {"filesystems", "Iused", "inodes_used"},
};

// The members that say which device, interface and so on an object of a list is of, and what that is.
struct SadfSubject {
    std::string_view part, member;
    ComponentType type;
};
constexpr SadfSubject sadf_subjects[] = {
    {"disk", "disk-device", ComponentType::device},
    {"net-dev", "iface", ComponentType::interface},
    {"net-edev", "iface", ComponentType::interface},
    {"filesystems", "filesystem", ComponentType::file_system},
};

class Sadf {
  public:
    Sadf(const Reading& reading, Builder& builder) : reading_(reading), builder_(builder), clock_(builder) {}

    void read()
    {
        each_statistic(reading_, builder_, [&](const nlohmann::json& host, const nlohmann::json& statistic) {
            take(host, statistic);
        });
    }

  private:
    void take(const nlohmann::json& host, const nlohmann::json& statistic)
    {
        const nlohmann::json& stamp = part_of(statistic, "timestamp");
        auto civil = civil_in(text_of(stamp, "date") + " " + text_of(stamp, "time"));
        const auto length = from_seconds_or_zero(number_of(stamp, "interval"));
        if (!civil || length <= 0) {
            builder_.left_out("their statistics have no time or no interval", text_of(stamp, "time"));
            return;
        }
        if (number_of(stamp, "utc") == 1) civil->offset = 0;
        const auto time = clock_.instant(*civil);
        if (!time) return;
        // Stamps are whole seconds, and so is the interval: the one before is nearer to the truth.
        when_ = {*time - length, *time};
        if (before_ && std::abs(*time - *before_ - length) <= one_second) when_.begin = *before_;
        before_ = time;
        host_ = text_of(host, "nodename").empty() ? reading_.host : text_of(host, "nodename");
        processors_ = number_of(host, "number-of-cpus");
        for (const auto& [part, value] : statistic.items())
            if (part != "timestamp")
                walk(part, value, {reading_.system, host_, ComponentType::host, host_, {}}, 0);
    }

    static Nanoseconds from_seconds_or_zero(double seconds)
    {
        constexpr double longest = 1e8;
        return seconds > 0 && seconds < longest ? static_cast<Nanoseconds>(seconds * 1e9) : 0;
    }

    void walk(const std::string& part, const nlohmann::json& value, const Component& of, int depth)
    {
        constexpr int deepest = 6;
        if (depth > deepest) return;
        if (value.is_array()) {
            for (const nlohmann::json& one : value) walk_one(part, one, depth);
            return;
        }
        if (!value.is_object()) return;
        Component component = of;
        if (part == "net-nfs") component = {reading_.system, host_, ComponentType::mount, "NFS", {}};
        if (part == "net-nfsd") component = {reading_.system, host_, ComponentType::other, "nfsd", {}};
        add(part, numbers_of(value), component);
        for (const auto& [name, inner] : value.items())
            if (inner.is_structured()) walk(name, inner, of, depth + 1);
    }

    // One of a list: of a device, a processor, or what else its first text says.
    void walk_one(const std::string& part, const nlohmann::json& one, int depth)
    {
        if (!one.is_object()) return;
        if (part == "cpu-load") {
            const std::string cpu = text_of(one, "cpu");
            const bool all = cpu == "all";
            add_processors(builder_,
                           {reading_.system,
                            host_,
                            all ? ComponentType::host : ComponentType::processor,
                            all ? host_ : "cpu" + cpu,
                            {}},
                           all ? processors_ : 1, numbers_of(one), when_);
            return;
        }
        const auto* const subject = std::ranges::find(sadf_subjects, part, &SadfSubject::part);
        std::string name, member;
        for (const auto& [key, value] : one.items())
            if (subject == std::end(sadf_subjects) ? value.is_string() : key == subject->member) {
                name = text_of(one, key);
                member = key;
            }
        const bool known = subject != std::end(sadf_subjects);
        const Component component{reading_.system,
                                  host_,
                                  known ? subject->type : ComponentType::other,
                                  known || name.empty() ? name : part + " " + name,
                                  {}};
        std::vector<NamedValue> numbers = numbers_of(one);
        std::erase_if(numbers, [&](const NamedValue& number) { return number.name == member; });
        if (part == "disk")
            add_disk(builder_, component, numbers, when_);
        else
            add(part, numbers, component);
        for (const auto& [key, inner] : one.items())
            if (inner.is_structured()) walk(key, inner, component, depth + 1);
    }

    void add(const std::string& part, const std::vector<NamedValue>& numbers, const Component& of)
    {
        if (numbers.empty()) return;
        const std::uint32_t component = builder_.component(of);
        for (const NamedValue& number : numbers) {
            const auto* const rule = std::ranges::find_if(
                sadf_rules, [&](const SadfRule& row) { return row.part == part && row.name == number.name; });
            if (rule == std::end(sadf_rules))
                builder_.level(builder_.series(component, fmt::format("{}.{}", part, number.name)),
                               when_.begin, when_.end, number.value);
            else if (rule->rate)
                builder_.amount(builder_.series(component, rule->quantity), when_.begin, when_.end,
                                number.value * rule->factor * when_.seconds());
            else
                builder_.level(builder_.series(component, rule->quantity), when_.end,
                               number.value * rule->factor);
        }
    }

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    std::optional<Nanoseconds> before_;
    Interval when_;
    std::string host_;
    double processors_ = 0;
};

}  // namespace

bool is_sadf(const std::string&, std::string_view first_bytes)
{
    return first_bytes.find("\"sysstat\"") != std::string_view::npos &&
           first_bytes.find("\"file-date\"") != std::string_view::npos;
}

void read_sadf(const Reading& reading, Builder& builder)
{
    Sadf(reading, builder).read();
}

}  // namespace fathom::series
