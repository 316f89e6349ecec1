// The database is open only while a row is written: a thousand nodes do not keep a thousand sessions.
#include "analyzer/running/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "analyzer/jobs/schema/schema.h"
#include "analyzer/running/spools.h"
#include "analyzer/running/store.h"

namespace fathom::running {
namespace {

using Nanoseconds = std::chrono::nanoseconds;

constexpr unsigned seconds_a_user = 5, seconds_a_statement = 5;
constexpr int part_of_a_core = 50;

std::string host_name()
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

Nanoseconds unix_now()
{
    return std::chrono::duration_cast<Nanoseconds>(std::chrono::system_clock::now().time_since_epoch());
}

Nanoseconds processor_time()
{
    Nanoseconds all{0};
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(who, &used);
        for (const timeval& time : {used.ru_utime, used.ru_stime})
            all += std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    }
    return all;
}

class Reporter {
  public:
    explicit Reporter(const ReportSettings& settings) : settings_(settings), node_(host_name())
    {
        const auto every = static_cast<std::uint64_t>(settings.every.count());
        phase_ = Nanoseconds(std::hash<std::string>()(node_) % every);
        if (geteuid() != 0) only_user_ = user_named(geteuid());
    }

    void round()
    {
        std::vector<SpoolRow> found;
        const std::set<std::string> running = tally_.running();
        for (const OwnSpools& own : spools_here(settings_.site_folders)) {
            std::vector<SpoolRow> rows = look_as_owner(own, running, seconds_a_user);
            std::ranges::move(rows, std::back_inserter(found));
        }
        const std::vector<watch::NodeRow> rows =
            tally_.add(found, static_cast<std::uint64_t>(unix_now().count()));
        if (rows.empty() && !left_something_) return;
        try {
            const auto database =
                jobs::open_jobs(database::with_timeouts(settings_.url), jobs::Access::change);
            database->give_up_after(seconds_a_statement);
            write_rows(*database, node_, only_user_, rows);
            left_something_ = !rows.empty();
            if (!trouble_.empty()) settings_.say("running jobs are written again");
            trouble_.clear();
        } catch (const jobs::DatabaseError& error) {
            if (error.what() != trouble_) settings_.say(error.what());
            trouble_ = error.what();
        }
    }

    // Until the node's moment of the next interval.
    void wait(Nanoseconds used) const
    {
        const Nanoseconds now = unix_now();
        Nanoseconds next = (now - phase_) / settings_.every * settings_.every + phase_ + settings_.every;
        while (next < now + used * part_of_a_core) next += settings_.every;
        std::this_thread::sleep_for(next - now);
    }

  private:
    const ReportSettings& settings_;
    std::string node_, only_user_, trouble_;
    Nanoseconds phase_{0};
    Tally tally_;
    bool left_something_ = true;  // of a monitor before this one
};

}  // namespace

void report_jobs(const ReportSettings& settings)
{
    Reporter reporter(settings);
    for (;;) {
        const Nanoseconds before = processor_time();
        try {
            reporter.round();
        } catch (const std::exception& error) {
            settings.say(error.what());
        }
        reporter.wait(processor_time() - before);
    }
}

}  // namespace fathom::running
