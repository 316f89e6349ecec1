// `fathom recover`: makes a log of what a recording left that did not come to its end, and tidies up.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/summary.h"
#include "analyzer/document/units.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "analyzer/output/progress.h"
#include "analyzer/record/collect.h"
#include "analyzer/record/file_lock.h"
#include "analyzer/record/filing.h"
#include "analyzer/record/launch_folder.h"
#include "analyzer/record/leftovers.h"
#include "analyzer/record/owner.h"
#include "analyzer/record/spool.h"
#include "logformat/part/part.h"

namespace fathom {
namespace {

constexpr const char* recover_help = R"(
WHAT IT DOES
  A recording keeps what it counts in a folder in memory, the spool, until its log
  is written. If that could not be written (a full disk), if `fathom record` itself
  was killed, or if some of its processes went on, the spool is still there until
  the node restarts. This makes a log of it, and then removes it.
  While processes still write to it, the log has what they did so far and the spool
  stays.

  Without a SPOOL it lists what there is:
    in use       a `fathom record` is at work with it
    running      its `fathom record` has ended, processes of the job have not
    left behind  nobody uses it any more
    not known    it was made in another container; look from there
  A folder "…-ranks-…" holds the marks of the ranks of an MPI job.

EXAMPLES
  fathom recover
  fathom recover /dev/shm/fathom-1000-Ab3xYz -o app.fathom
  fathom recover --remove /dev/shm/fathom-1000-Ab3xYz
  fathom recover --remove-all        everything that is left behind, nothing else
  fathom recover --into /site/logs /run/fathom-site/alice-1234.0
                                     what a centre does at the end of a job, see
                                     docs/SITE.md

EXIT STATUS
  0 done, 1 a spool could not be read or its log not written, or the spool to
  remove is in use, 2 bad usage)";

struct RecoverOptions {
    std::vector<std::string> spools;
    std::string output, into;
    bool keep = false, remove = false, remove_all = false;
};

struct UseName {
    Use use;
    std::string_view name, reason;
};
constexpr UseName use_names[] = {
    {Use::recording, "in use", "`fathom record` is at work with it"},
    {Use::running, "running", "processes of the job still run"},
    {Use::unsure, "not known",
     "it was made in another container, where its processes may still run; if not: rm -r"},
    {Use::left, "left behind", "nobody uses it any more"},
};

const UseName& use_name_of(Use use)
{
    return *std::find_if(std::begin(use_names), std::end(use_names),
                         [&](const UseName& one) { return one.use == use; });
}

int list_leftovers()
{
    const std::vector<Leftover> all = leftovers();
    if (all.empty()) {
        tell("no recording of yours has left anything on this node");
        return exit_done;
    }
    std::size_t width = 0;
    for (const Leftover& one : all) width = std::max(width, one.path.size());
    StandardOutput out;
    out.write(fmt::format("{:<{}}  {:<11}  {:<19}  {:>9}  {:>9}  {}\n", "spool", width, "state", "started",
                          "processes", "size", "command"));
    for (const Leftover& one : all)
        out.write(fmt::format("{:<{}}  {:<11}  {:<19}  {:>9}  {:>9}  {}\n", report::printable(one.path),
                              width, use_name_of(one.use).name, report::format_instant(one.started_ns),
                              one.is_spool ? report::format_count(one.processes) : "-",
                              report::format_bytes(one.bytes),
                              one.is_spool ? report::printable(one.command) : "(marks of MPI ranks)"));
    out.flush();
    return exit_done;
}

void remove_one(const std::string& folder)
{
    const Leftover one = look_at(folder);
    if (one.use != Use::left)
        throw std::runtime_error(fmt::format("{}: not removed: {}", one.path, use_name_of(one.use).reason));
    remove(one);
}

int remove_all()
{
    std::size_t removed = 0;
    for (const Leftover& one : leftovers()) {
        if (one.use == Use::left) {
            remove(one);
            ++removed;
        } else {
            tell(fmt::format("{}: not removed: {}", one.path, use_name_of(one.use).reason));
        }
    }
    tell(fmt::format("{} removed", removed == 1 ? "1 folder" : fmt::format("{} folders", removed)));
    return exit_done;
}

bool is_used(const std::string& spool, const std::vector<User>& users)
{
    return std::any_of(users.begin(), users.end(), [&](const User& user) { return user.spool == spool; });
}

// One log of all spools.
int recover(const RecoverOptions& options)
{
    std::vector<Leftover> spools;
    for (const std::string& folder : options.spools) {
        spools.push_back(look_at(folder));
        if (!spools.back().is_spool) throw std::runtime_error(folder + ": no spool, only marks of MPI ranks");
    }
    std::vector<std::string> paths;
    for (const Leftover& spool : spools) paths.push_back(spool.path);
    const std::vector<User> users = users_of(paths, 0);
    Progress progress;
    Collected collected =
        collect_job(paths, users, kept_in(paths.front()).folder, spools.front().job, facts_kept_in(paths),
                    progress.stage("recovering", {false, "processes"}));
    progress.clear();
    if (collected.processes == 0)
        throw std::runtime_error(paths.front() + ": no recorded process in this folder");
    add_names(collected.log);
    write_log(collected.log, options.output);
    tell(summary_of(collected.log, options.output));
    for (const Leftover& spool : spools) {
        if (is_used(spool.path, users))
            tell(still_running(users, spool.path));
        else if (spool.use != Use::left)
            tell(fmt::format("{} stays: {}", spool.path, use_name_of(spool.use).reason));
        else if (!options.keep)
            remove(spool);
    }
    return exit_done;
}

std::uint64_t start_of(const Log& log)
{
    std::uint64_t start = UINT64_MAX;
    for (const Process& process : log.rows<Process>())
        if (process.start != 0) start = std::min(start, process.start);
    return start == UINT64_MAX ? unix_ns_now() : start;
}

// A log named after the spool, which a site has named after a job's step. Other nodes have spools of that
// step.
void file(const std::string& spool, const RecoverOptions& options)
{
    const std::string name = std::filesystem::path(spool).filename();
    const std::vector<User> users = users_of({spool}, 0);
    Log facts = facts_kept_in({spool});
    if (!facts.fact("job")) facts.add_fact("job", name);
    const std::string job(*facts.fact("job"));
    Collected collected = collect_job({spool}, users, kept_in(spool).folder, job, std::move(facts));
    if (collected.processes > 0) {
        add_names(collected.log);
        const std::string path = path_for_day(options.into, name, start_of(collected.log));
        LaunchFolder nodes(folder_of(path), name);
        if (nodes.enter().empty()) throw LogError(path + ": cannot write a log there");
        try {
            nodes.put(std::move(collected.log), path);
        } catch (...) {
            nodes.leave();
            throw;
        }
        nodes.leave();
        tell(fmt::format("{}: {}", spool, path));
    } else if (!std::filesystem::is_empty(spool)) {
        throw std::runtime_error(spool + ": no recorded process in this folder");
    }
    if (is_used(spool, users))
        tell(still_running(users, spool));
    else if (!options.keep)
        remove_spool(spool);
}

// What cannot be filed stays, and does not keep others from it.
int file_all(const RecoverOptions& options)
{
    int status = exit_done;
    for (const std::string& given : options.spools) {
        const std::string spool = (std::filesystem::path(given) / "").lexically_normal().parent_path();
        try {
            check_owner(spool);
            file(spool, options);
        } catch (const std::exception& error) {
            tell(fmt::format("{}; {} stays as it is", error.what(), spool));
            status = exit_failed;
        }
    }
    return status;
}

int run_recover(const RecoverOptions& options)
{
    if (options.remove_all) return remove_all();
    if (options.spools.empty()) {
        if (options.remove) throw BadUsage("recover: name the SPOOL to remove, or say --remove-all");
        if (!options.into.empty()) throw BadUsage("recover: name the SPOOL to file");
        return list_leftovers();
    }
    if (options.remove) {
        for (const std::string& spool : options.spools) remove_one(spool);
        return exit_done;
    }
    if (!options.into.empty()) return file_all(options);
    if (options.output.empty())
        throw BadUsage("recover: name the log to write with -o FILE, or a folder with --into");
    return recover(options);
}

}  // namespace

CommandLine recover_line()
{
    const auto options = std::make_shared<RecoverOptions>();
    CommandLine line;
    line.options = {
        {"SPOOL", "FOLDER", "the folders to recover", &options->spools},
        {"-o,--output", "FILE", "one log of all of them", &options->output},
        {"--into",
         "FOLDER",
         "a log of each, named after it, in FOLDER/YEAR/MONTH/DAY; what other nodes have put there is added "
         "to",
         &options->into,
         {.excludes = "--output"}},
        {"--keep", "", "leave the folders in place", &options->keep},
        {"--remove",
         "",
         "remove the folders without making a log of them",
         &options->remove,
         {.excludes = "--output,--into"}},
        {"--remove-all",
         "",
         "remove all folders that nobody uses any more",
         &options->remove_all,
         {.excludes = "--output,--into,SPOOL"}},
    };
    line.help = recover_help;
    line.action = [options] { return run_recover(*options); };
    return line;
}

}  // namespace fathom
