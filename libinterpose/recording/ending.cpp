// Writes endings into the part.
#include "libinterpose/recording/ending.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sys/uio.h>
#include <sys/wait.h>

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/libraries.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/program_text.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/stream_runs.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

// The latest part of this very process, also when MPI_Finalize has spent it. nullptr in a child of vfork, and
// in a forked child that has recorded nothing: what they see is their parent's.
PartHeader* own_part()
{
    return is_own_part() ? &arena.header() : nullptr;
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

StartsChunk* starts_of(PartHeader& part)
{
    if (auto* const known = arena.at<StartsChunk>(part.starts.load(std::memory_order_acquire))) return known;
    auto* const made = arena.allocate<StartsChunk>(ChunkKind::starts);
    if (made == nullptr) return nullptr;
    Arena::publish(made->header);
    std::uint32_t none = 0;
    const bool first = part.starts.compare_exchange_strong(none, arena.offset_of(made));
    return first ? made : arena.at<StartsChunk>(none);
}

// The end of a text of the program's, read by the kernel, which knows whether it may be.
void copy_end(const char* text, char* to, std::size_t room)
{
    const PathScratch scratch;
    if (text == nullptr || !scratch) return;
    const std::size_t got = copy_readable(text, scratch->data(), scratch->capacity() - 1);
    const std::size_t length = strnlen(scratch->data(), got);
    const std::size_t kept = std::min(length, room - 1);
    std::memcpy(to, scratch->data() + length - kept, kept);
}

// In the part of this process, or of the one that it was forked from, whose memory it shares.
StartsChunk::Entry* note_start(const char* name)
{
    if (arena.bytes().empty() || is_confined()) return nullptr;
    StartsChunk* const starts = starts_of(arena.header());
    if (starts == nullptr || starts->used.load(std::memory_order_relaxed) >= StartsChunk::most)
        return nullptr;
    const std::uint32_t at = starts->used.fetch_add(1, std::memory_order_relaxed);
    if (at >= StartsChunk::most) return nullptr;
    StartsChunk::Entry& entry = starts->entry[at];
    copy_end(name, entry.name, sizeof entry.name);
    entry.ticks = now();
    entry.pid.store(static_cast<std::uint32_t>(sys::process_id()), std::memory_order_release);
    return &entry;
}

// What the kernel counted of the process until now.
void note_usage(PartHeader& part)
{
    if (is_confined()) return;
    struct rusage usage {};
    if (sys::usage(usage) != 0) return;
    const auto ns = [](const timeval& time) {
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
               static_cast<std::uint64_t>(time.tv_usec) * 1'000;
    };
    part.cpu_time = ns(usage.ru_utime) + ns(usage.ru_stime);
    part.major_faults = static_cast<std::uint64_t>(usage.ru_majflt);
    part.minor_faults = static_cast<std::uint64_t>(usage.ru_minflt);
    // A program that ends at once has waited less than that.
    constexpr std::uint64_t long_ticks = 20'000'000;  // some 10 ms
    if (now() - part.start_ticks < long_ticks) return;
    const int fd = sys::open("/proc/self/schedstat", O_RDONLY);  // "ran waited turns", ns
    if (fd < 0) return;
    char text[64] = {};
    const long length = sys::read(fd, text, sizeof text - 1);
    sys::close(fd);
    const std::string_view words(text, static_cast<std::size_t>(std::max(length, 0L)));
    const std::size_t second = std::min(words.find(' '), words.size() - 1) + 1;
    std::from_chars(words.data() + second, words.data() + words.size(), part.core_wait);
}

}  // namespace

void note_ending(Ending how, std::int64_t status)
{
    PartHeader* const part = own_part();
    if (part == nullptr) return;
    served::settle_all();
    part->end_ticks = now();
    note_usage(*part);
    if (status != no_status && part->ending <= Ending::finalized) part->status = status;
    if (how > part->ending) part->ending = how;
}

void note_finalize()
{
    if (!enter()) return;
    note_libraries();
    PartHeader* const part = own_part();
    if (part == nullptr) return;
    served::settle_all();
    part->finalize_ticks = now();
    note_usage(*part);
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
    entry.ticks = now();
    entry.pid.store(static_cast<std::uint32_t>(child), std::memory_order_release);
}

Becoming::Becoming(const char* name) : part_(own_part()), start_(note_start(name))
{
    if (part_ == nullptr) return;
    served::settle_all();
    ending_before_ = part_->ending;
    end_before_ = part_->end_ticks;
    part_->end_ticks = start_ != nullptr ? start_->ticks : now();
    part_->ending = Ending::replaced;
}

Becoming::~Becoming()
{
    if (start_ != nullptr) start_->pid.store(0, std::memory_order_relaxed);
    if (part_ == nullptr) return;
    part_->ending = ending_before_;
    part_->end_ticks = end_before_;
}

}  // namespace fathom
