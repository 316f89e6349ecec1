// `fathom model`: learns from a measurement how long operations take that a cache or a device serves, and
// says of operations whose durations are known what served them.
#include <chrono>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <memory>
#include <sys/utsname.h>

#include "analyzer/commands/column_options.h"
#include "analyzer/commands/commands.h"
#include "analyzer/commands/installed.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/output/output.h"
#include "analyzer/timing/models/measurement.h"
#include "analyzer/timing/models/sections.h"
#include "analyzer/timing/models/train.h"
#include "analyzer/timing/operations/timed_operations.h"
#include "parsers/open.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr const char* model_help = R"(
  fathom measure -o m.csv                       measures on this machine
  fathom model train m.csv -o here.json         makes models of that
  fathom model classify app.fathom --model here.json
  fathom report app.fathom --model here.json    the report, with one section more

docs/MODELS.md says how the models are made and how often they are right.)";

constexpr const char* train_help = R"(
WHAT IT DOES
  For each state (discard, cached, uncached), operation and place of the buffer in
  memory it finds, size by size, above which duration operations are outliers, and
  lays two lines through these limits, for sizes up to 4 KiB and for larger ones;
  and two more through what is usual. The table has them and how well they fit.

  MEASUREMENT is a CSV that fathom measure wrote, or one with its columns state,
  operation, size and duration_s (memory, file, threads and start_s where there
  are any). Sizes of which there are fewer than 20 operations are left out.

EXAMPLES
  fathom model train m.csv -o here.json
  fathom model train m.csv -o here.json --file all --report here.html
  fathom model train m.csv -o here.json --largest-write 2MiB

EXIT STATUS
  0 done, 1 the measurement cannot be read or used, or a file not written, 2 bad
  usage)";

constexpr const char* classify_help = R"(
WHAT IT SAYS
  What served each read and write, by how long it took and what models say of its
  size: in numbers by class, by kind and size, over time; and how many seconds were
  lost against operations that the page cache serves. Of a log it takes the trace
  (fathom record --trace), and without one the histograms that every log has.

  A CSV needs a column of durations in seconds (duration_s, or --duration), and
  columns operation and size. One with a column `state`, as fathom measure writes
  it, tells what served each operation: then a table says how often that was found.

RULES
  limit     the first model whose limit is not passed; beyond all of them: uncached
  nearest   the model whose usual time is nearest; where nothing uncached was
            measured, what is beyond all limits is uncached
  Models that fathom model train made have both, and nearest is right more often.

EXAMPLES
  fathom model classify app.fathom --model here.json -o app.html
  fathom model classify fresh.csv --model here.json --memory given
  fathom model classify job.fathom --model mistral-lustre

  A model that was installed (share/fathom/models) needs its name alone.

EXIT STATUS
  0 done, 1 a file cannot be read or tells of no durations, 2 bad usage)";

struct TrainOptions {
    std::string measurement, model, about, file_system;
    std::vector<std::string> files = {"off0"};
    TrainingChoice choice;
    OutputOptions output;
};

struct ClassifyOptions {
    std::string source, model, rule, memory;
    OperationChoice operations;
    OutputOptions output;
};

// When it was measured: nobody knows better than the file.
std::string date_of(const std::string& path)
{
    std::error_code error;
    const auto written = fs::last_write_time(path, error);
    if (error) return {};
    const auto time =
        std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(written));
    return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

int train(TrainOptions& options)
{
    const std::vector<OutputTarget> targets = targets_of(options.output, {options.measurement});
    if (const std::string_view kind = kind_of_log(options.measurement); !kind.empty())
        throw BadUsage(fmt::format("train: {}: this is a {}; name a measurement, which fathom measure writes",
                                   options.measurement, kind));
    std::error_code none;
    if (fs::equivalent(options.measurement, options.model, none))
        throw BadUsage(
            fmt::format("train: {}: this is the measurement; name another file with -o", options.model));
    if (options.files != std::vector<std::string>{"all"})
        options.choice.files = options.files;
    else
        options.choice.files.clear();
    Progress progress;
    Training training = train_models(options.measurement, options.choice,
                                     progress.stage("reading the measurement", work_in_bytes));
    ModelFile& file = training.file;
    file.about = options.about.empty() ? "made by fathom model train" : options.about;
    utsname machine{};
    if (uname(&machine) == 0) {
        file.made.host = machine.nodename;
        file.made.kernel = fmt::format("{} {}", machine.sysname, machine.release);
    }
    file.made.file_system = options.file_system;
    file.made.date = date_of(options.measurement);
    // A measurement may have names and sizes that no model can have: better now than when the model is used.
    const std::string text = model_text(file);
    model_of_text(text, options.measurement);
    save(options.model, text);
    deliver(training_document(file, training.notes), targets, options.output.width, progress);
    return exit_done;
}

