// mincore, sync_file_range and posix_fadvise, and the counters of /proc.
#include "analyzer/timing/measure/page_cache.h"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace fathom::measure {
namespace {

// Mapped at once: a vector of 256 KiB for mincore.
constexpr std::uint64_t window = 1u << 30;

// As in linux/mman.h, which Debian 12 has without them. The number is the same on all machines but Alpha.
struct CacheRange {
    std::uint64_t from = 0, length = 0;
};
struct CacheStatistics {
    std::uint64_t cached = 0, dirty = 0, written_back = 0, evicted = 0, recently_evicted = 0;
};
constexpr long number_of_cachestat = 451;

std::uint64_t page_size()
{
    return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t pages_of(std::uint64_t bytes)
{
    return (bytes + page_size() - 1) / page_size();
}

}  // namespace

std::optional<double> resident_share(int file, std::uint64_t bytes)
{
    CacheRange range{0, bytes};
    CacheStatistics found;
    if (bytes == 0 || syscall(number_of_cachestat, file, &range, &found, 0) != 0)
        return resident_share_by_mincore(file, bytes);
    return static_cast<double>(found.cached) / static_cast<double>(pages_of(bytes));
}

std::optional<double> resident_share_by_mincore(int file, std::uint64_t bytes)
{
    const std::uint64_t page = page_size();
    std::vector<unsigned char> pages(std::min(window, bytes) / page + 1);
    std::uint64_t resident = 0, all = 0;
    for (std::uint64_t from = 0; from < bytes; from += window) {
        const std::uint64_t length = std::min(window, bytes - from);
        void* const map = mmap(nullptr, length, PROT_READ, MAP_SHARED, file, static_cast<off_t>(from));
        if (map == MAP_FAILED) return std::nullopt;
        const bool told = mincore(map, length, pages.data()) == 0;
        munmap(map, length);
        if (!told) return std::nullopt;
        const std::uint64_t count = pages_of(length);
        all += count;
        for (std::uint64_t at = 0; at < count; ++at) resident += pages[at] & 1;
    }
    return all > 0 ? static_cast<double>(resident) / static_cast<double>(all) : 0;
}

void drop_from_cache(int file)
{
    // Pages that are dirty or being written stay in the cache, whatever is advised.
    sync_file_range(file, 0, 0,
                    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

bool drop_caches_of_machine()
{
    const int file = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool dropped = write(file, "1\n", 2) == 2;
    close(file);
    return dropped;
}

void read_into_cache(int file, std::uint64_t bytes, const std::atomic<bool>& stop)
{
    std::vector<char> piece(1u << 20);
    for (std::uint64_t at = 0; at < bytes && !stop;) {
        const ssize_t got = pread(file, piece.data(), piece.size(), static_cast<off_t>(at));
        if (got <= 0) return;  // what is missing shows in the share that is resident
        at += static_cast<std::uint64_t>(got);
    }
}

std::optional<IoCounters> io_counters()
{
    std::ifstream in("/proc/self/io");
    IoCounters counters;
    int found = 0;
    std::string name;
    for (std::uint64_t value = 0; in >> name >> value;) {
        if (name == "read_bytes:" && ++found > 0) counters.read_bytes = value;
        if (name == "write_bytes:" && ++found > 0) counters.write_bytes = value;
    }
    if (found < 2) return std::nullopt;
    return counters;
}

}  // namespace fathom::measure
