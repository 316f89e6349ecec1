// Large files on one server of many, and servers with unequal shares of the bytes: by the layouts that Lustre
// gives.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/servers.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t large_file = 1 << 30;
constexpr double clearly_uneven_servers = 1.5;
constexpr std::uint64_t most_stripes = 16;

struct Striped {
    const FileCase* narrow = nullptr;  // the largest file on fewer servers than ranks use it
    std::uint64_t stripes = 1, files = 0, bytes = 0;
    LostTime narrow_time, all_time;
    std::map<std::uint64_t, double> bytes_of_server;  // by number
};

// A part of the time in reads and writes. Beneath collective calls all wait for the rank with most.
void add_transfers(LostTime& time, const FileCase& file, double part)
{
    const FileView& view = file.use->system;
    for (const Direction direction : directions) {
        const auto all = static_cast<double>(direction == Direction::read ? view.read_time : view.write_time);
        if (file.use->by_mpiio && file.is_collective(direction))
            time.add_to_all(part * Scene::longest(view, direction));
        else
            time.add_by_time(file.records, part * all);
    }
}

Striped striped_in(const Scene& scene)
{
    std::unordered_map<std::uint64_t, const Layout*> layouts;
    for (const Layout& layout : scene.job.log.rows<Layout>()) layouts.emplace(layout.file, &layout);
    Striped sum{.narrow_time = LostTime(scene.job), .all_time = LostTime(scene.job), .bytes_of_server = {}};
    for (const FileCase& file : scene.files) {
        const auto found = layouts.find(file.use->file);
        if (found == layouts.end()) continue;
        const Layout& layout = *found->second;
        const FileView& view = file.use->system;
        const auto bytes = static_cast<double>(view.bytes());
        add_transfers(sum.all_time, file, 1);
        const auto servers = numbers_of_servers(layout);
        for (const std::uint64_t server : servers)
            sum.bytes_of_server[server] += bytes / static_cast<double>(servers.size());
        const std::uint64_t stripes = std::max<std::uint64_t>(layout.stripe_count, 1),
                            wanted = std::min(view.movers().count, most_stripes);
        if (view.bytes() < large_file || stripes >= wanted) continue;
        ++sum.files;
        sum.bytes += view.bytes();
        add_transfers(sum.narrow_time, file, 1 - static_cast<double>(stripes) / static_cast<double>(wanted));
        if (sum.narrow != nullptr && sum.narrow->use->system.bytes() >= view.bytes()) continue;
        sum.narrow = &file;
        sum.stripes = stripes;
    }
    return sum;
}

Finding narrow_files(const Scene& scene, const Striped& sum)
{
    const FileUse& use = *sum.narrow->use;
    const std::uint64_t wanted = std::min(use.system.movers().count, most_stripes);
    Finding finding;
    finding.title = fmt::format("{} that {} share {} on {}", sum.files == 1 ? "A large file" : "Large files",
                                scene.members(), sum.files == 1 ? "lies" : "lie",
                                sum.stripes == 1 ? "one server" : format_count(sum.stripes) + " servers");
    finding.cost = seconds(scene.cost(sum.narrow_time));
    finding.cost_basis =
        "the time in reads and writes of them, less what would remain with as many servers as there are "
        "users, 16 at most: an upper bound";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"files", "such files", count(sum.files), fmt::format("with {} moved", format_bytes(sum.bytes))},
        {"stripes", "stripes of the largest", count(sum.stripes),
         fmt::format("used by {} {}", format_count(use.system.movers().count), scene.members())},
        {"file", "the largest", path(use.path), format_bytes(use.system.bytes())}};
    finding.why =
        "All of them wait for the same server, while the others of the file system have nothing to do for "
        "this job.";
    finding.doubt = "A file system with fewer servers, or servers that other jobs keep busy.";
    finding.advice = {
        {"Spread new files of this folder over more servers; a file that exists must be copied:",
         lustre_stripes(folder_of(use.path), wanted)}};
    return finding;
}

MaybeFinding unequal_servers(const Scene& scene, const Striped& sum)
{
    double most = 0, all = 0;
    std::uint64_t busiest = 0;
    for (const auto& [server, bytes] : sum.bytes_of_server) {
        all += bytes;
        if (bytes > most) most = bytes, busiest = server;
    }
    const double mean = all / static_cast<double>(std::max<std::size_t>(sum.bytes_of_server.size(), 1));
    if (sum.bytes_of_server.size() < 2 || most < clearly_uneven_servers * mean ||
        all < static_cast<double>(large_file))
        return {};
    Finding finding;
    finding.title =
        fmt::format("Server {} holds {:.1f} times the mean of this job's bytes", busiest, most / mean);
    finding.cost = seconds(scene.cost(sum.all_time, sum.all_time.total() * (1 - mean / most)));
    finding.cost_basis =
        "the time in reads and writes that equal shares would save, if the busiest server is what "
        "everybody waits for";
    finding.confidence = Confidence::low;
    finding.evidence = {
        {"busiest", fmt::format("server {}", busiest), bytes(static_cast<std::uint64_t>(most)), ""},
        {"mean", "the mean", bytes(static_cast<std::uint64_t>(mean)),
         fmt::format("of {} servers", sum.bytes_of_server.size())}};
    finding.why = "The job waits for the server with most.";
    finding.doubt = "Servers that are not equally fast, and other jobs on them.";
    finding.advice = {
        {"Let the file system choose the servers (no -i), and spread large files over several."}};
    return finding;
}

}  // namespace

MaybeFinding uneven_stripes(const Scene& scene)
{
    const Striped sum = striped_in(scene);
    if (sum.narrow != nullptr) return narrow_files(scene, sum);
    return unequal_servers(scene, sum);
}

}  // namespace fathom
