// `fathom watch`: what the programs under record on this node are doing now.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/output/output.h"
#include "analyzer/running/spools.h"
#include "analyzer/running/store.h"
#include "analyzer/timing/probe/time_words.h"
#include "analyzer/watch/find.h"
#include "analyzer/watch/left.h"
#include "analyzer/watch/screen.h"
#include "analyzer/watch/started.h"
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

  A COMMAND is recorded as `fathom record` does it, and watched. On a terminal it reads
  nothing, and what it prints there comes when it has ended, or once you quit; it runs
  on then. Elsewhere its output stays what it is, and the watch goes to standard error.

  A job on several nodes: where the site's monitors leave what jobs do in the job
  database (`fathom monitor --jobs`), --job shows it from anywhere, a row a node and
  step, with how old each is. Without them --leave writes some hundred bytes a recording
  and look into a folder of all nodes, on each of them, and --from shows that.

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
  fathom watch -o app.fathom -- mpirun -np 4 ./app -i input
  fathom watch --json --to watch.json ./app      its output as ever, the looks in a file
  fathom watch --db postgresql://db.site.org/jobs --job 4711
  fathom watch --leave ~/watched --every 10s     in a job, on each of its nodes
  fathom watch --from ~/watched --job 4711       all of them, from anywhere

EXIT STATUS
  0 done, 1 there is no such recording, 2 bad usage; of a COMMAND as of `fathom record`)";

struct WatchOptions {
    std::vector<std::string> recordings;
    std::string by = "recordings", every = "1s", output, to, leave, from, job, url, user;
    unsigned count = 0;
    bool json = false;
};

volatile std::sig_atomic_t interrupted = 0, sent = 0;

// What comes from the keyboard came to a program that was started here, too.
void interrupt(int signal, siginfo_t* about, void*)
{
    interrupted = 1;
    if (about->si_code <= 0) sent = signal;
}

