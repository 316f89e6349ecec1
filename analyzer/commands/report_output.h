// The options of commands that make a document, and where it goes: shared by `fathom report` and `fathom
// compare`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/commands/command_line.h"
#include "analyzer/document/document.h"
#include "analyzer/document/renderers/renderers.h"
#include "analyzer/output/progress.h"

namespace fathom {

struct OutputOptions {
    std::vector<std::string> outputs;  // paths; "-" is standard output, as is none at all
    std::string format;                // empty: by the ending of each
    std::size_t width = 0;             // 0: the terminal's
};

// -o, or what the command calls that, --format and --width, which fill `options`.
std::vector<CommandOption> output_options(
    OutputOptions& options, const char* names = "-o,--output",
    const char* meaning = "write to this file, '-' for standard output (again for several)");

// What both helps say about the form of a file.
extern const std::string_view help_on_forms;

struct OutputTarget {
    std::string path;  // empty: standard output
    const report::Renderer* renderer;
};

// Throws BadUsage for a form that there is not, and for a file that is one of `inputs`, which would be lost:
// call it before the work.
std::vector<OutputTarget> targets_of(const OutputOptions& options, const std::vector<std::string>& inputs);

// The latter, for outputs of other kinds.
void refuse_outputs_over(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

// Renders the document for each target; its bar is the last stage of the command's. A terminal's width is
// taken up to `widest`. Throws std::runtime_error where one cannot be written.
void deliver(const report::Document& document, const std::vector<OutputTarget>& targets, std::size_t width,
             Progress& progress, std::size_t widest = 100);

}  // namespace fathom
