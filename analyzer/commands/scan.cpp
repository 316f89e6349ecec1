// `fathom scan`: counts the files below some paths.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/many/gather.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "analyzer/output/progress.h"
#include "analyzer/output/stop_signals.h"
#include "analyzer/record/file_lock.h"
#include "analyzer/scan/run/run.h"

namespace fathom {
namespace {

constexpr const char* scan_help = R"(
WHAT IT DOES
  Looks at every inode below the paths, with many threads, and counts: files and
  bytes by size, by age of the last access and change, by user, group, project,
  top directory, depth, suffix and kind. A file with several names counts once.
  Bytes are those that programs see, and those on the device. `fathom files` makes
  a document of it. The file has sums, no names of files, and is small.

  Files are not opened, symbolic links not followed, and access times stay as they
  are; directories of other users' are the exception, where neither root nor
  CAP_FOWNER reads them: then the kernel sets their access time as for ls.
  What is mounted below the paths is left out. Directories that cannot be read are
  counted and named; the scan then is not whole, and says so.

  The project of an inode is that of the first of the --projects rules that fits:
    user  anna                climate
    path  /scratch/energy/*   energy     (of its directory, with a '/' at the end)

INTERRUPTIONS
  Every ten seconds what is done goes into FILE.unfinished. After Ctrl-C, a kill or a
  power failure the same command goes on from there; it counts nothing twice and
  gives what an uninterrupted scan gives. FILE is written at the end, whole.

EXAMPLES
  fathom scan /scratch -o scratch-2026-11.scan
  fathom scan /home /projects -o site.scan --projects rules.txt
  fathom scan /lustre -o lustre.scan --limit 5000     on a busy file system
  fathom files scratch-2026-11.scan scratch-2026-10.scan -o growth.pdf

EXIT STATUS
  0 done, also where directories could not be read, 1 a path cannot be scanned or
  the file not be written, 2 bad usage)";

struct ScanOptions {
    std::vector<std::string> paths;
    std::string output, projects;
    double limit = 0, checkpoint = 10;
    unsigned threads = 0;
    bool other_mounts = false, restart = false;
};

// Waiting for a device costs a thread little, and devices answer many at once.
constexpr unsigned threads_a_processor = 8, least_threads = 16, most_threads = 256;

std::string absolute_folder(const std::string& path)
{
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::canonical(path, error);
    if (error) throw std::runtime_error(fmt::format("{}: {}", report::printable(path), error.message()));
    if (!std::filesystem::is_directory(whole, error))
        throw BadUsage(fmt::format("scan: {} is no directory", report::printable(path)));
    return whole.string();
}

// Those that lie in others would count twice.
std::vector<std::string> roots_of(const std::vector<std::string>& paths)
{
    std::vector<std::string> roots;
    for (const std::string& path : paths) roots.push_back(absolute_folder(path));
    for (const std::string& inner : roots)
        for (const std::string& outer : roots) {
            const std::string folder = outer.back() == '/' ? outer : outer + "/";
            if (&inner != &outer && (inner + "/").starts_with(folder))
                throw BadUsage(fmt::format("scan: {} lies in {}: name the one or the other",
                                           report::printable(inner), report::printable(outer)));
        }
    return roots;
}

bool are_same(const scan::Asked& a, const scan::Asked& b)
{
    const auto same_rule = [](const ProjectRule& x, const ProjectRule& y) {
        return x.of == y.of && x.pattern == y.pattern && x.project == y.project;
    };
    return a.roots == b.roots && a.other_mounts == b.other_mounts &&
           std::equal(a.projects.begin(), a.projects.end(), b.projects.begin(), b.projects.end(), same_rule);
}

// What is to be done, from what is there of it.
scan::Scan scan_to_run(const ScanOptions& options, const std::string& unfinished)
{
    scan::Scan fresh;
    fresh.asked = {roots_of(options.paths), options.other_mounts, {}};
    if (!options.projects.empty()) fresh.asked.projects = read_project_rules(options.projects);
    if (options.restart || ::access(unfinished.c_str(), F_OK) != 0) return fresh;
    scan::Scan before = scan::read_scan(unfinished);
    if (!are_same(before.asked, fresh.asked))
        throw BadUsage(fmt::format(
            "scan: {} is of other paths, mounts or projects; --restart drops it, another -o leaves it there",
            report::printable(unfinished)));
    tell(fmt::format("going on with {}: {} are done", report::printable(unfinished),
                     report::counted(before.counts.all().sums.inodes, "inode", "inodes")));
    return before;
}

void tell_troubles(const scan::Troubles& troubles)
{
    if (troubles.is_whole()) return;
    tell(fmt::format("not whole: {} and {} could not be read, such as {}",
                     report::counted(troubles.unreadable_folders, "directory", "directories"),
                     report::counted(troubles.unreadable_entries, "inode", "inodes"),
                     report::printable(troubles.unreadable.begin()->first)));
}

int run(const ScanOptions& options)
{
    const std::string unfinished = options.output + ".unfinished";
    scan::RunOptions how{options.threads, options.limit, options.checkpoint};
    if (how.threads == 0)
        how.threads = std::clamp(threads_a_processor * static_cast<unsigned>(usable_processors()),
                                 least_threads, most_threads);
    const std::string lock_path = options.output + ".lock";
    const FileLock lock(FileLock::file, lock_path, FileLock::does_not_wait);
    if (!lock.held())
        throw std::runtime_error(
            fmt::format("{}: another fathom scan is writing it", report::printable(options.output)));
    const StopSignals signals;
    Progress progress;
    const scan::Scan done =
        scan::run_scan(scan_to_run(options, unfinished), how,
                       {[&](const scan::Scan& kept) { save(unfinished, scan::packed(kept)); }, signals.came(),
                        progress.stage("scanning", {false, "inodes", true})});
    progress.clear();
    if (!done.has_ended) {
        ::unlink(lock_path.c_str());
        tell(fmt::format("stopped; the same command goes on with {}", report::printable(unfinished)));
        signals.end_by_it();
        return exit_failed;
    }
    save(options.output, scan::packed(done));
    ::unlink(unfinished.c_str());
    ::unlink(lock_path.c_str());
    const scan::Sums& sums = done.counts.all().sums;
    tell(fmt::format("{}: {}, {} in files, in {}", report::printable(options.output),
                     report::counted(sums.inodes, "inode", "inodes"), report::format_bytes(sums.bytes),
                     report::format_seconds(static_cast<double>(done.walked) / 1000)));
    tell_troubles(done.counts.troubles);
    return exit_done;
}

}  // namespace

CommandLine scan_line()
{
    const auto options = std::make_shared<ScanOptions>();
    CommandLine line;
    line.options = {
        {"PATH", "PATH", "directories to scan, with all beneath them", &options->paths, required},
        {"-o,--output", "FILE", "the scan", &options->output, required},
        {"--projects", "FILE", "rules that say whose or what path is of which project", &options->projects},
        {"--other-mounts", "", "also what is mounted below the paths", &options->other_mounts},
        {"--limit",
         "N",
         "no more than N calls a second: looking at an inode, opening and reading a directory",
         &options->limit,
         {.positive = true}},
        {"--threads",
         "N",
         "calls at a time (default: 8 a processor, 16 to 256)",
         &options->threads,
         {.bounds = Bounds{1, 4096}}},
        {"--checkpoint",
         "SECONDS",
         "how often what is done is kept (default: 10)",
         &options->checkpoint,
         {.bounds = Bounds{0.01, 1e6}}},
        {"--restart", "", "begin anew, even where an unfinished scan is there", &options->restart},
    };
    line.help = scan_help;
    line.action = [options] { return run(*options); };
    return line;
}

}  // namespace fathom
