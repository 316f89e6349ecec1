// /proc/self/mountstats: totals of NFS mounts, again and again in one file with a line of the time before
// each.
#include <algorithm>
#include <fmt/format.h>

#include "parsers/series/clock.h"
#include "parsers/series/readers.h"
#include "parsers/series/words.h"

namespace fathom::series {
namespace {

struct NfsRule {
    std::string_view operation, quantity;
};
constexpr NfsRule nfs_rules[] = {
    {"READ", "reads"},         {"WRITE", "writes"},       {"OPEN", "opens"},       {"CLOSE", "closes"},
    {"CREATE", "creates"},     {"REMOVE", "unlinks"},     {"MKDIR", "mkdirs"},     {"RMDIR", "rmdirs"},
    {"RENAME", "renames"},     {"LINK", "links"},         {"GETATTR", "getattrs"}, {"SETATTR", "setattrs"},
    {"GETXATTR", "getxattrs"}, {"SETXATTR", "setxattrs"}, {"LOOKUP", "lookups"},   {"READDIR", "readdirs"},
    {"ACCESS", "accesses"},    {"FSSTAT", "statfs"},      {"STATFS", "statfs"},    {"COMMIT", "syncs"},
};

// Of the line "bytes:", in its order; the wire's are what was read from the server.
constexpr std::string_view nfs_bytes[] = {"normal_read", "normal_written", "direct_read", "direct_written",
                                          "bytes_read",  "bytes_written",  "pages_read",  "pages_written"};

class Mountstats {
  public:
    Mountstats(const Reading& reading, Builder& builder)
        : reading_(reading), builder_(builder), clock_(builder), time_(reading.file_time)
    {}

    void read()
    {
        Lines lines(reading_);
        std::string_view line;
        while (lines.next(line)) take(line, lines);
        end_mount();
    }

  private:
    void take(std::string_view line, const Lines& lines)
    {
        if (const auto time = date_line(line, clock_)) {
            end_mount();
            time_ = *time;
            return;
        }
        const auto words = words_of(line, 32);
        if (words.empty()) return;
        if (words[0] == "device") {
            end_mount();
            begin_mount(line, words);
            return;
        }
        if (!mount_) return;
        if (words[0] == "bytes:")
            for (std::size_t at = 0; at < std::size(nfs_bytes) && at + 1 < words.size(); ++at)
                put(nfs_bytes[at], words[at + 1], 1, lines);
        if (words[0] == "per-op") in_operations_ = true;
        // "READ: operations transmissions timeouts sent received queued round_trip execution"
        constexpr std::size_t columns = 8;
        if (!in_operations_ || words.size() < columns + 1 || !words[0].ends_with(':')) return;
        const std::string_view operation = words[0].substr(0, words[0].size() - 1);
        const auto* const rule = std::ranges::find(nfs_rules, operation, &NfsRule::operation);
        put(rule == std::end(nfs_rules) ? operation : rule->quantity, words[1], 1, lines);
        const auto calls = number_in(words[1]), sent = number_in(words[2]),
                   milliseconds = number_in(words[8]);
        if (!calls || !sent || !milliseconds) return;
        again_ += std::max(0.0, *sent - *calls);
        if (operation == "READ")
            put("read_time", words[8], 1e-3, lines);
        else if (operation == "WRITE")
            put("write_time", words[8], 1e-3, lines);
        else
            metadata_milliseconds_ += *milliseconds;
    }

    // "device server:/export mounted on /home with fstype nfs4 statvers=1.1"
    void begin_mount(std::string_view line, const std::vector<std::string_view>& words)
    {
        constexpr std::string_view mounted = " mounted on ", with = " with fstype ";
        const std::size_t on = line.find(mounted), type = line.rfind(with);
        const bool nfs = on != std::string_view::npos && type != std::string_view::npos && type > on &&
                         line.substr(type + with.size()).starts_with("nfs") && words.size() > 2;
        if (!nfs || line.find("statvers") == std::string_view::npos) return;
        const std::string_view place = line.substr(on + mounted.size(), type - on - mounted.size());
        mount_ = builder_.component({reading_.system.empty() ? std::string(words[1]) : reading_.system,
                                     reading_.host,
                                     ComponentType::mount,
                                     std::string(place),
                                     {}});
    }

    void put(std::string_view quantity, std::string_view text, double scale, const Lines& lines)
    {
        const auto whole = whole_in(text);
        if (whole)
            put_number(quantity, static_cast<long double>(*whole), scale);
        else
            builder_.left_out("their totals are no whole numbers", lines.place());
    }

    void put_number(std::string_view quantity, long double value, double scale)
    {
        builder_.total(builder_.series(*mount_, quantity, Kind::amount), time_, value, scale);
    }

    void end_mount()
    {
        if (mount_ && in_operations_) {
            put_number("metadata_time", metadata_milliseconds_, 1e-3);
            put_number("retransmits", again_, 1);
        }
        mount_.reset();
        in_operations_ = false;
        metadata_milliseconds_ = again_ = 0;
    }

    const Reading& reading_;
    Builder& builder_;
    LocalClock clock_;
    Nanoseconds time_;
    std::optional<std::uint32_t> mount_;
    bool in_operations_ = false;
    double metadata_milliseconds_ = 0, again_ = 0;
};

}  // namespace

bool is_mountstats(const std::string&, std::string_view first_bytes)
{
    return first_bytes.find("device ") != std::string_view::npos &&
           first_bytes.find(" mounted on ") != std::string_view::npos &&
           first_bytes.find(" with fstype ") != std::string_view::npos;
}

void read_mountstats(const Reading& reading, Builder& builder)
{
    Mountstats(reading, builder).read();
}

}  // namespace fathom::series
