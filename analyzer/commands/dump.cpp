// `fathom dump`: every counter of a log, exactly.
#include "analyzer/dump/dump.h"

#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/output/output.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* help = R"(
WHAT IT PRINTS
  One counter a line, tab-separated: table, process, counter, value, subject.
  The subject is the path, the layer or the mount that the counter is about.
  Durations are seconds, instants seconds since the job's start, with all nine
  decimals; '-' stands for never, 'not-recorded' for a counter the log lacks.
  Lines that begin with '#' describe the rest and tell what is damaged.

  --json prints one document instead:
    fathom_dump             1, the version of this form
    job_start_unix_seconds  what instants are relative to
    problems, not_recorded  lists of texts
    tables                  one list of objects a table; file ids are hexadecimal

EXAMPLES
  fathom dump job.fathom | grep -P '\tbytes_written\t'
  fathom dump --table posix --file checkpoint --nonzero job.fathom
  fathom dump --json job.fathom | jq '.tables.posix[] | {path, process, reads}'

EXIT STATUS
  0 done, 1 the log could not be read or the output not written, 2 bad usage)";

struct Options {
    std::string log;
    DumpChoice choice;
    std::vector<std::string> tables;
    bool json = false;
    bool schema = false;
};

void check_tables(Options& options)
{
    std::string known;
    std::set<std::string, std::less<>> names;
    each_table([&](const auto& table, std::size_t) {
        names.emplace(table.name);
        known += fmt::format("{}{}", known.empty() ? "" : ", ", table.name);
    });
    for (const std::string& table : options.tables) {
        if (!names.contains(table))
            throw BadUsage(fmt::format("--table {}: no such table; there are: {}", table, known));
        options.choice.tables.insert(table);
    }
}

int run(Options& options)
{
    check_tables(options);
    StandardOutput out;
    const Sink sink = [&](std::string_view piece) {
        out.write(piece);
        return !out.is_closed();
    };
    if (options.schema) {
        sink(schema_text());
    } else {
        if (options.log.empty()) throw BadUsage("LOG is missing: name the log to dump");
        const Log log = open_dataset(options.log);
        if (options.json)
            dump_json(log, options.choice, sink);
        else
            dump_text(log, options.choice, sink);
    }
    out.flush();
    return exit_done;
}

}  // namespace

Action declare_dump(CLI::App& app)
{
    const auto options = std::make_shared<Options>();
    app.add_option("LOG", options->log, "the log to dump");
    app.add_option("--table", options->tables, "print only this table (again for several)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_option("--file", options->choice.file, "print only files whose path contains this")
        ->type_name("TEXT");
    app.add_flag("--nonzero", options->choice.nonzero, "leave out counters that are 0");
    app.add_flag("--json", options->json, "one JSON document instead of lines");
    app.add_flag("--schema", options->schema,
                 "print the columns of every table and their meaning; needs no LOG");
    app.footer(help);
    return [options] { return run(*options); };
}

}  // namespace fathom
