// Two clocks: that of the day says when, that of the boot says for how long where the other one was set.
#include "analyzer/monitor/monitor.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "analyzer/monitor/round.h"
#include "analyzer/monitor/sources.h"
#include "logformat/version.h"

namespace fathom::monitor {
namespace {

using series::Nanoseconds;
using series::one_second;

volatile std::sig_atomic_t stop_signal = 0;

Nanoseconds now(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * one_second + time.tv_nsec;
}

void say(const std::string& text)
{
    std::fprintf(stderr, "fathom monitor: %s\n", text.c_str());
}

// Says what is wrong once, and when it is over.
class Troubles {
  public:
    void is(const std::string& text)
    {
        if (text != last_) say(text);
        last_ = text;
    }
    void over()
    {
        if (!last_.empty()) say("writes again");
        last_.clear();
    }

  private:
    std::string last_;
};

std::string host_name()
{
    char name[256] = {};
    if (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "localhost";
    for (char& letter : name)
        if (letter == '/') letter = '_';
    return name;
}

// While it lives, signals that end the monitor come only where it waits.
class Signals {
  public:
    Signals()
    {
        struct sigaction action {};
        action.sa_handler = [](int signal) { stop_signal = signal; };
        sigemptyset(&ours_);
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
            sigaddset(&ours_, signal);
            sigaction(signal, &action, nullptr);
        }
        sigprocmask(SIG_BLOCK, &ours_, &before_);
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigdelset(&before_, signal);
    }
    // Until the clock of the day says so, it is set, or a signal comes.
    void wait(int timer, Nanoseconds until) const
    {
        itimerspec when{};
        when.it_value = {until / one_second, until % one_second};
        timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, nullptr);
        pollfd one{timer, POLLIN, 0};
        ppoll(&one, 1, nullptr, &before_);
    }

  private:
    sigset_t ours_{}, before_{};
};

}  // namespace

int run(const Settings& settings)
{
    Node node;
    std::string_view boot = node.file.read("/proc/sys/kernel/random/boot_id");
    const series::Session session{host_name(), std::string(take_line(boot)), std::string(fathom_version),
                                  settings.every};
    DayFiles files(settings.folder, session, settings.limits);
    if (const std::string trouble = files.taken(); !trouble.empty()) {
        say(trouble);
        return 1;
    }
    const Signals signals;
    const int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    if (timer < 0) {
        say("there is no timer to be had");
        return 1;
    }
    Round round;
    Troubles troubles;
    bool written = false;
    const Nanoseconds started = now(CLOCK_BOOTTIME);
    for (;;) {
        const Nanoseconds time = now(CLOCK_REALTIME), uptime = now(CLOCK_BOOTTIME);
        round.begin();
        for (const Source& source : sources()) source.look(node, round);
        round.end();
        std::string trouble;
        if (files.write(time, uptime, round.counters(), round.counts(), trouble)) {
            written = true;
            troubles.over();
        } else {
            troubles.is(trouble);
        }
        if (stop_signal != 0 || (settings.end_after > 0 && uptime - started >= settings.end_after)) break;
        const Nanoseconds next = (now(CLOCK_REALTIME) / settings.every + 1) * settings.every;
        const Nanoseconds last =
            settings.end_after > 0 ? now(CLOCK_REALTIME) + settings.end_after - (uptime - started) : next;
        signals.wait(timer, std::min(next, last));
    }
    close(timer);
    return written ? 0 : 1;
}

}  // namespace fathom::monitor
