// Signals are taken while the program is waited for; the witness does nothing else.
#include "analyzer/record/signals.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fathom {
namespace {

std::string line_at_sigterm;

// Those that end a process that does not expect them, but for what a process does to itself by a fault.
template <class Visit>
void each_passed_on(Visit visit)
{
    for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF,
                             SIGXCPU, SIGXFSZ, SIGPIPE, SIGIO, SIGPWR, SIGSTKFLT, SIGCONT})
        visit(signal);
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) visit(signal);
}

// Of limits, timers and pipes the kernel sends each process its own, but for an alarm that was set before
// this process began; ^C and ^\ go to all that the terminal has in front.
bool is_own(int signal, const siginfo_t& about)
{
    if (about.si_pid == getpid() && about.si_code == SI_USER) return true;  // a pipe that nobody reads
    return about.si_code == SI_KERNEL && signal != SIGALRM && signal != SIGHUP && signal != SIGTERM;
}

// It waits, so that there is nothing that it has not said.
bool is_asleep(pid_t witness)
{
    std::ifstream file("/proc/" + std::to_string(witness) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t at = line.rfind(") ");  // "4711 (fathom) S 4710 …"
    return at == std::string::npos || line.compare(at + 2, 1, "R") != 0;
}

[[noreturn]] void be_witness(pid_t recorder, int to)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (to > 0) close_range(0, static_cast<unsigned>(to) - 1, 0);
    close_range(static_cast<unsigned>(to) + 1, ~0U, 0);
    while (getppid() == recorder) {
        const int signal = sigwaitinfo(&all, nullptr);
        const auto number = static_cast<unsigned char>(signal);
        if (signal > 0 && ::write(to, &number, 1) != 1) break;
    }
    _exit(0);
}

}  // namespace

PassedSignals::PassedSignals(pid_t program) : program_(program)
{
    sigemptyset(&all_);
    sigaddset(&all_, SIGCHLD);
    each_passed_on([&](int signal) {
        struct sigaction before {};
        if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaddset(&all_, signal);
    });
    sigprocmask(SIG_BLOCK, &all_, nullptr);
    const pid_t self = getpid();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
    witness_ = fork();
    if (witness_ == 0) be_witness(self, ends[1]);
    close(ends[1]);
    from_witness_ = ends[0];
}

void PassedSignals::take(const siginfo_t& about)
{
    const int signal = about.si_signo;
    if (signal == SIGCHLD) return;
    if (signal == SIGTERM && !line_at_sigterm.empty()) {
        [[maybe_unused]] const ssize_t said = ::write(2, line_at_sigterm.data(), line_at_sigterm.size());
        line_at_sigterm.clear();
    }
    const bool of_before = signal == SIGALRM && about.si_code == SI_KERNEL;
    if (of_before || (!is_own(signal, about) && !came_to_witness(signal))) kill(program_, signal);
}

// It may take a moment until the witness has said so, and longer where it waits for a core. Signals of one
// kind that follow one another at once are taken for one.
bool PassedSignals::came_to_witness(int signal)
{
    using namespace std::chrono_literals;
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + 10ms;
    const auto& seen = seen_[static_cast<std::size_t>(signal)];
    while (witness_ > 0) {
        unsigned char number = 0;
        while (::read(from_witness_, &number, 1) == 1)
            if (number < seen_.size()) seen_[number] = Clock::now();
        const auto left = until - Clock::now();
        if (seen > until - 100ms) return true;
        if (left <= -1s || (left <= 0ms && is_asleep(witness_))) return false;
        pollfd word{from_witness_, POLLIN, 0};
        poll(&word, 1, static_cast<int>(std::max<Clock::duration>(left, 1ms) / 1ms) + 1);
    }
    return false;
}

PassedSignals::~PassedSignals()
{
    if (witness_ > 0) {
        kill(witness_, SIGKILL);
        while (waitpid(witness_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    if (from_witness_ >= 0) close(from_witness_);
}

void say_at_sigterm(const std::string& line)
{
    line_at_sigterm = line;
}

}  // namespace fathom
