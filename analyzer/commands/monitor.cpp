// `fathom monitor`: reads the options, then becomes fathom-monitor, which needs a tenth of the memory.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/prctl.h>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/monitor/sources.h"
#include "analyzer/output/message.h"
#include "analyzer/running/report.h"
#include "analyzer/timing/probe/time_words.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr const char* monitor_help = R"(
WHAT IT DOES
  At each multiple of the interval, by the clock of the day, it reads what the kernel
  counts on this node, and adds it to a file HOST-DATE.monitor in the folder; a UTC
  day has a file. Any number of nodes may share the folder. It ends by Ctrl-C or
  SIGTERM, or after --for. Each interval is on the device once it is over: a kill, or
  an end of power, costs no more than the one that was under way, and the next monitor
  goes on in the same file. On a full disk intervals are missing until there is room.

WHAT IT READS
)";
constexpr const char* monitor_end = R"(
  All that are here, without privileges, but: Lustre's clients count in debugfs, and
  bricks of GlusterFS are processes of root, so run it as root there.

  `fathom devices FOLDER` shows it; `fathom report LOG --system FOLDER` puts it
  beside a job.

JOBS THAT RUN
  With --jobs it also looks at the recordings of jobs of the batch system that run
  here, at least every 10 s, and keeps a row a step, some 400 bytes, in the job
  database: `fathom watch --db URL --job ID` and `fathom serve` show a job with all of
  its nodes then. It only reads what programs count anyway. Run it as root for all
  users' jobs, else it sees yours; a process of each user reads what is theirs. It
  takes a fiftieth of a core at most. docs/WATCH.md says who may see what.

EXAMPLES
  fathom monitor -o /var/log/fathom
  fathom monitor -o series --every 1s --for 10min
  fathom monitor -o /var/log/fathom --jobs --db postgresql://db.site.org/jobs
  systemctl enable --now fathom-monitor        share/systemd has the unit

EXIT STATUS
  0 ended, 1 nothing could be written, 2 bad usage)";

constexpr const char* usual_spools = "/run/fathom-site";  // as share/slurm has it
constexpr std::uint64_t shortest_round = 100'000'000;     // ns

struct MonitorOptions {
    std::string folder, every = "10s", length;
    bool jobs = false;
    std::string url;
    std::vector<std::string> spools;
    std::uint64_t days = 30, most = std::uint64_t{1} << 30;
};

std::uint64_t nanoseconds_of(const std::string& words, const char* option)
{
    if (const auto time = parse_time(words)) return *time;
    throw BadUsage(
        fmt::format("monitor: {} {}: no length of time; say it like 10s, 5min, 12h", option, words));
}

// Beside this process, for as long as it lives.
void start_reporter(const MonitorOptions& options, std::uint64_t every)
{
    constexpr std::uint64_t longest_round = 10'000'000'000;  // so that a watch knows all within 30 s
    running::ReportSettings settings;
    settings.url = database_url(options.url);
    settings.every = std::chrono::nanoseconds(std::min(every, longest_round));
    settings.site_folders = options.spools;
    if (settings.site_folders.empty()) settings.site_folders.emplace_back(usual_spools);
    settings.say = [](const std::string& words) { tell("monitor: " + words); };
    try {
        jobs::open_jobs(database::with_timeouts(settings.url), jobs::Access::write);
    } catch (const jobs::DatabaseError& error) {
        settings.say(error.what());  // it may come later: series are kept anyway
    }
    const pid_t monitor = getpid(), pid = fork();
    if (pid < 0)
        throw std::runtime_error(
            fmt::format("no process can be started to look at jobs: {}", std::strerror(errno)));
    if (pid > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != monitor) _exit(0);
    prctl(PR_SET_NAME, "fathom-jobs");
    (void)!nice(5);
    running::report_jobs(settings);
}

int start_monitor(const MonitorOptions& options)
{
    if (!options.jobs && !(options.url.empty() && options.spools.empty()))
        throw BadUsage("monitor: --db and --spools say where jobs are looked for and left: say --jobs, too");
    const std::uint64_t every = nanoseconds_of(options.every, "--every");
    if (every < shortest_round)
        throw BadUsage(fmt::format("monitor: --every {}: the least is 0.1s", options.every));
    const std::uint64_t length = options.length.empty() ? 0 : nanoseconds_of(options.length, "--for");
    std::error_code error;
    fs::create_directories(options.folder, error);
    if (!fs::is_directory(options.folder))
        throw std::runtime_error(
            fmt::format("{}: this folder cannot be made: {}", options.folder, error.message()));
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const std::string program = (self.parent_path() / "fathom-monitor").string();
    const std::string folder = fs::absolute(options.folder).string();
    const std::string words[] = {fmt::format("{}", every), fmt::format("{}", length),
                                 fmt::format("{}", options.days), fmt::format("{}", options.most)};
    if (options.jobs) start_reporter(options, every);
    execl(program.c_str(), "fathom-monitor", folder.c_str(), words[0].c_str(), words[1].c_str(),
          words[2].c_str(), words[3].c_str(), static_cast<char*>(nullptr));
    throw std::runtime_error(
        fmt::format("{}: cannot be run: {}; install Fathom whole", program, std::strerror(errno)));
}

}  // namespace

CommandLine monitor_line()
{
    const auto options = std::make_shared<MonitorOptions>();
    std::string help = monitor_help;
    for (const monitor::Source& source : monitor::sources())
        help += fmt::format("  {:<11} {}\n", source.name, source.meaning);
    return {{
                {"-o,--output",
                 "FOLDER",
                 "where its files go; it is made where there is none",
                 &options->folder,
                 {.required = true}},
                {"--every", "TIME", "the interval (default: 10s)", &options->every},
                {"--for", "TIME", "end after so long (default: never)", &options->length},
                {"--keep",
                 "DAYS",
                 "remove this host's files that are older (default: 30)",
                 &options->days,
                 {.bounds = Bounds{1, 36500}}},
                {"--most",
                 "SIZE",
                 "remove the oldest where this host's files take more (default: 1GiB)",
                 &options->most,
                 {.positive = true, .size = true}},
                {"--jobs", "", "also leave what jobs do that run here in the job database (see below)",
                 &options->jobs},
                {"--db", "URL", "the job database, with --jobs (default: FATHOM_DB, or a file of yours)",
                 &options->url},
                {"--spools", "FOLDER",
                 "where a site's jobs record, with --jobs (again for several; default: /run/fathom-site)",
                 &options->spools},
            },
            help + monitor_end,
            [options] { return start_monitor(*options); }};
}

}  // namespace fathom
