// The table of mappings, and the look into the page table.
#include "libinterpose/pending/mappings.h"

#include <algorithm>

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/system/own_memory.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

constexpr std::uint64_t page_size = 4096;

// Only its owner reads and writes `mapping`; the others look at the bounds. Nobody waits: an entry that is
// being changed is not there.
struct Entry {
    enum State : std::uint32_t { vacant, being_changed, live };
    std::atomic<std::uint32_t> state{vacant};
    std::atomic<std::uintptr_t> start{}, end{};
    std::atomic<NameChunk*> file{};
    Mapping mapping;

    Range at() const { return {start.load(std::memory_order_relaxed), end.load(std::memory_order_relaxed)}; }
    bool is_live() const { return state.load(std::memory_order_acquire) == live; }
    bool claim(std::uint32_t from)
    {
        return state.compare_exchange_strong(from, being_changed, std::memory_order_acq_rel);
    }
    void fill(const Mapping& with)
    {
        mapping = with;
        start.store(with.at.start, std::memory_order_relaxed);
        end.store(with.at.end, std::memory_order_relaxed);
        file.store(with.file, std::memory_order_relaxed);
        state.store(live, std::memory_order_release);
    }
};

constexpr std::uint32_t most_mappings = 1024;
FATHOM_LARGE constinit Entry mapping_table[most_mappings];
constinit std::atomic<std::uint32_t> used{0};  // entries from here on were never used

// So 128 MiB of a mapping are looked at completely, if there are not very many: less than a millisecond.
constexpr std::uint64_t window = 128, looks_for_all = 8192;

// What the looks of a process took, and what they found. A program that maps and unmaps all the time is
// looked at for a hundredth of its time; what lies between is taken to be like the rest.
struct Looks {
    std::atomic<std::uint64_t> first{0}, ticks{0}, number{0}, bytes{0}, touched{0};

    bool are_affordable() const
    {
        constexpr std::uint64_t part = 100;
        return number.load(std::memory_order_relaxed) < looks_for_all ||
               ticks.load(std::memory_order_relaxed) * part < now() - first.load(std::memory_order_relaxed);
    }
    std::uint64_t likely_touched(std::uint64_t of) const
    {
        const std::uint64_t seen = bytes.load(std::memory_order_relaxed);
        if (seen == 0) return 0;
        const double share =
            static_cast<double>(touched.load(std::memory_order_relaxed)) / static_cast<double>(seen);
        return static_cast<std::uint64_t>(share * static_cast<double>(of)) / page_size * page_size;
    }
};
constinit Looks looks_so_far;

// The pages of a range that this process has in its page table (or has had, and they are swapped out). Of
// larger ranges samples are looked at, evenly spread.
class PageTable {
  public:
    // To be used for so many mappings: the more there are, the fewer looks each gets.
    explicit PageTable(std::uint64_t mappings = 1)
        : begin_(now()), most_looks_(std::clamp<std::uint64_t>(looks_for_all / mappings, 8, 256))
    {
        std::uint64_t none = 0;
        looks_so_far.first.compare_exchange_strong(none, begin_, std::memory_order_relaxed);
        skipped_ = !looks_so_far.are_affordable();
        if (!skipped_) fd_ = sys::open("/proc/self/pagemap", O_RDONLY);
    }
    ~PageTable()
    {
        if (fd_ < 0) return;
        sys::close(fd_);
        looks_so_far.ticks.fetch_add(now() - begin_, std::memory_order_relaxed);
    }
    PageTable(const PageTable&) = delete;
    PageTable& operator=(const PageTable&) = delete;

    std::uint64_t bytes_touched(Range range) const
    {
        if (range.empty()) return 0;
        if (skipped_) return looks_so_far.likely_touched(range.end - range.start);
        if (fd_ < 0) return 0;
        const std::uint64_t pages = (range.end - range.start) / page_size;
        const std::uint64_t windows = (pages + window - 1) / window;
        const std::uint64_t looks = std::min(windows, most_looks_);
        std::uint64_t touched = 0, looked_at = 0;
        for (std::uint64_t look = 0; look < looks; ++look) {
            const std::uint64_t first = windows * look / looks * window;
            const std::uint64_t n = std::min(window, pages - first);
            touched += touched_in(range.start / page_size + first, n);
            looked_at += n;
        }
        looks_so_far.number.fetch_add(looks, std::memory_order_relaxed);
        looks_so_far.bytes.fetch_add(looked_at * page_size, std::memory_order_relaxed);
        looks_so_far.touched.fetch_add(touched * page_size, std::memory_order_relaxed);
        const double share = static_cast<double>(touched) / static_cast<double>(looked_at);
        return looked_at == pages
                   ? touched * page_size
                   : static_cast<std::uint64_t>(share * static_cast<double>(pages)) * page_size;
    }

  private:
    std::uint64_t touched_in(std::uint64_t first, std::uint64_t n) const
    {
        constexpr std::uint64_t present = std::uint64_t{1} << 63, swapped = std::uint64_t{1} << 62;
        std::uint64_t entry[window] = {};
        const long got =
            sys::call(SYS_pread64, fd_, sys::address(entry), static_cast<long>(n * sizeof entry[0]),
                      static_cast<long>(first * sizeof entry[0]));
        std::uint64_t touched = 0;
        for (long at = 0; at < got / static_cast<long>(sizeof entry[0]); ++at)
            touched += (entry[at] & (present | swapped)) != 0;
        return touched;
    }

    std::uint64_t begin_;
    int fd_ = -1;
    std::uint64_t most_looks_;
    bool skipped_ = false;
};

