// fork, exec, wait.
#include "analyzer/record/launch.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/record/signals.h"

namespace fathom {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command, const Environment& environment, int report)
{
    for (const auto& [name, value] : environment) {
        if (value)
            setenv(name.c_str(), value->c_str(), 1);
        else
            unsetenv(name.c_str());
    }
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(report, &error, sizeof error);
    _exit(127);
}

// Returns the child's status as wait gives it.
int wait_for(pid_t child, PassedSignals& signals, const std::function<void()>& meanwhile)
{
    // A signal that is blocked stays pending, so that a child that ends before the wait ends it at once.
    for (int status = 0;;) {
        const pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child || (got < 0 && errno != EINTR)) return status;
        const timespec patience{0, 500'000'000};
        siginfo_t about{};
        if (sigtimedwait(&signals.all(), &about, &patience) > 0)
            signals.take(about);
        else if (errno == EAGAIN)
            meanwhile();
    }
}

}  // namespace

std::string library_path(const std::string& asked_for)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (!asked_for.empty()) {
        if (const fs::path library = fs::absolute(asked_for); fs::exists(library, error)) return library;
        throw std::runtime_error(fs::absolute(asked_for).string() + ": the preload library is missing there");
    }
    // Where it was installed, wherever the whole was moved since; and where other systems have libraries.
    const fs::path prefix = self.parent_path().parent_path();
    for (const char* const folder : {FATHOM_LIBRARY_FOLDER, "lib", "lib64"})
        if (const fs::path library = prefix / folder / "libfathom.so";
            !self.empty() && fs::exists(library, error))
            return library;
    throw std::runtime_error((prefix / FATHOM_LIBRARY_FOLDER / "libfathom.so").string() +
                             ": the preload library is missing; install Fathom whole, or name it "
                             "with --library");
}

LaunchOutcome launch(const std::vector<std::string>& command, const Environment& environment,
                     const std::function<void()>& meanwhile)
{
    LaunchOutcome outcome;
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    // Where SIGCHLD is ignored, the kernel would throw the program's status away.
    const auto ignored = std::signal(SIGCHLD, SIG_DFL);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (child == 0) {
        close(report[0]);
        if (ignored == SIG_IGN) std::signal(SIGCHLD, SIG_IGN);
        become(command, environment, report[1]);
    }
    PassedSignals signals(child);
    close(report[1]);
    // The pipe closes when exec succeeds; what comes through it is the reason why it did not.
    ssize_t got = 0;
    do got = read(report[0], &outcome.error, sizeof outcome.error);
    while (got < 0 && errno == EINTR);
    close(report[0]);
    outcome.started = got != sizeof outcome.error;
    const int status = wait_for(child, signals, meanwhile);
    outcome.pid = child;
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return outcome;
}

int end_like(const LaunchOutcome& outcome, int status)
{
    if (outcome.signal == 0) return status;
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(outcome.signal, SIG_DFL);
    sigset_t it;
    sigemptyset(&it);
    sigaddset(&it, outcome.signal);
    sigprocmask(SIG_UNBLOCK, &it, nullptr);
    std::raise(outcome.signal);
    return status;
}

}  // namespace fathom
