// One remembered path, guarded by a counter that is odd while it is being changed: readers that see the
// counter change ask the kernel instead of waiting.
#include "libinterpose/recording/working_folder.h"

#include <array>
#include <atomic>

#include "libinterpose/recording/session.h"
#include "libinterpose/system/own_memory.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

using Word = std::uint64_t;
constexpr std::size_t most_words = PathText::capacity() / sizeof(Word);

constinit std::atomic<std::uint64_t> moves{1};        // changes of the folder so far
constinit std::atomic<std::int32_t> moving{0};        // more than 0: do not remember
constinit std::atomic<std::uint32_t> changing{0};     // odd while the three below are written
constinit std::atomic<std::uint64_t> known_after{0};  // the value of `moves` that the path belongs to
constinit std::atomic<std::size_t> length{0};
FATHOM_LARGE constinit std::array<std::atomic<Word>, most_words> words{};

bool recall(PathText& to)
{
    const std::uint32_t before = changing.load(std::memory_order_acquire);
    if (before % 2 != 0 ||
        known_after.load(std::memory_order_relaxed) != moves.load(std::memory_order_acquire) ||
        moving.load(std::memory_order_relaxed) > 0)
        return false;
    const std::size_t size = length.load(std::memory_order_relaxed);
    for (std::size_t at = 0; at * sizeof(Word) < size; ++at) {
        const Word word = words[at].load(std::memory_order_relaxed);
        std::memcpy(to.data() + at * sizeof(Word), &word, sizeof word);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    if (changing.load(std::memory_order_relaxed) != before) return false;
    to.resize(size);
    return true;
}

bool is_recalled(std::string_view path)
{
    const std::uint32_t before = changing.load(std::memory_order_acquire);
    if (before % 2 != 0 || length.load(std::memory_order_relaxed) != path.size() ||
        known_after.load(std::memory_order_relaxed) != moves.load(std::memory_order_acquire) ||
        moving.load(std::memory_order_relaxed) > 0)
        return false;
    std::size_t at = 0;
    for (; (at + 1) * sizeof(Word) <= path.size(); ++at) {
        Word word = 0;
        std::memcpy(&word, path.data() + at * sizeof(Word), sizeof word);
        if (words[at].load(std::memory_order_relaxed) != word) return false;
    }
    Word last = words[at].load(std::memory_order_relaxed);
    for (std::size_t letter = at * sizeof(Word); letter < path.size(); ++letter, last >>= 8)
        if (static_cast<char>(last) != path[letter]) return false;
    std::atomic_thread_fence(std::memory_order_acquire);
    return changing.load(std::memory_order_relaxed) == before;
}

void remember(const PathText& path, std::uint64_t after)
{
    std::uint32_t before = changing.load(std::memory_order_relaxed);
    if (before % 2 != 0 || !changing.compare_exchange_strong(before, before + 1, std::memory_order_acquire))
        return;
    std::atomic_thread_fence(std::memory_order_release);
    const std::size_t size = path.size();
    for (std::size_t at = 0; at * sizeof(Word) < size; ++at) {
        Word word = 0;
        std::memcpy(&word, path.c_str() + at * sizeof(Word), sizeof word);
        words[at].store(word, std::memory_order_relaxed);
    }
    length.store(size, std::memory_order_relaxed);
    known_after.store(after, std::memory_order_relaxed);
    changing.store(before + 2, std::memory_order_release);
}

}  // namespace

bool working_folder(PathText& to)
{
    // A child of vfork has a working folder of its own, but this memory is its parent's.
    const bool mine = !in_borrowed_memory();
    if (mine && recall(to)) return true;
    const std::uint64_t after = moves.load(std::memory_order_acquire);
    const long size = sys::working_folder(to.data(), PathText::capacity());
    if (size <= 1 || to.data()[0] != '/') return false;
    to.resize(static_cast<std::size_t>(size) - 1);
    if (mine && to.size() <= PathText::capacity() - sizeof(Word)) remember(to, after);
    return true;
}

bool is_working_folder(std::string_view with_slash)
{
    return !in_borrowed_memory() && with_slash.size() > 1 && with_slash.back() == '/' &&
           is_recalled(with_slash.substr(0, with_slash.size() - 1));
}

void working_folder_changed()
{
    moves.fetch_add(1, std::memory_order_acq_rel);
}

void working_folder_moves()
{
    moving.fetch_add(1, std::memory_order_relaxed);
}

void working_folder_rests()
{
    working_folder_changed();
    moving.fetch_sub(1, std::memory_order_relaxed);
}

void working_folder_is_each_threads_own()
{
    moving.fetch_add(1 << 16, std::memory_order_relaxed);
}

}  // namespace fathom
