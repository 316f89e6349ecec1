#include "analyzer/serve/servers.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <sys/stat.h>

#include "analyzer/book/book.h"
#include "analyzer/document/units.h"
#include "analyzer/series/read.h"
#include "analyzer/system/load.h"
#include "analyzer/system/matching.h"

namespace fathom::serve {
namespace {

namespace fs = std::filesystem;

constexpr series::Nanoseconds day = 86'400 * series::one_second;
constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;
constexpr std::size_t most_files = 200'000;
constexpr std::string_view monitor_ending = ".monitor";
constexpr std::size_t date_length = 10;
// Findings that say something of servers (docs/FINDINGS.md).
constexpr std::string_view on_servers[] = {"ill_server", "busy_servers"};

// "2026-11-23"
std::string date_of(series::Nanoseconds time)
{
    const std::time_t seconds = time / series::one_second;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

// HOST-YYYY-MM-DD.monitor
struct DayFile {
    std::string host, date;
};
std::optional<DayFile> day_file(const std::string& name)
{
    if (!name.ends_with(monitor_ending) || name.size() < monitor_ending.size() + date_length + 2) return {};
    const std::size_t at = name.size() - monitor_ending.size() - date_length;
    return DayFile{name.substr(0, at - 1), name.substr(at, date_length)};
}

// Of the nodes, and of what mounts name as their server.
std::vector<std::string> hosts_of(const fathom::Job& job)
{
    std::set<std::string> hosts;
    for (const Process& process : job.log.rows<Process>()) hosts.emplace(process.host);
    for (const Mount& mount : job.log.rows<Mount>())
        if (const std::size_t colon = mount.source.find(":/"); colon != std::string::npos && colon > 0)
            hosts.emplace(mount.source.substr(0, colon));
    return {hosts.begin(), hosts.end()};
}

}  // namespace

ChosenSeries choose_series(const std::vector<std::string>& places, const series::Window& window,
                           const std::vector<std::string>& hosts, std::uint64_t most)
{
    struct File {
        std::string path;
        std::uint64_t bytes;
        bool of_others;  // of a host that is not named
    };
    ChosenSeries chosen;
    std::vector<File> files;
    const std::string first = date_of(window.begin), last = date_of(window.end);
    const auto add = [&](const fs::path& path) {
        struct stat about {};
        const std::string name = path.filename().string();
        if (name.starts_with('.') || stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return;
        File file{path.string(), static_cast<std::uint64_t>(about.st_size), false};
        if (const auto one = day_file(name)) {
            if (one->date < first || one->date > last) return;
            file.of_others = std::ranges::none_of(
                hosts, [&](const std::string& host) { return is_same_host(host, one->host); });
        } else if (about.st_mtim.tv_sec < window.begin / series::one_second) {
            return;  // it ends before that
        }
        files.push_back(std::move(file));
    };
    for (const std::string& place : places) {
        std::error_code error;
        if (place.find("://") != std::string::npos) {
            chosen.paths.push_back(place);
        } else if (!fs::is_directory(place, error)) {
            add(place);
        } else {
            for (fs::recursive_directory_iterator
                     at(place, fs::directory_options::skip_permission_denied, error),
                 end;
                 !error && at != end && files.size() < most_files; at.increment(error))
                add(at->path());
        }
    }
    const auto bytes = [&] {
        std::uint64_t sum = 0;
        for (const File& file : files) sum += file.bytes;
        return sum;
    };
    if (bytes() > most)
        chosen.left_out = std::erase_if(files, [](const File& file) { return file.of_others; });
    if (bytes() > most) {
        chosen.too_much = true;
        chosen.paths.clear();
        return chosen;
    }
    std::ranges::sort(files, {}, &File::path);
    for (File& file : files) chosen.paths.push_back(std::move(file.path));
    return chosen;
}

report::Document servers_document(fathom::Job& job, const std::vector<std::string>& places,
                                  std::vector<std::vector<series::Window>> earlier)
{
    report::Document document;
    document.title = "Servers and devices";
    report::Section section{"system", "Servers and devices", {}};
    series::ReadOptions reading;
    const auto start = static_cast<series::Nanoseconds>(job.start),
               end = static_cast<series::Nanoseconds>(job.end);
    reading.window = {std::max<series::Nanoseconds>(start - day, 0), end + day};
    for (const std::vector<series::Window>& run : earlier)
        if (!run.empty()) reading.window.begin = std::min(reading.window.begin, run.front().begin);
    const ChosenSeries chosen = choose_series(places, reading.window, hosts_of(job), most_bytes);
    if (chosen.too_much) {
        section.blocks.push_back(
            report::Note{report::Weight::information,
                         fmt::format("The site's series of these days have more than {}: `fathom report LOG "
                                     "--system FILES` reads those that you name.",
                                     report::format_bytes(most_bytes))});
        document.sections.push_back(std::move(section));
        return document;
    }
    if (chosen.left_out > 0)
        section.blocks.push_back(report::Note{
            report::Weight::information,
            fmt::format("The site's series of these days have more than {}: {} of other hosts than its nodes "
                        "and the servers that its mounts name {} not looked at.",
                        report::format_bytes(most_bytes), report::counted(chosen.left_out, "file", "files"),
                        chosen.left_out == 1 ? "was" : "were")});
    const SystemLoad load = load_of(job, series::read_series(chosen.paths, reading), {std::move(earlier), 0});
    job.system = &load;
    report::Document whole = make_report(job, {});
    job.system = nullptr;
    for (report::Section& one : whole.sections) {
        if (one.id == "findings")
            std::erase_if(one.blocks, [](const report::Block& block) {
                const auto* const finding = std::get_if<report::Finding>(&block);
                return finding == nullptr ||
                       std::ranges::find(on_servers, finding->id) == std::end(on_servers);
            });
        if (one.id == "findings" || one.id == section.id)
            std::ranges::move(one.blocks, std::back_inserter(section.blocks));
    }
    if (section.blocks.empty())
        section.blocks.push_back(
            report::Paragraph{"The site's series have nothing of what this job used in its time."});
    document.sections.push_back(std::move(section));
    return document;
}

}  // namespace fathom::serve
