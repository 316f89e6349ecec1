// Writes endings into the part.
#include "libinterpose/ending.h"

#include <sys/wait.h>

#include "libinterpose/session.h"
#include "libinterpose/sys.h"
#include "libinterpose/unfinished.h"

namespace fathom {
namespace {

// The latest part of this very process, also when MPI_Finalize has spent it. nullptr in a child of vfork, and
// in a forked child that has recorded nothing: what they see is their parent's.
PartHeader* own_part()
{
    if (arena.bytes().empty()) return nullptr;
    PartHeader& header = arena.header();
    return header.pid == static_cast<std::uint64_t>(sys::process_id()) ? &header : nullptr;
}

DeathsChunk* deaths_of(PartHeader& part)
{
    if (auto* const known = arena.at<DeathsChunk>(part.deaths.load(std::memory_order_acquire))) return known;
    auto* const made = arena.allocate<DeathsChunk>(ChunkKind::deaths);
    if (made == nullptr) return nullptr;
    Arena::publish(made->header);
    std::uint32_t none = 0;
    const bool first = part.deaths.compare_exchange_strong(none, arena.offset_of(made));
    return first ? made : arena.at<DeathsChunk>(none);
}

}  // namespace

void note_ending(Ending how, std::int64_t status)
{
    PartHeader* const part = own_part();
    if (part == nullptr) return;
    part->end_ticks = ticks_now(part->clock);
    if (status != no_status && part->ending <= Ending::finalized) part->status = status;
    if (how > part->ending) part->ending = how;
}

void note_finalize()
{
    if (!enter()) return;
    if (PartHeader* const part = own_part()) part->finalize_ticks = ticks_now(part->clock);
}

void note_death(pid_t child, int status)
{
    if (!WIFEXITED(status) && !WIFSIGNALED(status)) return;  // stopped or continued
    // Where there is a part, also one that MPI_Finalize has spent, it takes this too.
    if (own_part() == nullptr && (in_borrowed_memory() || !enter())) return;
    PartHeader* const part = own_part();
    DeathsChunk* const deaths = part == nullptr ? nullptr : deaths_of(*part);
    if (deaths == nullptr) return;
    const std::uint32_t room = status == 0 ? DeathsChunk::most_good : DeathsChunk::most;
    if (deaths->used.load(std::memory_order_relaxed) >= room) return;
    const std::uint32_t at = deaths->used.fetch_add(1, std::memory_order_relaxed);
    if (at >= DeathsChunk::most) return;
    DeathsChunk::Entry& entry = deaths->entry[at];
    entry.status = status;
    entry.ticks = ticks_now(part->clock);
    entry.pid.store(static_cast<std::uint32_t>(child), std::memory_order_release);
}

Becoming::Becoming() : part_(own_part())
{
    if (part_ == nullptr) return;
    count_live_mappings();
    ending_before_ = part_->ending;
    end_before_ = part_->end_ticks;
    part_->end_ticks = ticks_now(part_->clock);
    part_->ending = Ending::replaced;
}

Becoming::~Becoming()
{
    if (part_ == nullptr) return;
    part_->ending = ending_before_;
    part_->end_ticks = end_before_;
}

}  // namespace fathom
