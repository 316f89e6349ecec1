// Every traced operation of a Darshan log, as its own tool prints them.
#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>

#include "analyzer/dump/darshan_lines.h"
#include "analyzer/dump/darshan_text.h"

namespace fathom {
namespace {

using darshan::Module;

// Where a file's stripes are, for the servers that an operation went to.
class Stripes {
  public:
    explicit Stripes(const darshan::File& file, std::vector<std::string>& problems)
    {
        auto problem = file.each_lustre([&](const darshan::LustreRecord& record) {
            Layout layout;
            std::size_t ost = 0;
            for (const darshan::LustreComponent& component : record.components) {
                Component one{component, {}};
                one.lustre.pool = {};
                for (std::int64_t at = 0; at < component.stripe_count && ost < record.osts.size(); ++at)
                    one.osts.push_back(record.osts[ost++]);
                layout.push_back(std::move(one));
            }
            files_.emplace(record.id, std::move(layout));
            return true;
        });
        if (!problem.empty()) problems.push_back(std::move(problem));
    }
    struct Component {
        darshan::LustreComponent lustre;
        std::vector<std::int64_t> osts;
    };
    using Layout = std::vector<Component>;
    const Layout* of(std::uint64_t id) const
    {
        const auto found = files_.find(id);
        return found == files_.end() ? nullptr : &found->second;
    }

  private:
    std::unordered_map<std::uint64_t, Layout> files_;
};

void add_layout(const Stripes::Layout& layout, DarshanLines& out)
{
    out.line("# DXT, Lustre stripe components:");
    for (std::size_t at = 0; at < layout.size(); ++at) {
        const auto& [lustre, osts] = layout[at];
        std::string servers;
        for (const std::int64_t ost : osts) servers += fmt::format("{}{}", servers.empty() ? "" : " ", ost);
        const std::string end = lustre.extent_end == -1 ? "EOF" : fmt::to_string(lustre.extent_end);
        out.line("#\t[Component {}] stripe_ext: {} - {}, stripe_size: {}, stripe_count: {}, OSTs: {}", at + 1,
                 lustre.extent_start, end, lustre.stripe_size, lustre.stripe_count, servers);
    }
}

// The servers of the stripes that an operation touched, in the order of its bytes; each once.
void add_servers(const Stripes::Layout& layout, const darshan::DxtSegment& segment, DarshanLines& out)
{
    for (const auto& [lustre, osts] : layout) {
        if (lustre.stripe_size <= 0 || osts.empty() || segment.offset < lustre.extent_start ||
            (lustre.extent_end != -1 && segment.offset >= lustre.extent_end))
            continue;
        // A damaged log may claim any length.
        const std::int64_t most = std::numeric_limits<std::int64_t>::max() - segment.offset;
        const std::int64_t last = segment.offset + std::clamp<std::int64_t>(segment.length - 1, 0, most);
        const auto first_stripe = static_cast<std::uint64_t>(segment.offset / lustre.stripe_size);
        const auto stripes = static_cast<std::uint64_t>(last / lustre.stripe_size) - first_stripe + 1;
        for (std::uint64_t at = 0; at < std::min<std::uint64_t>(stripes, osts.size()); ++at) {
            out.add(at == 0 ? "   [" : " [");
            out.number(osts[(first_stripe + at) % osts.size()]);
            out.add("]");
        }
        return;
    }
}

// What was printed to `text`, right-aligned in so many columns; more where it is wider.
char* align(char* to, const char* text, std::size_t size, std::size_t width)
{
    const std::size_t blanks = size < width ? width - size : 0;
    std::memset(to, ' ', blanks);
    std::memcpy(to + blanks, text, size);
    return to + blanks + size;
}

constexpr std::size_t longest_real = 400, longest_whole = 24;

// As printf's %*ld.
template <std::size_t width>
char* column(char* to, std::int64_t value)
{
    static_assert(width < 18);
    constexpr std::int64_t below = [] {
        std::int64_t power = 1;
        for (std::size_t digit = 1; digit < width; ++digit) power *= 10;
        return power;
    }();
    if (value >= 0 && value < below) {  // a blank at least is left before it
        std::memset(to, ' ', width);
        digits_before(to + width, static_cast<std::uint64_t>(value));
        return to + width;
    }
    char digits[longest_whole];
    return align(to, digits,
                 static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits),
                 width);
}

// As printf's %*.4f.
template <std::size_t width>
char* column(char* to, double value)
{
    constexpr double below = 1e6;
    static_assert(width > 11);
    if (value < below) {
        std::memset(to, ' ', width);
        if (real_before(to + width, value, 4) != nullptr) return to + width;
    }
    char digits[longest_real];
    return align(to, digits, print_real(digits, value, 4), width);
}

// How many threads the operations of each record are of, for those of so many operations that they were not
// counted before. A log of a version that does not have threads says 1, as Darshan's tool does.
std::vector<std::size_t> threads_of(const darshan::File& file, Module module)
{
    std::vector<std::size_t> numbers;
    std::unordered_set<std::uint64_t> threads;
    bool told = false;
    const auto end_record = [&] {
        if (told) numbers.push_back(std::max<std::size_t>(threads.size(), 1));
        threads.clear();
    };
    const auto begin = [&](const darshan::DxtRecord& record) {
        if (!record.has_threads) return false;
        end_record();
        return told = true;
    };
    // What cannot be read is reported when the operations are printed.
    static_cast<void>(file.each_dxt(module, begin, [&](const darshan::DxtSegment& segment) {
        threads.insert(segment.thread);
        return true;
    }));
    end_record();
    return numbers;
}

// The end of a line; most operations are of the thread of the one before.
class ThreadText {
  public:
    std::string_view of(std::uint64_t thread)
    {
        if (text_.empty() || thread != last_) text_ = fmt::format("   {}\n", last_ = thread);
        return text_;
    }

