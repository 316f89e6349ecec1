// `fathom probe`: how long a file system takes, again and again.
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/timing/probe/growing_csv.h"
#include "analyzer/timing/probe/probe_row.h"
#include "analyzer/timing/probe/row_writer.h"
#include "analyzer/timing/probe/run_probes.h"
#include "analyzer/timing/probe/time_words.h"

namespace fathom {
namespace {

constexpr const char* probe_help = R"(
WHAT IT DOES
  At each interval it writes 1 MiB to each path, past the cache (O_DIRECT and
  fdatasync), reads it back the same way, and adds a row for each to a CSV. The
  paths are probed at the same time and none waits for another. A path is a
  folder, in which there is a hidden file of 1 MiB meanwhile, or a file that is
  empty; so files can be put where they are wanted before:
    lfs setstripe -c 1 -i 3 /scratch/ost3 && fathom probe /scratch/ost3 -o ost3.csv
  Instants lie on a fixed grid. Where a probe takes longer than the interval, the
  ones that it misses are left out, and while it hangs a row a second says so.
  Errors are rows, too. Where O_DIRECT is refused it writes through the cache with
  fdatasync, drops that from the cache and reads; the column mode says. It ends
  after --for, or by Ctrl-C or SIGTERM: then it removes its files and sums up.

THE CSV
  time_s,target,operation,size,latency_s,mode,error
  time_s is UNIX time, latency_s is empty where error is not. A file that is there
  already is gone on with, also after a crash; keep it on another file system than
  those that are probed. `fathom states` and `fathom clusters` read it.

EXAMPLES
  fathom probe /scratch /home --every 60s --for 12h -o probe.csv
  fathom probe /mnt/loop --every 0.2s --for 5min -o loop.csv
  fathom probe . --every 1s | head

EXIT STATUS
  0 done or stopped, 1 a path cannot be probed, none answered at all, or rows could
  not be written, 2 bad usage)";

constexpr std::uint64_t shortest_interval = 1'000'000;  // ns

struct ProbeOptions {
    std::vector<std::string> paths;
    std::string every = "60s", length, sync = "10s", output = "-";
};

std::uint64_t time_of(const std::string& words, const char* option)
{
    if (const auto time = parse_time(words)) return *time;
    throw BadUsage(fmt::format("{} {}: no length of time; say it like 60s, 5min, 12h, 200ms", option, words));
}

// Signals that ask to stop are blocked in all threads, and waited for. Those that the caller had ignored
// (nohup) stay ignored. A pipe without a reader is no reason to die.
class AwaitedSignals {
  public:
    AwaitedSignals()
    {
        sigemptyset(&asked_);
        for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction now {};
            if (sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
                sigaddset(&asked_, number);
        }
        sigset_t blocked = asked_;
        sigaddset(&blocked, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    }

    static std::uint64_t now()
    {
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
               static_cast<std::uint64_t>(time.tv_nsec);
    }

    // False: one of them came.
    bool sleep_until(std::uint64_t instant) const
    {
        for (;;) {
            const std::uint64_t before = now(), left = instant > before ? instant - before : 0;
            const timespec time{static_cast<time_t>(left / 1'000'000'000),
                                static_cast<long>(left % 1'000'000'000)};
            if (sigtimedwait(&asked_, nullptr, &time) > 0) return false;
            if (errno != EINTR) return true;
        }
    }

  private:
    sigset_t asked_{};
};

int run_probe(const ProbeOptions& options)
{
    ProbePlan plan;
    plan.paths = options.paths;
    plan.every = time_of(options.every, "--every");
    if (plan.every < shortest_interval) throw BadUsage("--every: no less than 1ms");
    if (!options.length.empty()) plan.length = time_of(options.length, "--for");
    const std::uint64_t sync_every = options.sync == "0" ? 0 : time_of(options.sync, "--sync");

    const AwaitedSignals signals;
    GrowingCsv csv(options.output, probe_header);
    if (csv.bytes_cut_off() > 0)
        tell(fmt::format("{}: cut off {} bytes of a line that was not whole", csv.path(),
                         csv.bytes_cut_off()));
    if (csv.goes_on()) tell(fmt::format("{}: going on with the rows that are there", csv.path()));
    // Rows on the terminal are progress enough.
    const bool bar = options.output != "-" || isatty(STDOUT_FILENO) == 0;
    Progress progress;
    RowWriter rows(csv, sync_every, [](std::string_view line) { tell(line); });
    ProbeWorld world;
    world.now = AwaitedSignals::now;
    world.sleep = [&](std::uint64_t instant) { return signals.sleep_until(instant); };
    world.add = [&](std::string lines) { rows.add(std::move(lines)); };
    world.closed = [&] { return rows.is_closed(); };
    world.say = [&](std::string_view line) {
        progress.clear();
        tell(line);
    };
    if (bar) world.tick = progress.stage("probing", {false, "probes"});
    const ProbeOutcome outcome = run_probes(plan, world);
    progress.clear();
    const bool whole = rows.finish() || rows.is_closed();
    for (const std::string& line : outcome.summary) tell(line);
    if (!whole) throw std::runtime_error(csv.path() + ": not all rows could be written");
    return outcome.operations > 0 ? exit_done : exit_failed;
}

}  // namespace

CommandLine probe_line()
{
    const auto options = std::make_shared<ProbeOptions>();
    CommandLine line;
    line.options = {
        {"PATH", "TEXT", "folders, or empty files, to probe", &options->paths, required},
        {"--every", "TIME", "time from one probe to the next (default 60s)", &options->every},
        {"--for", "TIME", "how long (default: until it is stopped)", &options->length},
        {"-o,--output", "FILE", "the CSV to begin or to go on with (default: standard output)",
         &options->output},
        {"--sync", "TIME", "how often rows get onto the device (default 10s; 0: never asked for)",
         &options->sync},
    };
    line.help = probe_help;
    line.action = [options] { return run_probe(*options); };
    return line;
}

}  // namespace fathom
