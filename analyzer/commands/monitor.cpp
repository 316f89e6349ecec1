// `fathom monitor`: reads the options, then becomes fathom-monitor, which needs a tenth of the memory.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/monitor/sources.h"
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

EXAMPLES
  fathom monitor -o /var/log/fathom
  fathom monitor -o series --every 1s --for 10min
  systemctl enable --now fathom-monitor        share/systemd has the unit

EXIT STATUS
  0 ended, 1 nothing could be written, 2 bad usage)";

constexpr std::uint64_t shortest_round = 100'000'000;  // ns

struct MonitorOptions {
    std::string folder, every = "10s", length;
    std::uint64_t days = 30, most = std::uint64_t{1} << 30;
};

std::uint64_t nanoseconds_of(const std::string& words, const char* option)
{
    if (const auto time = parse_time(words)) return *time;
    throw BadUsage(
        fmt::format("monitor: {} {}: no length of time; say it like 10s, 5min, 12h", option, words));
}

int start_monitor(const MonitorOptions& options)
{
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
            },
            help + monitor_end,
            [options] { return start_monitor(*options); }};
}

}  // namespace fathom
