// Changes in one step: the same in a process with one thread, which has instructions of its own for them, as
// with several.
#include "libinterpose/system/one_step.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdint>
#include <sys/time.h>
#include <thread>
#include <vector>

using namespace fathom;

namespace {

template <class Value>
void check_each()
{
    constexpr Value large = static_cast<Value>(~Value{0});
    std::atomic<Value> at{5};
    Value expected = 4;
    CHECK_FALSE(one_step::compare_exchange(at, expected, Value{9}));
    CHECK((expected == 5 && at == 5));
    CHECK(one_step::compare_exchange(at, expected, large));
    CHECK((expected == 5 && at == large));
    CHECK(one_step::exchange(at, Value{3}) == large);
    CHECK(one_step::fetch_add(at, Value{4}) == 3);
    CHECK(at == 7);
    CHECK(one_step::fetch_add(at, large) == 7);  // goes around
    CHECK(at == 6);
}

void check_all()
{
    check_each<std::uint32_t>();
    check_each<std::uint64_t>();
}

std::atomic<std::uint64_t> counted{0};
std::atomic<std::uint64_t> by_handler{0};

extern "C" void count_in_handler(int)
{
    one_step::fetch_add(counted, std::uint64_t{1});
    by_handler.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

TEST_CASE("one step: changes of a process with one thread, which a signal handler cannot come into")
{
    if (!is_alone()) return;  // another test has made a thread before
    check_all();
    counted = by_handler = 0;
    struct sigaction handler = {}, before = {};
    handler.sa_handler = count_in_handler;
    REQUIRE(sigaction(SIGALRM, &handler, &before) == 0);
    const itimerval often{{0, 50}, {0, 50}}, never{};
    REQUIRE(setitimer(ITIMER_REAL, &often, nullptr) == 0);
    std::uint64_t own = 0;
    while (by_handler < 100) {
        one_step::fetch_add(counted, std::uint64_t{1});
        ++own;
    }
    REQUIRE(setitimer(ITIMER_REAL, &never, nullptr) == 0);
    REQUIRE(sigaction(SIGALRM, &before, nullptr) == 0);
    CHECK(counted == own + by_handler);
}

TEST_CASE("one step: changes of a process with several threads are seen by all")
{
    std::atomic<std::uint64_t> sum{0};
    constexpr std::uint64_t each = 20'000;
    std::vector<std::thread> threads;
    for (int number = 0; number < 2; ++number)
        threads.emplace_back([&] {
            for (std::uint64_t at = 0; at < each; ++at) {
                one_step::fetch_add(sum, std::uint64_t{1});
                for (std::uint64_t now = sum; !one_step::compare_exchange(sum, now, now + 1);) {
                }
            }
        });
    CHECK_FALSE(is_alone());
    check_all();
    for (std::thread& thread : threads) thread.join();
    CHECK(sum == 4 * each);
}
