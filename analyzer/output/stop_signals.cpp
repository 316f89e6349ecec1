// A flag and the signal's number, which a handler may write.
#include "analyzer/output/stop_signals.h"

#include <array>
#include <csignal>
#include <cstddef>

namespace fathom {
namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, signals.size()> before;
std::atomic<bool> set;
volatile std::sig_atomic_t which;

void take(int signal)
{
    which = signal;
    set = true;
}

}  // namespace

StopSignals::StopSignals()
{
    set = false;
    struct sigaction ours {};
    ours.sa_handler = take;
    ours.sa_flags = SA_RESTART;
    for (std::size_t at = 0; at < signals.size(); ++at) {
        sigaction(signals[at], nullptr, &before[at]);
        if (before[at].sa_handler != SIG_IGN) sigaction(signals[at], &ours, nullptr);
    }
}

StopSignals::~StopSignals()
{
    for (std::size_t at = 0; at < signals.size(); ++at) sigaction(signals[at], &before[at], nullptr);
}

const std::atomic<bool>& StopSignals::came() const
{
    return set;
}

void StopSignals::end_by_it() const
{
    if (!set) return;
    std::signal(which, SIG_DFL);
    std::raise(which);
}

}  // namespace fathom