// Beyond the end of a file there are no pages, so those that are there came when it had grown. Of its last
// page only the part counts that was the file's.
std::uint64_t bytes_touched(const PageTable& pages, const Mapping& mapping)
{
    const std::uint64_t known =
        std::min<std::uint64_t>(mapping.file_bytes, mapping.at.end - mapping.at.start);
    const std::uintptr_t end_of_known = mapping.at.start + (known + page_size - 1) / page_size * page_size;
    return std::min(pages.bytes_touched({mapping.at.start, end_of_known}), known) +
           pages.bytes_touched({end_of_known, mapping.at.end});
}

void add_bytes(const Mapping& mapping, std::uint64_t bytes)
{
    if (bytes == 0) return;
    auto* const at = counters_of<PosixCounters>(mapping.file);
    if (at == nullptr) return;
    (mapping.shared && mapping.writable ? at->counters.map_bytes_written : at->counters.map_bytes_read) +=
        bytes;
    release_place(*here.thread);
}

// Counts what was not counted before.
void count(const PageTable& pages, Mapping& mapping)
{
    const long process = this_process();
    if (mapping.process != process) {
        // The page table's part for shared files was not copied into the child; other parts were.
        if (!mapping.shared) return;
        mapping.process = process;
        mapping.counted = 0;
    }
    const std::uint64_t touched = bytes_touched(pages, mapping);
    if (touched <= mapping.counted) return;
    add_bytes(mapping, touched - mapping.counted);
    mapping.counted = touched;
}

Mapping part_of(const Mapping& whole, Range range)
{
    Mapping part = whole;
    part.at = range;
    const std::uint64_t before = range.start - whole.at.start;
    part.file_bytes = whole.file_bytes > before ? whole.file_bytes - before : 0;
    return part;
}

}  // namespace

Range overlap(Range one, Range other)
{
    return {std::max(one.start, other.start), std::min(one.end, other.end)};
}

Range pages_of(const void* start, std::uint64_t bytes)
{
    const auto from = reinterpret_cast<std::uintptr_t>(start);
    const std::uintptr_t to = from + bytes + page_size - 1;
    return from % page_size != 0 || to < from ? Range{} : Range{from, to & ~(page_size - 1)};
}

namespace mappings {

bool any()
{
    return used.load(std::memory_order_relaxed) != 0;
}

void add(const Mapping& mapping)
{
    if (mapping.at.empty()) return;
    for (std::uint32_t at = 0; at < most_mappings; ++at) {
        if (mapping_table[at].state.load(std::memory_order_relaxed) != Entry::vacant ||
            !mapping_table[at].claim(Entry::vacant))
            continue;
        mapping_table[at].fill(mapping);
        std::uint32_t before = used.load(std::memory_order_relaxed);
        while (before <= at && !used.compare_exchange_weak(before, at + 1, std::memory_order_relaxed)) {
        }
        return;
    }
}

bool take(Range range, Mapping& taken)
{
    const std::uint32_t n = used.load(std::memory_order_relaxed);
    for (std::uint32_t at = 0; at < n; ++at) {
        Entry& entry = mapping_table[at];
        if (!entry.is_live() || overlap(entry.at(), range).empty() || !entry.claim(Entry::live)) continue;
        const Mapping whole = entry.mapping;
        const Range common = overlap(whole.at, range);
        if (common.empty()) {  // it was another's by the time it was claimed
            entry.fill(whole);
            continue;
        }
        taken = part_of(whole, common);
        entry.state.store(Entry::vacant, std::memory_order_release);
        Mapping before = part_of(whole, {whole.at.start, common.start});
        Mapping after = part_of(whole, {common.end, whole.at.end});
        // What was counted stays with the part that is taken, as far as it can be that part's.
        const std::uint64_t here_at_most = common.end - common.start;
        taken.counted = std::min(whole.counted, here_at_most);
        before.counted = std::min(whole.counted - taken.counted, before.at.end - before.at.start);
        after.counted = whole.counted - taken.counted - before.counted;
        add(before);
        add(after);
        return true;
    }
    return false;
}

NameChunk* file_in(Range range)
{
    const std::uint32_t n = used.load(std::memory_order_relaxed);
    for (std::uint32_t at = 0; at < n; ++at) {
        const Entry& entry = mapping_table[at];
        if (!entry.is_live() || overlap(entry.at(), range).empty()) continue;
        NameChunk* const file = entry.file.load(std::memory_order_relaxed);
        if (entry.is_live()) return file;
    }
    return nullptr;
}

NameChunk* end(Range range)
{
    Mapping mapping;
    if (!take(range, mapping)) return nullptr;
    NameChunk* const first = mapping.file;
    const PageTable pages;
    do count(pages, mapping);
    while (take(range, mapping));
    return first;
}

void count_pages_that_go(Range range)
{
    const PageTable pages;
    const std::uint32_t n = used.load(std::memory_order_relaxed);
    for (std::uint32_t at = 0; at < n; ++at) {
        Entry& entry = mapping_table[at];
        if (!entry.is_live() || overlap(entry.at(), range).empty() || !entry.claim(Entry::live)) continue;
        const Mapping whole = entry.mapping;
        entry.fill(whole);
        const Range common = overlap(whole.at, range);
        if (!common.empty()) add_bytes(whole, bytes_touched(pages, part_of(whole, common)));
    }
}

void count_all()
{
    if (!any()) return;
    const std::uint32_t n = used.load(std::memory_order_relaxed);
    const PageTable pages(n);
    for (std::uint32_t at = 0; at < n; ++at) {
        if (!mapping_table[at].is_live() || !mapping_table[at].claim(Entry::live)) continue;
        Mapping mapping = mapping_table[at].mapping;
        count(pages, mapping);
        mapping_table[at].fill(mapping);
    }
}

}  // namespace mappings
}  // namespace fathom
