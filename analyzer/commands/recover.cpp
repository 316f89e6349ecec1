// `fathom recover`: makes a log of what a recording left that did not come to its end, and tidies up.
#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/summary.h"
#include "analyzer/document/units.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "analyzer/output/progress.h"
#include "analyzer/record/collect.h"
#include "analyzer/record/leftovers.h"
#include "analyzer/record/owner.h"
#include "analyzer/record/spool.h"

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

EXIT STATUS
  0 done, 1 the spool could not be read or the log not written, or the spool to
  remove is in use, 2 bad usage)";

struct RecoverOptions {
    std::string spool, output;
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
        out.write(fmt::format(
            "{:<{}}  {:<11}  {:<19}  {:>9}  {:>9}  {}\n", one.path, width, use_name_of(one.use).name,
            report::format_instant(one.started_ns), one.is_spool ? report::format_count(one.processes) : "-",
            report::format_bytes(one.bytes), one.is_spool ? one.command : "(marks of MPI ranks)"));
    out.flush();
    return exit_done;
}

int remove_one(const std::string& folder)
{
    const Leftover one = look_at(folder);
    if (one.use != Use::left)
        throw std::runtime_error(fmt::format("{}: not removed: {}", one.path, use_name_of(one.use).reason));
    remove(one);
    return exit_done;
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

int recover(const RecoverOptions& options)
{
    if (options.output.empty()) throw BadUsage("recover: name the log to write with -o FILE");
    const Leftover spool = look_at(options.spool);
    if (!spool.is_spool) throw std::runtime_error(spool.path + ": no spool, only marks of MPI ranks");
    Kept kept = kept_in(spool.path);
    const std::string job = kept.job();
    const std::vector<User> users = users_of(spool.path, 0);
    Progress progress;
    Collected collected = collect_job(spool.path, users, kept.folder, job, std::move(kept.facts),
                                      progress.stage("recovering", {false, "processes"}));
    progress.clear();
    if (collected.processes == 0)
        throw std::runtime_error(spool.path + ": no recorded process in this folder");
    add_names(collected.log);
    write_log(collected.log, options.output);
    tell(summary_of(collected.log, options.output));
    if (!users.empty())
        tell(still_running(users, spool.path));
    else if (spool.use != Use::left)
        tell(fmt::format("{} stays: {}", spool.path, use_name_of(spool.use).reason));
    else if (!options.keep)
        remove(spool);
    return exit_done;
}

int run_recover(const RecoverOptions& options)
{
    if (options.remove_all) return remove_all();
    if (options.spool.empty()) {
        if (options.remove) throw BadUsage("recover: name the SPOOL to remove, or say --remove-all");
        return list_leftovers();
    }
    return options.remove ? remove_one(options.spool) : recover(options);
}

}  // namespace

CommandLine recover_line()
{
    const auto options = std::make_shared<RecoverOptions>();
    CommandLine line;
    line.options = {
        {"SPOOL", "TEXT", "the folder to recover", &options->spool},
        {"-o,--output", "FILE", "the log to write", &options->output},
        {"--keep", "", "leave the folder in place", &options->keep},
        {"--remove",
         "",
         "remove the folder without making a log of it",
         &options->remove,
         {.excludes = "--output"}},
        {"--remove-all",
         "",
         "remove all folders that nobody uses any more",
         &options->remove_all,
         {.excludes = "--output,SPOOL"}},
    };
    line.help = recover_help;
    line.action = [options] { return run_recover(*options); };
    return line;
}

}  // namespace fathom
