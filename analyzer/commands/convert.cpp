// `fathom convert`: a log in the form of another tool, without names, of one file alone, with a note.
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "analyzer/commands/commands.h"
#include "analyzer/convert/anonymize_log.h"
#include "analyzer/convert/darshan_changes.h"
#include "analyzer/convert/only_file.h"
#include "analyzer/document/printable.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "logformat/log/trace.h"
#include "logformat/log/trace_store.h"
#include "parsers/darshan/copy.h"
#include "parsers/darshan/dataset.h"
#include "parsers/darshan/from_log.h"
#include "parsers/open.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr const char* convert_help = R"(
WHAT IT DOES
  Writes what IN has as OUT. The suffix of OUT says in which form:

  .darshan  a Darshan log of format 3.41, which the tools of Darshan 3.4 and later
            read: POSIX, STDIO, MPI-IO, LUSTRE and HEATMAP, and DXT where there is
            a trace. A Darshan log of any format is copied record by record. The
            log of an MPI job is of its ranks alone, without launchers and shells.
  .fathom   a log of Fathom

  Where OUT has no place for something, a line on standard error says what and how
  much of it.

WITHOUT NAMES
  --anonymize replaces what shows who ran the program, or where: names of
  files, program, command line, user and job id, hosts, devices and servers of
  mounts, Lustre pools, MPI hints but numbers; notes and sentences are left out.
  Paths are replaced component by component: a folder still holds its files, and a
  file lies on its mount. What stands for a name is a keyed hash (BLAKE2b). The key
  is made up anew each time and kept nowhere, unless --key names a file with one:
  the same key gives the same names in all logs.
  What stays: times (the job's start too), sizes, counts, types of file systems,
  process ids, numbers of Lustre's servers.

ONE FILE
  --only keeps what the log has of one file: its path as a whole, its id as
  `fathom dump` prints it, or, where no file is called so, a part of the path.
  What is of all files together is left out.

EXAMPLES
  fathom convert job.fathom job.darshan && darshan-parser job.darshan
  fathom convert old.darshan new.darshan        an old format to the newest
  fathom convert --anonymize --key site.key job.darshan public.darshan
  fathom convert --only /scratch/out.h5 --note 'before striping' job.fathom out.fathom

EXIT STATUS
  0 done, 1 IN could not be read or OUT not written, 2 bad usage)";

struct ConvertOptions {
    std::string in, out, to, key, only, note;
    bool anonymize = false;
};

enum class LogForm { fathom, darshan };

LogForm log_form_of(const ConvertOptions& options)
{
    const std::string name =
        options.to.empty() ? fs::path(options.out).extension().string() : "." + options.to;
    if (name == ".darshan") return LogForm::darshan;
    if (name == ".fathom") return LogForm::fathom;
    throw BadUsage(
        fmt::format("convert: {}: its suffix does not say what it is to be; add --to darshan or --to fathom",
                    options.out));
}

void check_convert(const ConvertOptions& options)
{
    std::error_code none;
    if (fs::equivalent(options.in, options.out, none))
        throw BadUsage(
            fmt::format("convert: {}: this is the log to convert; name another file", options.out));
    if (!options.key.empty() && !options.anonymize)
        throw BadUsage("convert: --key: there is nothing to hide without --anonymize");
}

void tell_all(const std::string& path, std::string_view what, const std::vector<std::string>& sentences)
{
    for (const std::string& sentence : sentences)
        tell(report::printable(fmt::format("{}: {}{}", path, what, sentence)));
}

constexpr std::string_view no_place = "left out: ";

struct Changes {
    std::optional<Anonymizer> anonymizer;
    std::optional<FileChoice> only;
};

Changes changes_of(const ConvertOptions& options, const std::vector<FileName>& names)
{
    Changes changes;
    if (options.anonymize)
        changes.anonymizer =
            options.key.empty() ? Anonymizer::with_random_key() : Anonymizer::with_key_of(options.key);
    if (!options.only.empty()) {
        changes.only.emplace(options.only, names);
        if (changes.only->none())
            throw LogError(fmt::format("{}: no file is called {}; fathom dump --table names lists them",
                                       options.in, options.only));
    }
    return changes;
}

void copy_darshan(const ConvertOptions& options)
{
    const darshan::File from(options.in);
    std::vector<FileName> names;
    for (const auto& [id, name] : from.names()) names.push_back({id, 0, name});
    const Changes changes = changes_of(options, names);
    tell_all(options.out, no_place,
             darshan::copy_log(from, options.out,
                               darshan_changes(changes.anonymizer, changes.only, options.note)));
}

Log read_and_change(const ConvertOptions& options)
{
    Progress progress;
    Log log = open_dataset(options.in, progress.stage("reading the log", work_in_bytes));
    progress.clear();
    tell_all(options.in, "", log.problems);
    const Changes changes = changes_of(options, log.rows<FileName>());
    if (changes.only) tell_all(options.out, no_place, keep_only(log, *changes.only));
    if (changes.anonymizer) anonymize(log, *changes.anonymizer);
    if (!options.note.empty()) log.add_fact("note", options.note);
    return log;
}

// A log of ours holds its trace itself.
void take_in_trace(const ConvertOptions& options, Log& log)
{
    if (!log.trace_elsewhere) return;
    const auto source = std::exchange(log.trace_elsewhere, {});
    tell_all(options.in, "", store_trace(log, source));
    if (!log.rows<TracePiece>().empty())
        tell(fmt::format(
            "{}: durations of traced operations are kept within 1.6 %, starts within 3.2 % of the "
            "pause before them",
            options.out));
}

int run_convert(const ConvertOptions& options)
{
    check_convert(options);
    const LogForm form = log_form_of(options);
    if (form == LogForm::darshan && darshan::is_darshan_log(first_bytes_of(options.in))) {
        copy_darshan(options);
        return exit_done;
    }
    Log log = read_and_change(options);
    if (form == LogForm::darshan) {
        tell_all(options.out, no_place, darshan::write_darshan_log(log, options.out));
    } else {
        take_in_trace(options, log);
        write_log(log, options.out);
    }
    return exit_done;
}

}  // namespace

CommandLine convert_line()
{
    const auto options = std::make_shared<ConvertOptions>();
    CommandLine line;
    line.options = {
        {"IN", "TEXT", "the log to convert: of Fathom or of Darshan", &options->in, required},
        {"OUT", "TEXT", "the log to write, which is replaced where it is there", &options->out, required},
        {"--to",
         "TEXT",
         "the form of OUT where its suffix does not say it",
         &options->to,
         {.choices = {"darshan", "fathom"}}},
        {"--anonymize", "", "replace what identifies who ran the program, or where", &options->anonymize},
        {"--key", "FILE", "for --anonymize: a file whose bytes are the key", &options->key},
        {"--only", "FILE", "keep this file alone: its path, its id, or a part of its path", &options->only},
        {"--note", "TEXT", "add this to the job metadata", &options->note},
    };
    line.help = convert_help;
    line.action = [options] { return run_convert(*options); };
    return line;
}

}  // namespace fathom