JudgeRule rule_of(const ClassifyOptions& options, const ModelFile& file)
{
    if (options.rule.empty()) return usual_rule(file);
    if (options.rule == rule_names[static_cast<std::size_t>(JudgeRule::limit)]) return JudgeRule::limit;
    if (!file.has_typical())
        throw BadUsage(
            fmt::format("classify: {}: its models have no usual times, which --rule nearest needs; "
                        "use --rule limit",
                        options.model));
    return JudgeRule::nearest;
}

Served judged(const ClassifyOptions& options, Judge& judge, Progress& progress)
{
    const bool given = options.memory == "given";
    const MemoryChoice memory{given ? "" : options.memory, given};
    const bool csv = is_csv_file(options.source);
    if (csv && options.operations.duration_column.empty() && is_measurement(options.source))
        return served_of_measurement(options.source, judge, memory,
                                     progress.stage("reading the measurement", work_in_bytes));
    if (given)
        throw BadUsage(
            fmt::format("classify: --memory given: {} does not have where buffers lay; name a layout, "
                        "or leave it out",
                        options.source));
    if (csv)
        return served_of(
            timed_operations(options.source, options.operations, progress.stage("reading", work_in_bytes)),
            judge, memory);
    const Log log = open_dataset(options.source, progress.stage("reading the log", work_in_bytes));
    return served_of(
        timed_operations(log, options.operations, progress.stage("reading the trace", {false, "operations"})),
        judge, memory);
}

int classify(const ClassifyOptions& options)
{
    const std::vector<OutputTarget> targets = targets_of(options.output, {options.source});
    const ModelFile file = read_model_file(model_path(options.model));
    Judge judge(file, rule_of(options, file));
    Progress progress;
    const Served served = judged(options, judge, progress);
    if (served.groups.empty())
        throw std::runtime_error(fmt::format(
            "{}: has no time of any read or write; fathom record --trace does, and its histograms",
            options.source));
    report::Document document{
        .title = "What served the operations of " + fs::path(options.source).filename().string(),
        .subtitle = fmt::format("by {} ({})", fs::path(options.model).filename().string(), origin_of(file)),
        .sections = {}};
    document.sections.push_back(
        {"served_from", "Where operations were served from",
         served_blocks(served, file, fs::path(options.model).filename().string(), judge.rule())});
    deliver(document, targets, options.output.width, progress);
    return exit_done;
}

CommandLine train_line()
{
    const auto options = std::make_shared<TrainOptions>();
    CommandLine line;
    line.options = {
        {"MEASUREMENT", "TEXT", "the CSV that fathom measure wrote", &options->measurement, required},
        {"-o,--output", "FILE", "the model file to write", &options->model, required},
    };
    line.add(
        output_options(options->output, "--report",
                       "what is said of the models goes there (again for several; default: the terminal)"));
    line.add({
        {"--file",
         "LIST",
         "layouts of the file to make models of: off0,seq,rnd or all (default off0)",
         &options->files,
         {.between = ','}},
        {"--threads", "N", "measured with so many threads (default 1)", &options->choice.threads},
        {"--largest-read",
         "SIZE",
         "larger reads are left out",
         &options->choice.largest_read,
         {.size = true}},
        {"--largest-write",
         "SIZE",
         "larger writes are left out",
         &options->choice.largest_write,
         {.size = true}},
        {"--about", "TEXT", "what the model file says of itself", &options->about},
        {"--file-system", "NAME", "what was measured", &options->file_system},
    });
    line.help = train_help;
    line.action = [options] { return train(*options); };
    return line;
}

CommandLine classify_line()
{
    const auto options = std::make_shared<ClassifyOptions>();
    CommandLine line;
    line.options = {
        {"LOG|CSV", "TEXT", "a log, or a CSV of operations and their durations", &options->source, required},
        {"--model", "FILE", "the model file", &options->model, required},
        {"--rule",
         "RULE",
         "limit or nearest; default: nearest where the models allow it",
         &options->rule,
         {.choices = {"limit", "nearest"}}},
        {"--memory", "LAYOUT",
         "ask only models of buffers that lay so: off0, rnd ..., or 'given': as each row of a "
         "measurement says",
         &options->memory},
    };
    line.add(column_options(options->operations));
    line.add(output_options(options->output));
    line.help = std::string(help_on_forms) + classify_help;
    line.action = [options] { return classify(*options); };
    return line;
}

constexpr Command model_commands[] = {
    {"train", "Make models of a measurement", train_line},
    {"classify", "Say what served operations, and what was lost", classify_line},
};

}  // namespace

CommandLine model_line()
{
    return {.options = {}, .help = model_help, .action = {}, .commands = model_commands};
}

}  // namespace fathom