  private:
    std::uint64_t last_ = 0;
    std::string text_;
};

void add_module(const darshan::File& file, Module module, const DarshanMounts& mounts, const Stripes& stripes,
                DarshanLines& out, std::vector<std::string>& problems)
{
    const bool posix = module == Module::dxt_posix;
    const darshan::ModuleRegion* const region = file.find(module);
    const bool tells_threads = region->version > (posix ? 1u : 2u);
    std::optional<std::vector<std::size_t>> threads;
    const auto count_threads = [&](const darshan::DxtRecord& record, std::size_t at) {
        if (!tells_threads || (record.writes == 0 && record.reads == 0)) return std::size_t{1};
        if (record.threads > 0) return record.threads;
        if (!threads) threads = threads_of(file, module);
        return at < threads->size() ? (*threads)[at] : 1;
    };
    std::size_t records = 0;
    std::int64_t number = 0;
    bool was_write = true, has_threads = false;
    const Stripes::Layout* layout = nullptr;
    std::string head;  // of each line of a record
    ThreadText thread;
    auto problem = file.each_dxt(
        module,
        [&](const darshan::DxtRecord& record) {
            const std::string_view name = file.name_of(record.id);
            const darshan::MountEntry* const mount = mounts.of(name);
            number = 0;
            was_write = record.writes > 0;
            has_threads = record.has_threads;
            layout = posix ? stripes.of(record.id) : nullptr;
            char rank[longest_whole + 8];
            head.assign(posix ? " X_POSIX" : " X_MPIIO").append(rank, column<8>(rank, record.rank));
            out.all("\n# DXT, file_id: ", record.id, ", file_name: ", name, "\n# DXT, rank: ", record.rank,
                    ", hostname: ", record.host,
                    "\n# DXT, number of threads: ", count_threads(record, records++),
                    "\n# DXT, write_count: ", record.writes, ", read_count: ", record.reads,
                    "\n# DXT, mnt_pt: ", mount ? std::string_view(mount->path) : "UNKNOWN",
                    ", fs_type: ", mount ? std::string_view(mount->type) : "UNKNOWN", "\n");
            if (layout != nullptr) add_layout(*layout, out);
            out.all(
                "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)   ",
                layout != nullptr ? "[OST]   " : "", "Pthread-ID\n");
            return out.open();
        },
        [&](const darshan::DxtSegment& segment) {
            if (was_write && !segment.write) number = 0;
            was_write = segment.write;
            char* to = out.room(head.size() + 7 + 3 * longest_whole + 2 * longest_real);
            to = std::copy(head.begin(), head.end(), to);
            to = std::copy_n(segment.write ? "  write" : "   read", 7, to);
            to = column<9>(to, number++);
            to = column<16>(to, segment.offset);
            to = column<16>(to, segment.length);
            to = column<12>(to, segment.start);
            out.end_at(column<12>(to, segment.end));
            if (layout != nullptr) add_servers(*layout, segment, out);
            out.add(has_threads ? thread.of(segment.thread) : "   N/A\n");
            return out.open();
        });
    if (!problem.empty()) problems.push_back(std::move(problem));
}

}  // namespace

std::vector<std::string> dump_darshan_dxt_text(const darshan::File& file, const Sink& sink)
{
    std::vector<std::string> problems = file.problems();
    DarshanLines out(sink);
    const DarshanMounts mounts(file.job());
    const Stripes stripes(file, problems);
    add_darshan_head(file, mounts, out);
    for (const Module module : {Module::dxt_posix, Module::dxt_mpiio}) {
        const darshan::ModuleRegion* const region = file.find(module);
        if (region == nullptr || !out.open()) continue;
        out.line("\n# ***************************************************");
        out.line("# {} module data", name_of(module));
        out.line("# ***************************************************");
        if (region->partial) add_darshan_incomplete(name_of(module), out);
        add_module(file, module, mounts, stripes, out, problems);
    }
    return problems;
}

}  // namespace fathom
