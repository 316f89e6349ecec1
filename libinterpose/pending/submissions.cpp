// Counts asynchronous operations.
#include "libinterpose/pending/submissions.h"

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/files.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/recording/temporary_records.h"

namespace fathom {
namespace {

// Ticks of this thread in calls for asynchronous operations: all that were shared out, and what is left over
// from those in which nothing ended.
thread_local constinit std::uint64_t accounted __attribute__((tls_model("initial-exec"))) = 0;
thread_local constinit std::uint64_t in_vain __attribute__((tls_model("initial-exec"))) = 0;

bool is_transfer(const Submission& what)
{
    return moves_data(what.kind);
}

template <class Side>
void count_transfer_end(CountersOf<PosixCounters>& at, const Submission& what, std::uint64_t n,
                        std::uint64_t now)
{
    count_alignment(at, what.offset, what.memory);
    count_completion<Side>(at, what.placed, what.offset, n, {what.start, now});
    if (what.fd < 0) return;
    Description* const description = tracked(what.fd);
    if (description != nullptr &&
        temporary::lasting(description->file.load(std::memory_order_relaxed)) == what.file)
        description->position.fetch_add(n, std::memory_order_relaxed);
}

// The descriptor's file is looked up as if it had been inherited: the path may be gone from the program's
// memory.
void count_open_end(int fd, bool creates, std::uint64_t now)
{
    if (fd < 0) return count_unopened({now, now});
    forget(fd);
    Description* const description = tracked(fd);
    if (description == nullptr) return;
    NameChunk* const file = description->file.load(std::memory_order_relaxed);
    if (auto* const at = counters_of<PosixCounters>(file)) {
        at->counters.creates += creates && file->kind == NameKind::file;
        count_open(*at, {now, now});
    }
}

}  // namespace

Shares::Shares() : accounted_before_(accounted) {}

void Shares::add(NameChunk* file, Kind kind)
{
    ++total_;
    for (std::uint32_t at = 0; at < used_; ++at)
        if (share_[at].file == file && share_[at].kind == kind) {
            ++share_[at].operations;
            return;
        }
    if (used_ == most) {
        ++share_[most - 1].operations;
        return;
    }
    share_[used_++] = {file, kind, 1};
}

void Shares::hand_out(std::uint64_t ticks) const
{
    const std::uint64_t inside = accounted - accounted_before_;
    const std::uint64_t own = ticks > inside ? ticks - inside : 0;
    accounted += own;
    if (empty()) {
        in_vain += own;
        return;
    }
    const std::uint64_t all = own + in_vain, end = now();
    in_vain = 0;
    for (std::uint32_t each = 0; each < used_; ++each) {
        if (share_[each].file == nullptr) continue;  // an open
        auto* const at = counters_of<PosixCounters>(share_[each].file);
        if (at == nullptr) continue;
        const std::uint64_t share = all * share_[each].operations / total_;
        at->counters.*kind_row(share_[each].kind).time += share;
        if (share_[each].kind == Kind::sync) at->counters.sync_time += share;
        note_time_spent(*at, share_[each].kind, {end - share, end});
    }
}

bool submit(OperationKey key, Submission& what, std::uint64_t bytes, in_flight::Again again)
{
    if (is_transfer(what)) {
        auto* const at = counters_of<PosixCounters>(what.file);
        if (at == nullptr) return false;
        what.placed = what.kind == Kind::read ? place_submission<ReadSide>(*at, what.offset, bytes)
                                              : place_submission<WriteSide>(*at, what.offset, bytes);
    }
    what.start = now();
    const bool noted = in_flight::add(key, what, again);
    if (!noted) missed();
    return noted;
}

void withdraw(OperationKey key)
{
    Submission what;
    if (!in_flight::take(key, what) || !is_transfer(what)) return;
    auto* const at = counters_of<PosixCounters>(what.file);
    if (at == nullptr) return;
    if (what.kind == Kind::read)
        take_back<ReadSide>(*at, what.placed);
    else
        take_back<WriteSide>(*at, what.placed);
}

void count_end(const Submission& what, std::int64_t result, std::uint64_t now)
{
    if (what.kind == Kind::open) return count_open_end(static_cast<int>(result), what.creates, now);
    NameChunk* const file = what.file;
    auto* const at = counters_of<PosixCounters>(file);
    if (at == nullptr) return;
    const auto n = static_cast<std::uint64_t>(result);
    // Their time is in `shares`: of what follows, only the moment is noted.
    const Interval moment{now, now};
    if (result < 0) return count_failure(*at, kind_row(what.kind).time, moment);
    switch (what.kind) {
        case Kind::read:
            return count_transfer_end<ReadSide>(*at, what, n, now);
        case Kind::write:
            return count_transfer_end<WriteSide>(*at, what, n, now);
        case Kind::sync:
            return count_sync(*at, moment);
        case Kind::close:
            return count_close(*at, moment);
        default:
            ++(at->counters.*what.counter);
            count_metadata(*at, kind_of(what.counter), moment);
    }
}

void end(OperationKey key, std::int64_t result, std::uint64_t now, Shares& shares)
{
    Submission what;
    if (!in_flight::take(key, what)) return;
    count_end(what, result, now);
    shares.add(what.file, what.kind);
}

void count_failed_submission(const Shares& shares, Interval when)
{
    NameChunk* const file = shares.first_file();
    if (shares.empty() || file == nullptr) return;
    if (auto* const at = counters_of<PosixCounters>(file))
        count_failure(*at, kind_row(shares.first_kind()).time, when);
}

}  // namespace fathom
