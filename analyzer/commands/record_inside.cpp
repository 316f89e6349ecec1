// Recordings that a launcher started, one for each rank: what a node recorded is collected by the recorder
// that ends last there, and the node that ends last says so.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <thread>

#include "analyzer/commands/recording.h"
#include "analyzer/commands/summary.h"
#include "analyzer/document/printable.h"
#include "analyzer/output/message.h"
#include "analyzer/record/collect.h"
#include "analyzer/record/collector.h"
#include "analyzer/record/file_lock.h"
#include "analyzer/record/fold.h"
#include "analyzer/record/launch_folder.h"
#include "analyzer/record/liveness.h"
#include "analyzer/record/node_folder.h"
#include "analyzer/record/publish.h"
#include "analyzer/record/signals.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds patience_with_nodes{2000}, between_looks{50},
    between_looks_at_program{500};

class Inside {
  public:
    explicit Inside(const Recording& recording) : recording_(recording), node_(recording.ranks_folder) {}

    // In the process that will collect. The reply is the log's path, and the folder where nodes meet, in two
    // lines.
    std::string begin()
    {
        beginning_ = node_.join(recording_.spool, identity_of(getpid()), [&] { return settle(); });
        try {
            keep_facts(recording_, facts_at_start(recording_), "");
        } catch (const LogError&) {
            // Those that the recorder kept name another process as its owner: no more than that.
        }
        return beginning_.output + '\n' + (beginning_.mark.empty() ? "" : launch_folder().path());
    }

    int finish(const std::optional<LaunchOutcome>& outcome)
    {
        // A log that cannot grow is an error to be reported, not a signal.
        std::signal(SIGXFSZ, SIG_IGN);
        const int status = outcome ? outcome->status : 0;
        try {
            if (outcome)
                keep_facts(recording_, facts_at_end(recording_, *outcome), "");
            else
                wait_for_program();
        } catch (const LogError&) {
            // The spool is full: the facts of the start must do.
        }
        const LastOnNode last = node_.leave(recording_.spool);
        if (last.spools.empty()) return status;
        try {
            collect(last);
        } catch (const std::exception& error) {
            launch_folder().leave();
            tell(sentence_on_trouble(error.what(), fmt::format("{}", fmt::join(last.spools, " "))));
        }
        // A failure of ours would end the whole job.
        return status;
    }

  private:
    LaunchFolder launch_folder() const
    {
        return LaunchFolder(folder_of(beginning_.output), recording_.key, beginning_.mark);
    }

    Beginning settle() const
    {
        const std::string proposal = recording_.output(recording_.options.command.front());
        check_output(proposal);
        LaunchFolder folder(folder_of(proposal), recording_.key);
        const std::string mark = folder.enter();
        return {folder.agree_on_output(proposal), mark};
    }

    // How many processes the launcher started; 0: it does not say.
    std::size_t started() const { return std::strtoull(recording_.by->size.c_str(), nullptr, 10); }

    // The recorder was killed, its program perhaps was not.
    void wait_for_program() const
    {
        const std::uint64_t first_tick = start_tick_of(getpid()).value_or(0);
        while (!users_of({recording_.spool}, first_tick).empty())
            std::this_thread::sleep_for(between_looks_at_program);
    }

    void collect(const LastOnNode& last)
    {
        const std::vector<User> users = wait_for_users(last.spools, last.first_tick);
        std::map<std::string, bool> there;  // a file system is asked once for a log
        const auto is_there = [&](const std::string& log) {
            const auto [known, fresh] = there.try_emplace(log);
            if (fresh) known->second = fs::exists(log);
            return known->second;
        };
        Log facts = facts_kept_in(last.spools);
        const bool failed = facts.fact("exit_status").value_or("") != "0";
        Collected collected = collect_parts(last.spools, users, std::move(facts), is_there);
        const LaunchFolder folder = launch_folder();
        const bool gathered = !collected.written_by_mpi.empty();
        if (!gathered) add_mounts(collected.log);
        const auto where = [&] {
            return gathered ? collected.written_by_mpi : folder.output(beginning_.output);
        };
        const bool any = collected.processes > 0;
        if (any && (!gathered || collected.anything)) folder.put(std::move(collected.log), where());
        const std::string path = where();
        const bool all_ended = folder.leave(last.spools.size(), gathered ? 0 : started()) ||
                               (failed && collected.rank_zero && !others_end(folder));
        for (const std::string& spool : last.spools)
            if (std::none_of(users.begin(), users.end(),
                             [&](const User& user) { return user.spool == spool; }))
                remove_spool(spool);
        if (!recording_.options.quiet && any && all_ended) tell_of_log(path);
        std::map<std::string, std::vector<User>> by_spool;
        for (const User& user : users) by_spool[user.spool].push_back(user);
        for (const auto& [spool, its_users] : by_spool) tell(still_running(its_users, spool));
    }

    void tell_of_log(const std::string& path) const
    {
        if (const auto log = current_log(path, OwnFiles::beside(path).held)) tell(summary_of(*log, path));
    }

    // True once the last node has ended, which then says so: those that died with a job never do.
    static bool others_end(const LaunchFolder& folder)
    {
        const auto until = std::chrono::steady_clock::now() + patience_with_nodes;
        while (fs::exists(folder.path()) && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(between_looks);
        return !fs::exists(folder.path());
    }

    const Recording& recording_;
    NodeFolder node_;
    Beginning beginning_;
};

}  // namespace

int record_inside(const Recording& recording)
{
    const RecordOptions& options = recording.options;
    keep_facts(recording, facts_at_start(recording), "");
    if (recording.hindrance && recording.by->rank == "0") tell(sentence_on(recording.hindrance));
    Inside inside(recording);
    Collector collector([&] { return inside.begin(); },
                        [&](const std::optional<LaunchOutcome>& outcome) { return inside.finish(outcome); });
    const std::string& reply = collector.reply();
    const std::size_t line = reply.find('\n');
    const std::string output = reply.substr(0, line);
    const Environment environment =
        environment_for(recording, output, line == reply.npos ? "" : reply.substr(line + 1));
    if (!options.quiet && recording.by->rank == "0")
        say_at_sigterm(fmt::format("fathom: asked to end; the log follows within seconds: {}\n",
                                   report::printable(output)));
    Folding folding(recording.spool);
    const LaunchOutcome outcome = launch(options.command, environment, [&] { folding.look(); });
    const int status = collector.end(outcome);
    if (!outcome.started) return report_failed_start(options.command.front(), outcome.error);
    return end_like(outcome, status);
}

}  // namespace fathom
