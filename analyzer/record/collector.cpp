// Two pipes: the reply of `begin` comes through one, the outcome goes through the other. A dead recorder's
// end closes.
#include "analyzer/record/collector.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

namespace fathom {
namespace {

static_assert(std::is_trivially_copyable_v<LaunchOutcome>);

// Reads to the end, or to as many bytes.
std::string read_all(int fd, std::size_t most)
{
    std::string all;
    char some[4096];
    while (all.size() < most) {
        const ssize_t got = read(fd, some, std::min(sizeof some, most - all.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        all.append(some, static_cast<std::size_t>(got));
    }
    return all;
}

bool write_all(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

void stand_apart()
{
    setsid();
    for (const int signal : {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGXCPU})
        std::signal(signal, SIG_IGN);
    if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing > 0) {
        dup2(nothing, 0);
        close(nothing);
    }
}

// The life of the collector. Nothing may leave it by an exception: that would run the recorder's code a
// second time.
int collect(const std::function<std::string()>& begin,
            const std::function<int(const std::optional<LaunchOutcome>&)>& finish, int reply, int outcome)
{
    LaunchOutcome end;
    try {
        stand_apart();
        write_all(reply, begin());
        close(reply);
        const std::string bytes = read_all(outcome, sizeof end);
        const bool told = bytes.size() == sizeof end;
        if (told) bytes.copy(reinterpret_cast<char*>(&end), sizeof end);
        return finish(told ? std::optional(end) : std::nullopt);
    } catch (...) {
        return end.status;
    }
}

}  // namespace

Collector::Collector(const std::function<std::string()>& begin,
                     const std::function<int(const std::optional<LaunchOutcome>&)>& finish)
    : finish_(finish)
{
    int reply[2], outcome[2];
    if (pipe2(reply, O_CLOEXEC) == 0) {
        if (pipe2(outcome, O_CLOEXEC) == 0) {
            process_ = fork();
            if (process_ == 0) {
                close(reply[0]);
                close(outcome[1]);
                _exit(collect(begin, finish, reply[1], outcome[0]));
            }
            close(outcome[0]);
            to_ = outcome[1];
        }
        close(reply[1]);
        if (process_ > 0) reply_ = read_all(reply[0], SIZE_MAX);
        close(reply[0]);
    }
    if (process_ <= 0) reply_ = begin();
}

Collector::~Collector()
{
    if (to_ >= 0) close(to_);
}

int Collector::end(const LaunchOutcome& outcome)
{
    if (process_ <= 0) return finish_(outcome);
    std::signal(SIGPIPE, SIG_IGN);  // should it be no more
    write_all(to_, {reinterpret_cast<const char*>(&outcome), sizeof outcome});
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : outcome.status;
}

}  // namespace fathom
