// Groups files by the stripes that they have.
#include "analyzer/sections/files/stripe_layouts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fathom {
namespace {

using namespace report;

using Stripes = std::tuple<std::uint64_t, std::uint64_t, std::string_view>;  // stripes, their size, pool

struct LayoutSum {
    std::uint64_t files = 0, bytes = 0;
    std::set<std::string_view> servers{};
    bool all_servers = true;  // each file's are all known
};

void add_servers(const Layout& layout, LayoutSum& sum)
{
    std::uint64_t known = 0;
    for (std::string_view rest = layout.servers; !rest.empty(); ++known) {
        const std::size_t length = std::min(rest.find(','), rest.size());
        sum.servers.insert(rest.substr(0, length));
        rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    if (known < layout.stripe_count) sum.all_servers = false;
}

const FileUse* find(const std::vector<FileUse>& files, std::uint64_t id)
{
    const auto found =
        std::lower_bound(files.begin(), files.end(), id,
                         [](const FileUse& use, std::uint64_t file) { return use.file < file; });
    return found == files.end() || found->file != id ? nullptr : &*found;
}

}  // namespace

DataTable stripe_layouts(const Job& job)
{
    std::map<Stripes, LayoutSum> sums;
    for (const Layout& layout : job.log.rows<Layout>()) {
        const FileUse* const use = find(job.files, layout.file);
        if (use == nullptr) continue;
        LayoutSum& sum = sums[{layout.stripe_count, layout.stripe_size, layout.pool}];
        ++sum.files;
        sum.bytes += use->application().bytes();
        add_servers(layout, sum);
    }
    std::vector<std::pair<Stripes, LayoutSum>> sorted(sums.begin(), sums.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
    DataTable table{.id = "stripe_layouts", .title = "Stripes on Lustre"};
    table.columns = {{"stripe_count", "stripes", Measure::count},
                     {"stripe_size", "of", Measure::bytes},
                     {"pool", "pool", Measure::text},
                     {"files", "files", Measure::count},
                     {"bytes", "bytes", Measure::bytes},
                     {"servers", "servers", Measure::count}};
    bool all_known = true;
    for (const auto& [common, sum] : sorted) {
        const auto& [stripes, size, pool] = common;
        table.rows.push_back({count(stripes), bytes(size), text(pool.empty() ? "-" : pool), count(sum.files),
                              bytes(sum.bytes), count(sum.servers.size())});
        all_known = all_known && sum.all_servers;
    }
    table.remark =
        "Stripes: over how many servers (OSTs) each file is spread; servers: over how many all of them are. "
        "As the files were when they were first opened.";
    if (!all_known) table.remark += " Of a file on more than 64 servers the first 64 are known.";
    return table;
}

}  // namespace fathom
