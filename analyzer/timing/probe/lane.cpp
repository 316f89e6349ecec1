// Waits to be asked, probes, hands the rows over.
#include "analyzer/timing/probe/lane.h"

#include <exception>
#include <thread>

namespace fathom {

std::shared_ptr<Lane> Lane::start(std::unique_ptr<ProbeTarget> target, Tell tell)
{
    const std::shared_ptr<Lane> lane(new Lane(std::move(target), std::move(tell)));
    std::thread([lane] { lane->run(); }).detach();
    return lane;
}

void Lane::run()
{
    std::string trouble;
    try {
        target_->prepare();
        if (const std::string note = target_->take_note(); !note.empty()) tell_({}, note);
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    std::unique_lock lock(mutex_);
    trouble_ = trouble;
    busy_ = false;
    for (;;) {
        changed_.wait(lock, [this] { return asked_ || stopping_; });
        if (!asked_) break;
        asked_ = false;
        lock.unlock();
        const std::vector<ProbeRow> rows = target_->probe();
        lock.lock();
        busy_ = false;  // before the rows are handed over, so that whoever sees them finds it idle
        lock.unlock();
        tell_(rows, target_->take_note());
        lock.lock();
    }
    lock.unlock();
    target_->clean_up();
    lock.lock();
    over_ = true;
}

std::string Lane::trouble() const
{
    const std::lock_guard lock(mutex_);
    return trouble_;
}

bool Lane::is_idle() const
{
    const std::lock_guard lock(mutex_);
    return !busy_;
}

bool Lane::is_over() const
{
    const std::lock_guard lock(mutex_);
    return over_;
}

void Lane::probe()
{
    const std::lock_guard lock(mutex_);
    busy_ = asked_ = true;
    changed_.notify_one();
}

void Lane::stop()
{
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
}

}  // namespace fathom
