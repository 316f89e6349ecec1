// Names, facts and what the node says of itself.
#include "analyzer/record/job.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <random>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "analyzer/record/liveness.h"
#include "logformat/excluded.h"
#include "logformat/log/site.h"
#include "logformat/secrets.h"
#include "logformat/version.h"

namespace fathom {
namespace {

// The second of UNIX time at which a process began.
std::optional<std::time_t> start_of_process(pid_t pid)
{
    const auto tick = start_tick_of(pid);
    if (!tick) return std::nullopt;
    std::ifstream node("/proc/stat");
    for (std::string word; node >> word;)
        if (long long boot = 0; word == "btime" && node >> boot)
            return static_cast<std::time_t>(boot + static_cast<long long>(*tick) / sysconf(_SC_CLK_TCK));
    return std::nullopt;
}

}  // namespace

std::string job_key(const std::optional<Launched>& launched)
{
    if (launched) return fmt::format("{:016x}", std::hash<std::string>{}(launched->launch));
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

std::string file_name_of_program(std::string_view program)
{
    constexpr std::size_t most = 100;
    std::string name(program.substr(program.rfind('/') + 1, most));
    for (char& letter : name)
        if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7f) letter = '_';
    if (!name.empty() && (name.front() == '-' || name.front() == '.')) name.front() = '_';
    return name.empty() ? "program" : name;
}

std::string default_log_name(const std::string& program, const std::optional<Launched>& launched,
                             std::uint64_t start_ns)
{
    const std::string base = file_name_of_program(program);
    if (launched && !launched->step.empty()) return fmt::format("{}-{}.fathom", base, launched->step);
    const auto start = launched ? start_of_process(getppid()) : std::nullopt;
    const auto second = start.value_or(static_cast<std::time_t>(start_ns / 1'000'000'000));
    return fmt::format("{}-{:%Y%m%d-%H%M%S}.fathom", base, fmt::localtime(second));
}

std::string command_line(const std::vector<std::string>& words)
{
    std::string all, before;
    for (std::string word : words) {
        const auto [from, to] = secrets::in_argument(word, before);
        before = word;
        if (to > from) word.replace(from, to - from, secrets::mask);
        if (!all.empty()) all += ' ';
        const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$`*?;&|<>()") == std::string::npos;
        if (plain) {
            all += word;
            continue;
        }
        all += '\'';
        for (const char letter : word) all += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
        all += '\'';
    }
    return all;
}

std::string redirected_streams()
{
    std::string all = " ";
    for (int fd = 0; fd <= 2; ++fd) {
        struct stat about {};
        if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode))
            all += fmt::format("{:x}:{:x} ", about.st_dev, about.st_ino);
    }
    return all;
}

Log facts_of(const std::vector<std::string>& command, const std::string& job, std::uint64_t start_ns,
             const OwnerNames& names, const Patterns& exclude, const Patterns& include)
{
    Log log;
    std::error_code ignored;
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    log.add_fact("recorder", fathom_version);
    log.add_fact("command", command_line(command));
    log.add_fact("folder", std::filesystem::current_path(ignored).string());
    log.add_fact("host", host);
    if (utsname about{}; uname(&about) == 0) log.add_fact("kernel", about.release);
    log.add_fact("job", job);
    add_identity(log, names);
    log.add_fact("started_ns", fmt::format("{}", start_ns));
    std::string excluded;
    each_excluded([&](std::string_view one) { (excluded += excluded.empty() ? "" : " ") += one; });
    log.add_fact("excluded", excluded);
    if (!exclude.empty()) log.add_fact("excluded", exclude.text());
    if (const Patterns& never = the_site().settings.exclude; !never.empty())
        log.add_fact("excluded", never.text());
    log.add_fact("included", fmt::format("{}", fmt::join(included_folders, " ")));
    if (!include.empty()) log.add_fact("included", include.text());
    return log;
}

}  // namespace fathom
