// `fathom report`: one document, in as many forms as are asked for.
#include <algorithm>
#include <clocale>
#include <cstring>
#include <fmt/format.h>
#include <langinfo.h>
#include <memory>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/output/output.h"
#include "analyzer/report/renderers.h"
#include "analyzer/studies/study.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* help = R"(
WHAT IT SAYS
  How fast the I/O was, with what each rate was computed from; how processes
  shared files (N-N, N-1, N-M, 1-1); where the time went, by rank; when data
  was moved, and by which ranks; what each layer did; how long operations took
  and how large they were; which files took most bytes and time.

THE FORM OF A FILE
  By its ending: .txt, .json, .html or .pdf; --format overrides it. Files appear
  whole or not at all. HTML needs no network, and shows all of it
  without script.

  JSON: "fathom_report" is 1, the version of the form; "values" holds the main
  numbers by name (rate.rate_per_node, modes.application_writes ...); "sections"
  holds everything: entries, tables, charts, notes, each number exact with its
  unit. What is not known is null.

EXAMPLES
  fathom report job.fathom
  fathom report job.fathom -o report.pdf -o report.html
  fathom report job.fathom --format json | jq '.values["rate.rate_per_node"]'

EXIT STATUS
  0 done, 1 the log could not be read or a report not written, 2 bad usage)";

struct Options {
    std::string log;
    std::vector<std::string> outputs;
    std::string format;
    std::size_t width = 0;
    StudyChoice choice;
};

// The window's width between 80 and 100 columns, 80 where there is no window.
std::size_t terminal_width()
{
    winsize window{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return 80;
    return std::clamp<std::size_t>(window.ws_col, 40, 100);
}

bool terminal_has_utf8()
{
    std::setlocale(LC_CTYPE, "");
    const bool utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    std::setlocale(LC_CTYPE, "C");
    return utf8;
}

struct Target {
    std::string path;  // empty: standard output
    const report::Renderer* renderer;
};

std::vector<Target> targets_of(const Options& options)
{
    const auto known = [](auto member) {
        std::string names;
        for (const report::Renderer& one : report::renderers())
            names += fmt::format("{}{}", names.empty() ? "" : ", ", one.*member);
        return names;
    };
    const report::Renderer* forced = nullptr;
    if (!options.format.empty()) {
        forced = report::renderer_of_format(options.format);
        if (forced == nullptr)
            throw BadUsage(fmt::format("--format {}: no such form; there are: {}", options.format,
                                       known(&report::Renderer::format)));
    }
    std::vector<Target> targets;
    if (options.outputs.empty())
        targets.push_back({"", forced != nullptr ? forced : report::renderer_of_format("text")});
    for (const std::string& path : options.outputs) {
        if (path == "-") {
            targets.push_back({"", forced != nullptr ? forced : report::renderer_of_format("text")});
            continue;
        }
        const report::Renderer* const renderer = forced != nullptr ? forced : report::renderer_for_file(path);
        if (renderer == nullptr)
            throw BadUsage(fmt::format("{}: no form of report has that ending; use {}, or say --format", path,
                                       known(&report::Renderer::endings)));
        targets.push_back({path, renderer});
    }
    return targets;
}

int run(const Options& options)
{
    const std::vector<Target> targets = targets_of(options);
    const Log log = open_dataset(options.log);
    const Job job(log);
    const report::Document document = make_report(job, options.choice);
    for (const Target& target : targets) {
        const bool screen = target.path.empty();
        const std::size_t width = options.width > 0 ? options.width : screen ? terminal_width() : 100;
        const std::string rendered =
            target.renderer->render(document, {width, !screen || terminal_has_utf8()});
        if (!screen) {
            save(target.path, rendered);
            continue;
        }
        StandardOutput out;
        out.write(rendered);
        out.flush();
    }
    return exit_done;
}

}  // namespace

Action declare_report(CLI::App& app)
{
    const auto options = std::make_shared<Options>();
    app.add_option("LOG", options->log, "the log to report on")->required();
    app.add_option("-o,--output", options->outputs,
                   "write to this file, '-' for standard output (again for several)")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_option("--format", options->format, "text, json, html or pdf, whatever the file's ending")
        ->type_name("FORM");
    app.add_option("--width", options->width, "columns of the text (default: the terminal's, 80 to 100)")
        ->type_name("N")
        ->check(CLI::Range(40, 400));
    app.add_option("--files", options->choice.files, "files to list in a table (default 10)")->type_name("N");
    app.footer(help);
    return [options] { return run(*options); };
}

}  // namespace fathom
