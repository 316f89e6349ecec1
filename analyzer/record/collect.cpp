// Finds what belongs together and puts it into one log.
#include "analyzer/record/collect.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "analyzer/record/merge.h"
#include "analyzer/record/part_clock.h"
#include "analyzer/record/part_file.h"
#include "analyzer/record/publish.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

constexpr auto most_patience = std::chrono::milliseconds(200), between_looks = std::chrono::milliseconds(10);

// All parts of a spool, one at a time: there may be tens of thousands.
class Collection {
  public:
    Collection(const std::vector<std::string>& spools, const std::vector<User>& users, Log into,
               const std::function<bool(const std::string&)>& relied_on, const Tick& tick)
        : spools_(spools), users_(users), relied_on_(relied_on), tick_(tick)
    {
        merger_.add(std::move(into));
    }

    Collected run()
    {
        std::vector<std::string> parts;
        for (const std::string& spool : spools_) {
            for (const std::string& path : folded_in(spool)) {
                try {
                    add(read_own_log(path));
                } catch (const LogError& error) {
                    problem(error.what());
                }
            }
            const std::vector<std::string> more = parts_in(spool);
            parts.insert(parts.end(), more.begin(), more.end());
        }
        for (std::size_t at = 0; at < parts.size(); ++at) {
            add_part(parts[at]);
            tell_progress(tick_, at + 1, parts.size());
        }
        merger_.add(std::move(problems_));
        collected_.log = merger_.finish();
        return std::move(collected_);
    }

  private:
    void note_rank(const Process& process)
    {
        collected_.rank_zero = collected_.rank_zero || process.rank == 0;
    }

    void problem(std::string sentence) { problems_.problems.push_back(std::move(sentence)); }

    void add(Log&& log)
    {
        collected_.processes += log.rows<Process>().size();
        for (const Process& process : log.rows<Process>()) note_rank(process);
        collected_.anything = collected_.anything || !log.rows<PosixRecord>().empty() ||
                              !log.rows<StdioRecord>().empty() || !log.rows<MpiioRecord>().empty();
        merger_.add(std::move(log));
    }

    void add_part(const std::string& path)
    {
        const PartFile part = load_part(path, users_.empty() ? InUse::by_nobody : InUse::perhaps);
        if (!part.begun()) return;
        if (!part.good())
            return problem(path + ": not a part that this version of Fathom can read; left out");
        Log log = log_of(part, clock_of(part.header()));
        Process& process = log.rows<Process>().front();
        if (is_used(part, users_)) process.ending = static_cast<std::uint64_t>(Ending::running);
        if (const std::string spent = part.log(); !spent.empty() && relied_on_(spent))
            return add_ending(std::move(log), spent);
        if (merger_.has(process)) return;  // folded, and then nobody was left to remove it
        add(std::move(log));
    }

    // Of a part that is in another log, how its process ended is news, and what it learned of its children.
    void add_ending(Log&& log, const std::string& written_by_mpi)
    {
        ++collected_.processes;
        Process& process = log.rows<Process>().front();
        collected_.written_by_mpi = written_by_mpi;
        note_rank(process);
        Process bare;
        bare.rank = process.rank;
        bare.pid = process.pid;
        bare.parent = process.parent;
        bare.host = process.host;
        bare.ending = process.ending;
        bare.status = process.status;
        process = bare;
        each_table([&](const auto& table, std::size_t) {
            using Row = typename std::remove_cvref_t<decltype(table)>::Row;
            if constexpr (!std::is_same_v<Row, Process> && !std::is_same_v<Row, Fact>)
                log.rows<Row>().clear();
        });
        merger_.add(std::move(log));
    }

    const std::vector<std::string>& spools_;
    const std::vector<User>& users_;
    const std::function<bool(const std::string&)>& relied_on_;
    const Tick& tick_;
    Merger merger_;
    Log problems_;  // no rows
    Collected collected_;
};

// An end that MPI_Finalize could not foresee.
bool is_notable(const Process& process)
{
    return static_cast<Ending>(process.ending) >= Ending::running || process.status > 0;
}

}  // namespace

Collected collect_parts(const std::vector<std::string>& spools, const std::vector<User>& users, Log into,
                        const std::function<bool(const std::string&)>& relied_on, const Tick& tick)
{
    Collected collected = Collection(spools, users, std::move(into), relied_on, tick).run();
    const auto& processes = collected.log.rows<Process>();
    collected.anything = collected.anything || std::any_of(processes.begin(), processes.end(), is_notable);
    return collected;
}

Collected collect_job(const std::vector<std::string>& spools, const std::vector<User>& users,
                      const std::string& folder, const std::string& job, Log facts, const Tick& tick)
{
    std::vector<std::string> relied_on;
    for (const std::string& path : logs_of_ranks(folder, job)) {
        try {
            Log of_ranks = read_own_log(path);
            if (!of_ranks.problems.empty()) continue;  // the parts still hold it all
            append_log(facts, std::move(of_ranks));
            relied_on.push_back(path);
        } catch (const LogError&) {
        }
    }
    const auto relies_on = [&](const std::string& path) {
        return std::find(relied_on.begin(), relied_on.end(), path) != relied_on.end();
    };
    Collected collected = collect_parts(spools, users, std::move(facts), relies_on, tick);
    add_mounts(collected.log);
    return collected;
}

Log facts_kept_in(const std::vector<std::string>& spools)
{
    std::vector<Log> kept;
    for (const std::string& spool : spools) kept.push_back(kept_in(spool).facts);
    std::stable_partition(kept.begin(), kept.end(),
                          [](const Log& facts) { return facts.fact("exit_status").value_or("0") != "0"; });
    Merger merger;
    for (Log& facts : kept) merger.add(std::move(facts));
    return merger.pause();
}

std::vector<User> wait_for_users(const std::vector<std::string>& spools, std::uint64_t first_tick)
{
    if (are_without_users(spools)) return {};
    std::vector<User> users = users_of(spools, first_tick);
    const auto until = std::chrono::steady_clock::now() + most_patience;
    while (!users.empty() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(between_looks);
        for (User& user : users) user = user_now(spools, user.pid);
        std::erase_if(users, [](const User& user) { return user.parts.empty(); });
    }
    return users;
}

void append_log(Log& log, Log&& other)
{
    Merger merger;
    merger.add(std::move(log));
    merger.add(std::move(other));
    log = merger.pause();
}

void add_mounts(Log& log)
{
    if (!log.rows<Mount>().empty()) return;
    std::ifstream in("/proc/self/mounts");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string source, path, type;
        if (words >> source >> path >> type)
            log.rows<Mount>().push_back({log.keep(path), log.keep(type), log.keep(source)});
    }
}

}  // namespace fathom
