// What a recording is made of, and what it says.
#include "analyzer/commands/recording.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/output/message.h"
#include "analyzer/record/endings.h"
#include "analyzer/record/liveness.h"
#include "analyzer/record/publish.h"
#include "analyzer/record/spool.h"
#include "logformat/job_identity.h"
#include "logformat/log/new_file.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr int exit_not_runnable = 126, exit_not_found = 127;

std::string key_of(const std::string& job, const std::string& asked_for)
{
    const std::string log = fs::absolute(asked_for.empty() ? "." : asked_for).lexically_normal();
    return fmt::format("{}.{:08x}", job, static_cast<std::uint32_t>(std::hash<std::string>{}(log)));
}

}  // namespace

Recording::Recording(const RecordOptions& given)
    : options(given),
      start(unix_ns_now()),
      pid(getpid()),
      by(launched()),
      inside(by.has_value()),
      names(inside && by->rank != "0" ? OwnerNames{} : names_of_owner()),
      job(job_key(by)),
      key(key_of(job, options.output)),
      spool(make_spool()),
      ranks_folder(inside ? make_ranks_folder(key) : spool),
      hindrance(hindrance_of(options.command.front()))
{}

std::string Recording::output(const std::string& program) const
{
    fs::path path = options.output;
    std::error_code unknown;
    if (!path.empty() && (!trouble_with_owner(path).empty() || !fs::is_directory(path, unknown)))
        return fs::absolute(path);
    path /= default_log_name(program, by, start);
    const fs::path stem = path.parent_path() / path.stem();
    for (int n = 2; is_of_another_job(path, job); ++n) path = fmt::format("{}-{}.fathom", stem.string(), n);
    return fs::absolute(path);
}

namespace {

// AddressSanitizer ends programs whose first library is not its own, unless it is told not to look.
std::string asan_options()
{
    const char* const set = std::getenv("ASAN_OPTIONS");
    const std::string theirs = set == nullptr ? "" : set;
    if (theirs.find("verify_asan_link_order") != std::string::npos) return theirs;
    return theirs + (theirs.empty() ? "" : ":") + "verify_asan_link_order=0";
}

}  // namespace

Environment environment_for(const Recording& recording, const std::string& output,
                            const std::string& launch_folder)
{
    std::string library = library_path(recording.options.library);
    // LD_PRELOAD separates names by blanks and colons.
    if (library.find_first_of(" :") != std::string::npos) {
        const std::string link = recording.spool + "/libfathom.so";
        fs::create_symlink(library, link);
        library = link;
    }
    const char* const preloaded = std::getenv("LD_PRELOAD");
    const auto set_if = [](bool condition, const std::string& value) {
        return condition ? std::optional(value) : std::nullopt;
    };
    const std::string ours = recording.hindrance.preload_harms ? "" : library;
    const std::string theirs = preloaded == nullptr ? "" : preloaded;
    const std::string both = ours + (ours.empty() || theirs.empty() ? "" : ":") + theirs;
    // What is not set is taken out: it may be left from a recording around this one. So is the output, which
    // is not that of recordings inside this one.
    Environment environment = {
        {"LD_PRELOAD", set_if(!both.empty(), both)},
        {"ASAN_OPTIONS", asan_options()},
        {options::spool.environment, recording.spool},
        {"FATHOM_RANKS", recording.ranks_folder},
        {"FATHOM_LOG", output},
        {"FATHOM_JOB", recording.job},
        {"FATHOM_STREAMS", redirected_streams()},
        {identity::user_name_variable, set_if(!recording.names.user.empty(), recording.names.user)},
        {identity::group_name_variable, set_if(!recording.names.group.empty(), recording.names.group)},
        {"FATHOM_LAUNCH", set_if(!launch_folder.empty(), launch_folder)},
        {"FATHOM_COLLECT", set_if(!recording.inside, "1")},
        {options::output.environment, std::nullopt}};
    for (const auto& [name, value] : recording.options.for_library) environment.emplace_back(name, value);
    return environment;
}

Log facts_at_start(const Recording& recording)
{
    const RecordOptions& options = recording.options;
    Log facts = facts_of(options.arguments ? options.command : std::vector{options.command.front()},
                         recording.job, recording.start, recording.names, options.exclude, options.include);
    for (const std::string& note : options.notes) facts.add_fact("note", note);
    return facts;
}

Log facts_at_end(const Recording& recording, const LaunchOutcome& outcome)
{
    const std::uint64_t end = unix_ns_now();
    Log facts = facts_at_start(recording);
    facts.add_fact("exit_status", fmt::format("{}", outcome.status));
    facts.add_fact("ended_ns", fmt::format("{}", end));
    const int status = outcome.signal != 0 ? W_EXITCODE(0, outcome.signal) : W_EXITCODE(outcome.status, 0);
    const std::string host(facts.fact("host").value_or(""));
    add_death(
        facts, host,
        {static_cast<std::uint64_t>(recording.pid), static_cast<std::uint64_t>(outcome.pid), status, end});
    return facts;
}

void keep_facts(const Recording& recording, Log facts, const std::string& folder)
{
    keep(recording.spool, {std::move(facts), identity_of(getpid()), folder});
}

std::string sentence_on(const Hindrance& hindrance)
{
    return fmt::format("{}: what it does itself cannot be recorded{}", hindrance.sentence,
                       hindrance.preload_harms ? ", nor the programs that it starts" : "");
}

void check_output(const std::string& path)
{
    const std::string folder = fs::path(path).parent_path();
    std::string trouble = place_of(path).trouble;
    if (trouble.empty() && access(folder.c_str(), W_OK | X_OK) != 0) trouble = std::strerror(errno);
    if (!trouble.empty())
        tell(fmt::format("{}: cannot write a log there: {}; the program is run all the same", path, trouble));
}

std::string sentence_on_trouble(std::string_view why, const std::string& spool)
{
    return fmt::format("{}\nfathom: what was recorded is kept; to try again: fathom recover {} -o FILE", why,
                       spool);
}

int report_failed_start(const std::string& program, int error)
{
    if (error == ENOENT) {
        const bool launcher = program == "mpirun" || program == "mpiexec" || program == "mpiexec.hydra";
        tell(fmt::format("{}: command not found{}", program,
                         launcher ? "; is MPI installed? On Debian: apt-get install openmpi-bin" : ""));
        return exit_not_found;
    }
    tell(fmt::format("{}: cannot run it: {}", program, std::strerror(error)));
    return exit_not_runnable;
}

}  // namespace fathom
