// `fathom files`: one document on what a scan found.
#include "analyzer/scan/document/files.h"

#include <fmt/format.h>
#include <memory>
#include <optional>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/output/progress.h"

namespace fathom {
namespace {

constexpr const char* files_help = R"(
WHAT IT SAYS
  What a scan (`fathom scan`) found, in one document: who holds what, how large
  files are, how long ago they were accessed and changed, sparse files, files with
  several names, and what could not be read. With an EARLIER scan, how all that grew.
  The figures are those of a study of such a site, Carns et al. 2011 (Intrepid):
  sizes as figure 8, ages as figures 9a and 9b, growth as table V.
)";

constexpr const char* files_examples = R"(
EXAMPLES
  fathom files scratch.scan                       on the screen
  fathom files scratch-11.scan scratch-10.scan -o growth.pdf
  fathom files scratch.scan --by user --top 50
  fathom files scratch.scan --format json | jq '.values["held.bytes_365_days"]'

EXIT STATUS
  0 done, 1 a scan could not be read or the document not be written, 2 bad usage)";

struct FilesOptions {
    std::string scan, earlier, by;
    unsigned top = 20;
    OutputOptions output;
};

int files(const FilesOptions& options)
{
    std::vector<std::string> inputs{options.scan};
    if (!options.earlier.empty()) inputs.push_back(options.earlier);
    const auto targets = targets_of(options.output, inputs);
    const scan::Scan later = scan::read_scan(options.scan);
    std::optional<scan::Scan> earlier;
    if (!options.earlier.empty()) earlier = scan::read_scan(options.earlier);
    if (earlier && earlier->began > later.began)
        throw BadUsage(fmt::format("files: {} is the later one; name it first", options.earlier));
    scan::FilesChoice choice{{}, options.top};
    for (const scan::Breakdown& row : scan::breakdowns)
        if (row.id == options.by) choice.by = row.by;
    Progress progress;
    deliver(scan::files_document(later, earlier ? &*earlier : nullptr, choice), targets, options.output.width,
            progress);
    return exit_done;
}

}  // namespace

CommandLine files_line()
{
    const auto options = std::make_shared<FilesOptions>();
    CommandLine line;
    line.options = {
        {"SCAN", "FILE", "a scan", &options->scan, required},
        {"EARLIER", "FILE", "one of the same paths, made before", &options->earlier},
        {"--by",
         "GROUP",
         "whose growth is shown: user, group, project or top (default: project where the scan has rules, "
         "else "
         "group)",
         &options->by,
         {.choices = {"user", "group", "project", "top"}}},
        {"--top", "N", "rows of a table (default: 20)", &options->top, {.bounds = Bounds{1, 1e6}}},
    };
    line.add(output_options(options->output));
    line.help = files_help + std::string(help_on_forms) + files_examples;
    line.action = [options] { return files(*options); };
    return line;
}

}  // namespace fathom
