// `fathom recover`: makes a log of what a recording left that did not come to its end.
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/summary.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "analyzer/record/collect.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

constexpr const char* help = R"(
WHAT IT DOES
  A recording keeps what it counts in a folder in memory until its log is written.
  If that could not be written (a full disk), or `fathom record` itself was killed,
  the folder is still there until the node restarts. This makes a log of it.
  Without a SPOOL it lists the folders there are.

EXAMPLES
  fathom recover
  fathom recover /dev/shm/fathom-1000-Ab3xYz -o app.fathom

EXIT STATUS
  0 done, 1 the spool could not be read or the log not written, 2 bad usage)";

struct Options {
    std::string spool, output;
    bool keep = false;
};

int list()
{
    StandardOutput out;
    for (const std::string& spool : spools_left())
        out.write(fmt::format("{}  {} processes\n", spool, parts_in(spool).size()));
    out.flush();
    return exit_done;
}

int run(const Options& options)
{
    if (options.spool.empty()) return list();
    if (options.output.empty()) throw BadUsage("recover: name the log to write with -o FILE");
    Log facts;
    try {
        facts = read_log(facts_path(options.spool));
    } catch (const LogError&) {
        // Recorded without `fathom record`: the parts tell enough.
    }
    Collected collected =
        collect_parts(options.spool, std::move(facts), [](const std::string&) { return false; });
    if (collected.parts == 0)
        throw std::runtime_error(options.spool + ": no recorded process in this folder");
    add_mounts(collected.log);
    write_log(collected.log, options.output);
    if (!options.keep) remove_spool(options.spool);
    tell(summary_of(collected.log, options.output));
    return exit_done;
}

}  // namespace

Action declare_recover(CLI::App& app)
{
    const auto options = std::make_shared<Options>();
    app.add_option("SPOOL", options->spool, "the folder to recover");
    app.add_option("-o,--output", options->output, "the log to write")->type_name("FILE");
    app.add_flag("--keep", options->keep, "leave the folder in place");
    app.footer(help);
    return [options] { return run(*options); };
}

}  // namespace fathom
