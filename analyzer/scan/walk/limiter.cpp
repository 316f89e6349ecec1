// Each call takes the next instant of a row that are an interval apart, and sleeps until it has come.
#include "analyzer/scan/walk/limiter.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace fathom::scan {
namespace {

constexpr std::uint64_t nanoseconds = 1'000'000'000;
constexpr std::uint64_t longest_sleep = nanoseconds / 20;  // a wish to stop is heard after that
constexpr std::uint64_t shortest_sleep = nanoseconds / 1000;

std::uint64_t monotonic_now()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * nanoseconds + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

Limiter::Limiter(double calls_a_second, const std::atomic<bool>& stop)
    : stop_(stop),
      interval_(calls_a_second > 0 ? static_cast<std::uint64_t>(std::max(
                                         1.0, std::round(static_cast<double>(nanoseconds) / calls_a_second)))
                                   : 0),
      next_(monotonic_now())
{}

bool Limiter::wait()
{
    std::uint64_t now = monotonic_now(), mine = next_.load();
    // What was not used is not made up for.
    while (!next_.compare_exchange_weak(mine, std::max(mine, now) + interval_)) {
    }
    mine = std::max(mine, now);
    while (!stop_.load(std::memory_order_relaxed)) {
        if (mine < now + shortest_sleep) return true;
        const std::uint64_t sleep = std::min(mine - now, longest_sleep);
        const timespec time{static_cast<time_t>(sleep / nanoseconds), static_cast<long>(sleep % nanoseconds)};
        nanosleep(&time, nullptr);
        now = monotonic_now();
    }
    return false;
}

}  // namespace fathom::scan
