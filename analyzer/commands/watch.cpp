// `fathom watch`: what the programs under record on this node are doing now.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <memory>
#include <thread>

#include "analyzer/commands/commands.h"
#include "analyzer/output/output.h"
#include "analyzer/timing/probe/time_words.h"
#include "analyzer/watch/find.h"
#include "analyzer/watch/screen.h"
#include "analyzer/watch/terminal.h"

namespace fathom {
namespace {

using watch::Snapshot;
using watch::View;

constexpr const char* watch_help = R"(
WHAT IT DOES
  Shows what programs under `fathom record` on this node are doing now: bytes read and
  written and calls a second since the last look, the share of its time that a process
  was in I/O, and what all of it comes to so far. It reads what the recordings keep in
  memory, and changes nothing: what is watched runs as before, and a watch may end at
  any time. A call counts when it returns.

  RECORDING is the number of a process, or a spool as `fathom recover` lists them;
  without one all of your recordings on this node are shown. With one the watch ends
  when it does. `fathom report SPOOL` makes the whole report of what was done so far.

KEYS
  j p f        recordings, processes, files
  w r o m i    sort by writes, reads, operations, metadata calls, share of time in I/O
  W R t        by bytes written and read in all, and by time in I/O
  /            only names with a word
  q            quit

  Where standard output is no terminal it prints a table at each look, with --json a
  line.

EXAMPLES
  fathom watch
  fathom watch 4711 --by files
  fathom watch --every 10s --json >> watch.json
  fathom watch --count 1                         one look, a second after the first

EXIT STATUS
  0 done, 1 there is no such recording, 2 bad usage)";

struct WatchOptions {
    std::vector<std::string> recordings;
    std::string by = "recordings", every = "1s";
    unsigned count = 0;
    bool json = false;
};

volatile std::sig_atomic_t interrupted = 0;

void interrupt(int)
{
    interrupted = 1;
}

View view_of(const std::string& name)
{
    if (name == "processes") return View::processes;
    if (name == "files") return View::files;
    if (name != "recordings")
        throw BadUsage(fmt::format("watch: --by {}: say recordings, processes or files", name));
    return View::recordings;
}

std::chrono::duration<double> interval_of(const std::string& words)
{
    constexpr std::uint64_t shortest = 100'000'000;
    const auto time = parse_time(words);
    if (!time || *time < shortest)
        throw BadUsage(
            fmt::format("watch: --every {}: say a length of time, 0.1s or more, like 1s or 5min", words));
    return std::chrono::nanoseconds(*time);
}

// Looks again and again; of named recordings until all have ended.
class Watching {
  public:
    explicit Watching(const WatchOptions& options) : options_(options)
    {
        show_.view = view_of(options.by);
        every_ = interval_of(options.every);
        for (const std::string& recording : options.recordings) spools_.push_back(watch::spool_of(recording));
        before_ = now_ = look();
    }

    int run()
    {
        if (!options_.json && watch::Terminal::is_there()) return on_terminal();
        StandardOutput out;
        for (unsigned looks = 0; interrupted == 0 && (options_.count == 0 || looks < options_.count);
             ++looks) {
            wait();
            if (!next()) break;
            if (options_.json) {
                out.write(watch::json_of(before_, now_) + "\n");
            } else {
                for (const std::string& line : watch::lines_of(before_, now_, show_, timeline_, 0, 0))
                    out.write(line + "\n");
                out.write("\n");
            }
            out.flush();
            if (out.is_closed()) break;
        }
        return exit_done;
    }

  private:
    static constexpr int looks_apart = 10;  // a tenth of a core at most

    Snapshot look() const { return watch::look(spools_.empty() ? watch::spools_in_use() : spools_); }

    void wait()
    {
        const auto until = std::chrono::steady_clock::now() + std::max(every_, took_ * looks_apart);
        while (interrupted == 0 && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(
                std::chrono::milliseconds(100), until - std::chrono::steady_clock::now()));
    }

    // False where all that was to be watched has ended: what it did until then was in the look before.
    bool next()
    {
        const auto began = std::chrono::steady_clock::now();
        Snapshot then = look();
        took_ = std::chrono::steady_clock::now() - began;
        if (!spools_.empty() && then.recordings.empty()) return false;
        before_ = std::move(now_);
        now_ = std::move(then);
        double bytes = 0;
        for (const watch::Row& row : watch::rows_of(before_, now_, View::recordings))
            bytes += static_cast<double>(row.lately.read + row.lately.written);
        const double seconds = static_cast<double>(now_.time - before_.time) / 1e9;
        timeline_.push_back(seconds > 0 ? bytes / seconds : 0);
        constexpr std::size_t most = 1000;
        if (timeline_.size() > most) timeline_.erase(timeline_.begin());
        return true;
    }

    int on_terminal()
    {
        watch::Terminal terminal;
        const std::vector<watch::Column> columns = watch::columns();
        auto due = std::chrono::steady_clock::now() +
                   std::chrono::duration_cast<std::chrono::steady_clock::duration>(every_);
        for (unsigned looks = 0; interrupted == 0;) {
            if (std::chrono::steady_clock::now() >= due) {
                if (options_.count > 0 && looks == options_.count) break;
                ++looks;
                if (!next()) break;
                due = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::max(every_, took_ * looks_apart));
            }
            terminal.show(
                watch::lines_of(before_, now_, show_, timeline_, terminal.width(), terminal.height()), 2);
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(due - std::chrono::steady_clock::now());
            const int key = terminal.key(static_cast<int>(std::clamp<long>(left.count(), 1, 200)));
            if (key == 'q') break;
            if (key == 'j') show_.view = View::recordings;
            if (key == 'p') show_.view = View::processes;
            if (key == 'f') show_.view = View::files;
            if (key == '/') show_.filter = terminal.ask("only names with: ");
            for (std::size_t at = 0; at < columns.size(); ++at)
                if (key == columns[at].key) show_.sort = at;
        }
        return exit_done;
    }

    const WatchOptions& options_;
    std::vector<std::string> spools_;
    watch::Show show_;
    Snapshot before_, now_;
    watch::Timeline timeline_;
    std::chrono::duration<double> every_{0}, took_{0};
};

int run_watch(const WatchOptions& options)
{
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    return Watching(options).run();
}

}  // namespace

CommandLine watch_line()
{
    const auto options = std::make_shared<WatchOptions>();
    CommandLine line;
    line.options = {
        {"RECORDING", "PID|SPOOL", "only these (default: all of yours on this node)", &options->recordings},
        {"--by", "WHAT", "begin with recordings, processes or files (default: recordings)", &options->by},
        {"--every", "TIME", "between two looks (default: 1s)", &options->every},
        {"--count",
         "N",
         "end after so many looks (default: never)",
         &options->count,
         {.bounds = Bounds{1, 1000000000}}},
        {"--json", "", "a line of JSON for each look", &options->json},
    };
    line.help = watch_help;
    line.action = [options] { return run_watch(*options); };
    return line;
}

}  // namespace fathom
