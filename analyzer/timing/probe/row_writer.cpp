// What cannot be written waits, up to a limit, and is tried again each second.
#include "analyzer/timing/probe/row_writer.h"

#include <cerrno>
#include <chrono>
#include <fmt/format.h>
#include <system_error>

namespace fathom {
namespace {

constexpr std::size_t most_waiting = 16 << 20;
constexpr std::chrono::seconds before_next_try{1};

}  // namespace

RowWriter::RowWriter(GrowingCsv& csv, std::uint64_t sync_every, Say say)
    : csv_(csv), sync_every_(sync_every), say_(std::move(say)), thread_([this] { run(); })
{}

RowWriter::~RowWriter()
{
    finish();
}

void RowWriter::add(std::string lines)
{
    const std::lock_guard lock(mutex_);
    if (waiting_.size() + lines.size() > most_waiting)
        dropped_ += lines.size();
    else
        waiting_ += lines;
    changed_.notify_one();
}

bool RowWriter::finish()
{
    {
        const std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
    return waiting_.empty() && dropped_ == 0;
}

bool RowWriter::is_closed() const
{
    const std::lock_guard lock(mutex_);
    return closed_;
}

void RowWriter::run()
{
    using Clock = std::chrono::steady_clock;
    auto synced = Clock::now();
    bool unsynced = false;
    std::unique_lock lock(mutex_);
    for (bool last = false; !last;) {
        if (failing_ && !done_)
            changed_.wait_for(lock, before_next_try, [this] { return done_; });
        else
            changed_.wait(lock, [this] { return done_ || !waiting_.empty(); });
        last = done_;
        std::string lines;
        lines.swap(waiting_);
        lock.unlock();
        const bool written = csv_.append(lines);
        const int error = errno;
        unsynced = unsynced || (written && !lines.empty());
        const auto now = Clock::now();
        if (unsynced && sync_every_ > 0 && (last || now - synced >= std::chrono::nanoseconds(sync_every_))) {
            csv_.sync();
            synced = now;
            unsynced = false;
        }
        if (!written && !failing_)
            say_(fmt::format("{}: rows cannot be written: {}; trying again each second", csv_.path(),
                             std::generic_category().message(error)));
        lock.lock();
        if (!written) waiting_.insert(0, lines);
        failing_ = !written;
        closed_ = closed_ || (!written && error == EPIPE);
        if (closed_) waiting_.clear();
    }
}

}  // namespace fathom
