// One loop, made for each kind of access, so that nothing is decided while the clock runs.
#include "analyzer/timing/measure/timed_loop.h"

#include <cerrno>
#include <sys/uio.h>
#include <unistd.h>

#include "analyzer/timing/measure/clock.h"
#include "analyzer/timing/measure/page_cache.h"

namespace fathom::measure {
namespace {

template <bool drops, class Access>
LoopEnd run(const Loop& loop, std::span<Sample> samples, const std::atomic<bool>& stop, Access access)
{
    LoopEnd end;
    const std::uint64_t begin = now();
    for (Sample& one : samples) {
        if constexpr (drops) drop_from_cache(loop.file);
        std::byte* const memory = loop.buffer + one.memory;
        const auto offset = static_cast<off_t>(one.offset);
        const std::uint64_t before = now();
        const ssize_t moved = access(memory, offset);
        const std::uint64_t after = now();
        if (moved != static_cast<ssize_t>(loop.size)) {
            end.error = moved < 0 ? errno : 0;
            end.returned = moved;
            end.failed = true;
            return end;
        }
        one.start = before;
        one.duration = after - before;
        ++end.done;
        if (stop.load(std::memory_order_relaxed)) break;
        if (loop.longest > 0 && after - begin > loop.longest && end.done >= loop.least) break;
    }
    return end;
}

}  // namespace

LoopEnd run_loop(const Loop& loop, std::span<Sample> samples, const std::atomic<bool>& stop)
{
    const int file = loop.file;
    const std::size_t size = loop.size;
    const auto read = [=](void* to, off_t at) { return pread(file, to, size, at); };
    const auto write = [=](const void* from, off_t at) { return pwrite(file, from, size, at); };
    const auto write_through = [=](void* from, off_t at) {
        const iovec piece{from, size};
        return pwritev2(file, &piece, 1, at, RWF_DSYNC);
    };
    const bool reads = loop.operation == Operation::read;
    if (loop.manner == Manner::dropped_before)
        return reads ? run<true>(loop, samples, stop, read) : run<true>(loop, samples, stop, write);
    if (reads) return run<false>(loop, samples, stop, read);
    return loop.manner == Manner::synced ? run<false>(loop, samples, stop, write_through)
                                         : run<false>(loop, samples, stop, write);
}

}  // namespace fathom::measure
