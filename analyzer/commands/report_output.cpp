// Renders a document for files and for the terminal.
#include "analyzer/commands/report_output.h"

#include <algorithm>
#include <clocale>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/output/output.h"

namespace fathom {
namespace {

// The window's width, 80 where there is no window.
std::size_t terminal_width(std::size_t widest)
{
    winsize window{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return 80;
    return std::clamp<std::size_t>(window.ws_col, 40, widest);
}

bool terminal_has_utf8()
{
    std::setlocale(LC_CTYPE, "");
    const bool utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    std::setlocale(LC_CTYPE, "C");
    return utf8;
}

}  // namespace

const std::string_view help_on_forms = R"(
THE FORM OF A FILE
  By its ending: .txt, .json, .html or .pdf; --format overrides it. Files appear
  whole or not at all. HTML needs no network, and shows everything without script
  too.
)";

std::vector<CommandOption> output_options(OutputOptions& options, const char* names, const char* meaning)
{
    std::vector<std::string> formats;
    for (const report::Renderer& one : report::renderers()) formats.emplace_back(one.format);
    return {
        {names, "FILE", meaning, &options.outputs},
        {"--format",
         "FORM",
         "text, json, html or pdf, whatever the file's ending",
         &options.format,
         {.offers = formats}},
        {"--width",
         "N",
         "columns of the text (default: the terminal's, 80 to 100)",
         &options.width,
         {.bounds = Bounds{40, 400}}},
    };
}

void refuse_outputs_over(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
{
    for (const std::string& output : outputs)
        for (const std::string& input : inputs) {
            std::error_code none;
            if (output != "-" && (output == input || std::filesystem::equivalent(output, input, none)))
                throw BadUsage(
                    fmt::format("{}: this is read, and -o would write over it; name another file", output));
        }
}

namespace {

// It would make a mess of a terminal, and tell nobody anything.
void refuse_pdf_on_terminal(const std::vector<OutputTarget>& targets)
{
    for (const OutputTarget& target : targets)
        if (target.path.empty() && target.renderer->format == "pdf" && isatty(STDOUT_FILENO) != 0)
            throw BadUsage(
                "a terminal cannot show PDF: name a file with -o report.pdf, or send it on: > report.pdf");
}

}  // namespace

std::vector<OutputTarget> targets_of(const OutputOptions& options, const std::vector<std::string>& inputs)
{
    refuse_outputs_over(inputs, options.outputs);
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
    std::vector<OutputTarget> targets;
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
    refuse_pdf_on_terminal(targets);
    return targets;
}

void deliver(const report::Document& document, const std::vector<OutputTarget>& targets, std::size_t width,
             Progress& progress, std::size_t widest)
{
    const Tick tick = progress.stage("making the report", {false, "steps"});
    std::vector<std::string> for_screen;
    std::uint64_t done = 1;  // the document itself
    for (const OutputTarget& target : targets) {
        tick(done++, 1 + targets.size());
        const bool screen = target.path.empty();
        const std::size_t columns = width > 0 ? width : screen ? terminal_width(widest) : widest;
        std::string rendered = target.renderer->render(document, {columns, !screen || terminal_has_utf8()});
        if (screen)
            for_screen.push_back(std::move(rendered));
        else
            save(target.path, rendered);
    }
    progress.clear();
    StandardOutput out;
    for (const std::string& rendered : for_screen) out.write(rendered);
    out.flush();
}

}  // namespace fathom
