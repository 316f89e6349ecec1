// Threads that wait at a gate until the last of them is ready.
#include "analyzer/timing/measure/team.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

namespace fathom::measure {
namespace {

class Gate {
  public:
    // False where the work was called off.
    bool pass()
    {
        std::unique_lock lock(mutex_);
        opened_.wait(lock, [this] { return open_; });
        return !called_off_;
    }
    void open(bool called_off)
    {
        const std::lock_guard lock(mutex_);
        called_off_ = called_off;
        open_ = true;
        opened_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable opened_;
    bool open_ = false, called_off_ = false;
};

class SignalsBlocked {
  public:
    SignalsBlocked()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_{};
};

}  // namespace

std::vector<LoopEnd> run_together(std::span<Task> tasks, const std::atomic<bool>& stop,
                                  const std::function<void()>& waiting)
{
    constexpr auto between_calls = std::chrono::milliseconds(100);
    std::vector<LoopEnd> ends(tasks.size());
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t ready = 0, finished = 0;
    Gate gate;
    const auto count_up = [&](std::size_t& number) {
        const std::lock_guard lock(mutex);
        ++number;
        changed.notify_all();
    };
    const auto work = [&](std::size_t at) {
        Task& task = tasks[at];
        for (Sample& sample : task.samples) sample = {task.file.next(), task.memory.next(), 0, 0};
        count_up(ready);
        if (gate.pass()) ends[at] = run_loop(task.loop, task.samples, stop);
        count_up(finished);
    };

    std::vector<std::thread> threads;
    const auto join_all = [&] {
        for (std::thread& thread : threads) thread.join();
    };
    try {
        const SignalsBlocked blocked;
        for (std::size_t at = 0; at < tasks.size(); ++at) threads.emplace_back(work, at);
    } catch (...) {
        gate.open(true);
        join_all();
        throw;
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready == tasks.size(); });
    gate.open(false);
    while (!changed.wait_for(lock, between_calls, [&] { return finished == tasks.size(); })) waiting();
    lock.unlock();
    join_all();
    return ends;
}

}  // namespace fathom::measure
