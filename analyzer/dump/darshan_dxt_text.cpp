// Every traced operation of a Darshan log, as its own tool prints them.
#include <algorithm>
#include <limits>
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

// Right-aligned in so many columns.
template <class Value>
void column(DarshanLines& out, Value value, std::size_t width)
{
    char digits[400];
    std::size_t size = 0;
    if constexpr (std::is_floating_point_v<Value>)
        size = print_real(digits, value, 4);
    else
        size = static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
    constexpr std::string_view blanks = "                                ";
    if (size < width) out.add(blanks.substr(0, width - size));
    out.add({digits, size});
}

// How many threads the operations of each record are of. A log of a version that does not have them says 1,
// as Darshan's tool does.
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

void add_module(const darshan::File& file, Module module, const DarshanMounts& mounts, const Stripes& stripes,
                DarshanLines& out, std::vector<std::string>& problems)
{
    const bool posix = module == Module::dxt_posix;
    const darshan::ModuleRegion* const region = file.find(module);
    const bool tells_threads = region->version > (posix ? 1u : 2u);
    const std::vector<std::size_t> threads =
        tells_threads ? threads_of(file, module) : std::vector<std::size_t>();
    std::size_t records = 0;
    std::uint64_t number = 0;
    std::int64_t rank = 0;
    bool was_write = true, has_threads = false;
    const Stripes::Layout* layout = nullptr;
    auto problem = file.each_dxt(
        module,
        [&](const darshan::DxtRecord& record) {
            const std::string_view name = file.name_of(record.id);
            const darshan::MountEntry* const mount = mounts.of(name);
            number = 0;
            was_write = record.writes > 0;
            rank = record.rank;
            has_threads = record.has_threads;
            layout = posix ? stripes.of(record.id) : nullptr;
            out.line("\n# DXT, file_id: {}, file_name: {}", record.id, name);
            out.line("# DXT, rank: {}, hostname: {}", record.rank, record.host);
            out.line("# DXT, number of threads: {}", records < threads.size() ? threads[records] : 1);
            ++records;
            out.line("# DXT, write_count: {}, read_count: {}", record.writes, record.reads);
            out.line("# DXT, mnt_pt: {}, fs_type: {}", mount ? mount->path : "UNKNOWN",
                     mount ? mount->type : "UNKNOWN");
            if (layout != nullptr) add_layout(*layout, out);
            out.line(
                "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)   "
                "{}Pthread-ID",
                layout != nullptr ? "[OST]   " : "");
            return out.open();
        },
        [&](const darshan::DxtSegment& segment) {
            if (was_write && !segment.write) number = 0;
            was_write = segment.write;
            out.add(posix ? " X_POSIX" : " X_MPIIO");
            column(out, rank, 8);
            out.add(segment.write ? "  write" : "   read");
            column(out, number++, 9);
            column(out, segment.offset, 16);
            column(out, segment.length, 16);
            column(out, segment.start, 12);
            column(out, segment.end, 12);
            if (layout != nullptr) add_servers(*layout, segment, out);
            out.add("   ");
            if (has_threads)
                out.number(segment.thread);
            else
                out.add("N/A");
            out.add("\n");
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
