#include "analyzer/watch/started.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "analyzer/record/liveness.h"
#include "analyzer/record/spool.h"

namespace fathom::watch {
namespace {

constexpr auto patience = std::chrono::milliseconds(20);

// Open, and in no folder: it is gone with the last process that has it.
int file_without_a_name()
{
    const char* const folder = std::getenv("TMPDIR");
    std::string path = fmt::format("{}/fathom-watch-XXXXXX", folder != nullptr ? folder : "/tmp");
    const int file = mkostemp(path.data(), O_APPEND | O_CLOEXEC);
    if (file < 0)
        throw std::runtime_error(
            fmt::format("{}: what the program says cannot be kept there: {}; set TMPDIR to a folder "
                        "of yours",
                        path, std::strerror(errno)));
    unlink(path.c_str());
    return file;
}

std::string fathom_itself()
{
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "fathom";
}

// In the child, before exec: what is a terminal is the watch's.
void leave_terminal(int said)
{
    if (isatty(STDIN_FILENO) == 1) {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        dup2(nothing, STDIN_FILENO);
    }
    for (const int out : {STDOUT_FILENO, STDERR_FILENO})
        if (isatty(out) == 1) dup2(said, out);
}

void write_all(const char* data, std::size_t size)
{
    while (size > 0) {
        const ssize_t wrote = write(STDOUT_FILENO, data, size);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return;  // nobody reads it
        data += wrote;
        size -= static_cast<std::size_t>(wrote);
    }
}

}  // namespace

Started::Started(const std::vector<std::string>& command, const std::string& output, bool aside)
{
    const std::string fathom = fathom_itself();
    std::vector<std::string> words{fathom, "record"};
    if (!output.empty()) words.insert(words.end(), {"-o", output});
    words.emplace_back("--");
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (aside) said_ = file_without_a_name();
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (pid_ > 0) return;
    if (aside) leave_terminal(said_);
    execv(fathom.c_str(), arguments.data());
    const std::string trouble = fmt::format("fathom: {}: cannot be run: {}\n", fathom, std::strerror(errno));
    [[maybe_unused]] const ssize_t wrote = write(STDERR_FILENO, trouble.data(), trouble.size());
    constexpr int cannot_be_run = 126;
    _exit(cannot_be_run);
}

Started::~Started()
{
    if (said_ >= 0) close(said_);
}

std::optional<std::string> Started::spool()
{
    const std::string identity = identity_of(pid_);
    while (!has_ended()) {
        for (const std::string& spool : spools_left()) {
            try {
                if (!identity.empty() && kept_in(spool).owner == identity) return spool;
            } catch (const std::runtime_error&) {  // another's, gone meanwhile
            }
        }
        std::this_thread::sleep_for(patience);
    }
    return std::nullopt;
}

bool Started::has_ended()
{
    if (ended_) return true;
    int status = 0;
    const pid_t got = waitpid(pid_, &status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) return false;
    ended_ = true;
    outcome_.started = true;
    outcome_.pid = pid_;
    outcome_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome_.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return true;
}

void Started::pass(int signal) const
{
    if (!ended_) kill(pid_, signal);
}

LaunchOutcome Started::give_back()
{
    for (off_t copied = 0;;) {
        const bool last = has_ended();
        std::array<char, 65536> data;
        for (ssize_t got = 0; said_ >= 0 && (got = pread(said_, data.data(), data.size(), copied)) > 0;
             copied += got)
            write_all(data.data(), static_cast<std::size_t>(got));
        if (last) return outcome_;
        std::this_thread::sleep_for(patience);
    }
}

}  // namespace fathom::watch