// Numbers of processes, and spools, also one that is gone; else the words are a command.
bool are_recordings(const std::vector<std::string>& words)
{
    if (words.empty() || words.front().find_first_not_of("0123456789") == std::string::npos) return true;
    std::error_code error;
    const bool is_path = words.front().find('/') != std::string::npos;
    return is_path && !std::filesystem::is_regular_file(words.front(), error);
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

// Of one user: of whom is said, else of this one, else of the only one there is.
void keep_one_user(std::vector<watch::NodeRow>& rows, const std::string& job, std::string said)
{
    const auto is_of = [](const std::string& user) {
        return [&user](const watch::NodeRow& row) { return row.user == user; };
    };
    const std::string own = running::user_named(geteuid());
    if (said.empty() && std::ranges::any_of(rows, is_of(own))) said = own;
    if (said.empty() && !rows.empty()) {
        said = rows.front().user;
        if (!std::ranges::all_of(rows, is_of(said)))
            throw BadUsage(fmt::format("watch: several users have a job {}: say whose with --user", job));
    }
    std::erase_if(rows, [&](const watch::NodeRow& row) { return row.user != said; });
}

// What nodes tell of a job, in a folder or in the job database.
class ToldOfJob {
  public:
    explicit ToldOfJob(const WatchOptions& options) : options_(options)
    {
        if (!options.from.empty()) return;
        const std::string url = database_url(options.url);
        database_ = jobs::open_jobs(database::with_timeouts(url), jobs::Access::read);
        database_->give_up_after(seconds_a_question);
    }

    watch::Looks look() const
    {
        if (!database_) return watch::left_in(options_.from, options_.job);
        running::Told told = running::rows_told(*database_, options_.job);
        keep_one_user(told.rows, options_.job, options_.user);
        std::string user = told.rows.empty() ? options_.user : told.rows.front().user;
        return watch::looks_of(told.rows, told.now, {.id = options_.job, .user = std::move(user)});
    }

  private:
    static constexpr unsigned seconds_a_question = 10;
    const WatchOptions& options_;
    std::unique_ptr<jobs::Database> database_;
};

// Where looks go that are not drawn on a terminal.
class Lines {
  public:
    Lines(const std::string& to, bool to_standard_error)
    {
        if (!to.empty()) {
            file_.open(to);
            if (!file_)
                throw std::runtime_error(fmt::format("{}: cannot be written: {}", to, std::strerror(errno)));
            out_ = &file_;
        } else if (to_standard_error) {
            out_ = &std::cerr;
        } else {
            standard_output_.emplace();
        }
    }

    // False where nobody reads any more.
    bool write(const std::string& text)
    {
        if (out_ != nullptr) return static_cast<bool>(*out_ << text << std::flush);
        standard_output_->write(text);
        standard_output_->flush();
        return !standard_output_->is_closed();
    }

  private:
    std::ofstream file_;
    std::ostream* out_ = nullptr;
    std::optional<StandardOutput> standard_output_;  // which ignores SIGPIPE: a program shall not
};

// Looks again and again; of named recordings, and of a program that was started here, until all have ended.
class Watching {
  public:
    explicit Watching(const WatchOptions& options)
        : options_(options), lines_(options.to, !are_recordings(options.recordings))
    {
        show_.view = view_of(options.by);
        every_ = interval_of(options.every);
        on_terminal_ = !options.json && options.to.empty() && watch::Terminal::is_there();
        const char* const usual = std::getenv("FATHOM_DB");
        const bool in_database = !options.url.empty() || (usual != nullptr && options.from.empty());
        if (options.job.empty() != (options.from.empty() && options.url.empty()) &&
            (options.job.empty() || !in_database))
            throw BadUsage(
                "watch: --job goes together with --db or --from: which job, and where its nodes leave it");
        if (!options.url.empty() && !options.from.empty())
            throw BadUsage("watch: --db and --from are two places where nodes leave it: name one");
        if (!options.user.empty() && (options.job.empty() || !options.from.empty()))
            throw BadUsage("watch: --user says whose job of the database is meant (--db, --job)");
        if (!options.job.empty() && !(options.recordings.empty() && options.leave.empty()))
            throw BadUsage("watch: --job shows a job on its nodes: it takes no recording and no --leave");
        if (!options.leave.empty()) watch::forget_old(options.leave);
        if (!options.job.empty()) {
            told_.emplace(options);
            look_at_told();
            return;
        }
        if (are_recordings(options.recordings)) {
            if (!options.output.empty())
                throw BadUsage("watch: --output names the log of a command, and none was said");
            for (const std::string& recording : options.recordings)
                spools_.push_back(watch::spool_of(recording));
        } else {
            program_.emplace(options.recordings, options.output, on_terminal_);
            std::signal(SIGPIPE, SIG_IGN);
            if (const std::optional<std::string> spool = program_->spool()) spools_.push_back(*spool);
        }
        before_ = now_ = look();
    }

    int run()
    {
        if (!program_ || !spools_.empty()) on_terminal_ ? on_terminal() : on_lines();
        if (!program_) return exit_done;
        if (sent != 0) program_->pass(sent);
        const LaunchOutcome outcome = program_->give_back();
        return end_like(outcome, outcome.status);
    }

  private:
    static constexpr int looks_apart = 10;  // a tenth of a core at most

    void look_at_told()
    {
        watch::Looks looks = told_->look();
        before_ = std::move(looks.before);
        now_ = std::move(looks.now);
    }

    Snapshot look() const
    {
        return watch::look(spools_.empty() && !program_ ? watch::spools_in_use() : spools_);
    }

    bool over() { return interrupted != 0 || (program_ && program_->has_ended()); }

    void on_lines()
    {
        for (unsigned looks = 0; !over() && (options_.count == 0 || looks < options_.count); ++looks) {
            wait();
            if (!next()) break;
            std::string text;
            if (options_.json) {
                text = watch::json_of(before_, now_) + "\n";
            } else {
                for (const std::string& line : watch::lines_of(before_, now_, show_, timeline_, 0, 0))
                    text += line + "\n";
                text += "\n";
            }
            if (!lines_.write(text)) break;
        }
    }

    void wait()
    {
        const auto until = std::chrono::steady_clock::now() + std::max(every_, took_ * looks_apart);
        while (!over() && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(
                std::chrono::milliseconds(100), until - std::chrono::steady_clock::now()));
    }

    // False where all that was to be watched has ended: what it did until then was in the look before.
    bool next()
    {
        const auto began = std::chrono::steady_clock::now();
        if (told_) {
            look_at_told();
        } else {
            Snapshot then = look();
            if (!options_.leave.empty()) watch::leave(options_.leave, now_, then);
            if (!spools_.empty() && then.recordings.empty()) return false;
            before_ = std::move(now_);
            now_ = std::move(then);
        }
        took_ = std::chrono::steady_clock::now() - began;
        double bytes = 0;
        for (const watch::Row& row : watch::rows_of(before_, now_, View::recordings))
            bytes += static_cast<double>(row.lately.read + row.lately.written);
        const double seconds = static_cast<double>(now_.time - before_.time) / 1e9;
        timeline_.push_back(seconds > 0 ? bytes / seconds : 0);
        constexpr std::size_t most = 1000;
        if (timeline_.size() > most) timeline_.erase(timeline_.begin());
        return true;
    }

    void on_terminal()
    {
        watch::Terminal terminal;
        const std::vector<watch::Column> columns = watch::columns();
        auto due = std::chrono::steady_clock::now() +
                   std::chrono::duration_cast<std::chrono::steady_clock::duration>(every_);
        for (unsigned looks = 0; !over();) {
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
    }

    const WatchOptions& options_;
    Lines lines_;
    bool on_terminal_ = false;
    std::optional<watch::Started> program_;
    std::optional<ToldOfJob> told_;
    std::vector<std::string> spools_;
    watch::Show show_;
    Snapshot before_, now_;
    watch::Timeline timeline_;
    std::chrono::duration<double> every_{0}, took_{0};
};

int run_watch(const WatchOptions& options)
{
    struct sigaction action {};
    action.sa_sigaction = interrupt;
    action.sa_flags = SA_SIGINFO;
    for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
    return Watching(options).run();
}

}  // namespace

CommandLine watch_line()
{
    const auto options = std::make_shared<WatchOptions>();
    CommandLine line;
    line.options = {
        {"RECORDING", "PID|SPOOL|COMMAND...",
         "only these, or a program to record and watch; -- stands before it where it has options (default: "
         "all "
         "of yours on this node)",
         &options->recordings},
        {"-o,--output", "FILE", "the log of COMMAND", &options->output},
        {"--to", "FILE", "looks go to this file, and the terminal stays the program's", &options->to},
        {"--by", "WHAT", "begin with recordings, processes or files (default: recordings)", &options->by},
        {"--every", "TIME", "between two looks (default: 1s)", &options->every},
        {"--count",
         "N",
         "end after so many looks (default: never)",
         &options->count,
         {.bounds = Bounds{1, 1000000000}}},
        {"--json", "", "a line of JSON for each look", &options->json},
        {"--leave", "FOLDER",
         "also leave what jobs of the batch system do here in this folder of all nodes, at each look",
         &options->leave},
        {"--from", "FOLDER", "show what watches on all nodes of a job leave in this folder", &options->from},
        {"--db", "URL",
         "show what monitors on all nodes of a job leave in this database (default: FATHOM_DB)",
         &options->url},
        {"--job", "ID", "the job of the batch system, or a step of it (4711.0), with --db or --from",
         &options->job},
        {"--user", "NAME", "whose job it is, where several have one of this number (default: yours)",
         &options->user},
    };
    line.help = watch_help;
    line.action = [options] { return run_watch(*options); };
    return line;
}

}  // namespace fathom
