// Begins parts, gives threads their places, and ends the recording when the process does.
#include "libinterpose/session.h"

#include <cpuid.h>
#include <sys/utsname.h>

#include "libinterpose/ending.h"
#include "libinterpose/mpi_library.h"
#include "libinterpose/next.h"
#include "libinterpose/observe.h"
#include "libinterpose/paths.h"
#include "libinterpose/settings.h"
#include "libinterpose/standalone.h"
#include "libinterpose/sys.h"

namespace fathom {

constinit ClockKind clock_kind = ClockKind::monotonic;
constinit Guard first_guard;
constinit std::atomic<Guard*> guard{&first_guard};
constinit Arena arena;
thread_local constinit ThreadChunk* me __attribute__((tls_model("initial-exec"))) = nullptr;
thread_local constinit std::uint64_t my_epoch __attribute__((tls_model("initial-exec"))) = 0;

namespace {

constinit std::uint64_t last_epoch = 0;

// Two calls less than this apart are one burst of I/O.
constexpr std::uint64_t first_burst_gap_ns = 1'000'000;

ClockKind best_clock()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
    return invariant ? ClockKind::tsc : ClockKind::monotonic;
}

void set_guard_page()
{
    if (guard.load(std::memory_order_relaxed) != &first_guard) return;
    clock_kind = best_clock();
    void* const page = sys::map(4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (page == nullptr || sys::advise(page, 4096, MADV_WIPEONFORK) != 0) return;
    Guard* expected = &first_guard;
    if (!guard.compare_exchange_strong(expected, new (page) Guard)) sys::unmap(page, 4096);
}

// Adds the contents of a file under /proc as a text; zero bytes become spaces.
std::uint32_t add_proc_text(const char* path)
{
    const PathScratch scratch;
    if (!scratch) return 0;
    PathText& text = *scratch;
    const int fd = sys::open(path, O_RDONLY);
    if (fd < 0) return 0;
    const long got = sys::read(fd, text.data(), text.capacity() - 1);
    sys::close(fd);
    if (got <= 0) return 0;
    for (long at = 0; at < got; ++at)
        if (text.data()[at] == '\0') text.data()[at] = ' ';
    text.resize(static_cast<std::size_t>(got));
    auto view = text.view();
    while (!view.empty() && (view.back() == ' ' || view.back() == '\n')) view.remove_suffix(1);
    return arena.add_text(view);
}

std::uint32_t add_link_text(const char* link)
{
    const PathScratch scratch;
    if (!scratch) return 0;
    const long length = sys::readlink(link, scratch->data(), PathText::capacity() - 1);
    scratch->resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return arena.add_text(scratch->view());
}

std::uint32_t add_node_name()
{
    utsname about{};
    if (sys::call(SYS_uname, sys::address(&about)) != 0) return 0;
    return arena.add_text(about.nodename);
}

bool begin_part(std::uint64_t epoch)
{
    const ClockKind clock = clock_kind;
    const char* const spool = settings().spool.empty() ? nullptr : settings().spool.c_str();
    if (!arena.create(spool, settings().arena_bytes, ticks_now(clock) + epoch)) return false;
    PartHeader& header = arena.header();
    header.clock = clock;
    header.start_ticks = ticks_now(clock);
    header.start_ns = unix_ns_now();
    header.pid = static_cast<std::uint64_t>(sys::process_id());
    header.parent = static_cast<std::uint64_t>(sys::parent_id());
    header.pid_space = sys::pid_namespace();
    header.program = add_link_text("/proc/self/exe");
    header.command = add_proc_text("/proc/self/cmdline");
    header.host = add_node_name();
    if (mpi::world.pid == static_cast<long>(header.pid)) {
        header.rank = mpi::world.rank;
        header.ranks = mpi::world.size;
    }
    return true;
}

// A thread that died leaves its chunk to the next; a new one is made where none is free.
ThreadChunk* place_of(std::uint32_t tid)
{
    constexpr int most_looks = 16;
    PartHeader& header = arena.header();
    std::uint32_t at = header.threads.load(std::memory_order_acquire);
    for (int looks = 0; at != 0 && looks < most_looks; ++looks) {
        auto* const chunk = arena.at<ThreadChunk>(at);
        std::uint32_t owner = chunk->tid.load(std::memory_order_relaxed);
        if (owner == tid) return chunk;
        if (!sys::thread_lives(static_cast<long>(header.pid), owner) &&
            chunk->tid.compare_exchange_strong(owner, tid))
            return chunk;
        at = chunk->next;
    }
    auto* const chunk = arena.allocate<ThreadChunk>(ChunkKind::thread, {}, 0, Arena::Room::reserve);
    if (chunk == nullptr) return nullptr;
    chunk->tid.store(tid, std::memory_order_relaxed);
    chunk->gap = header.clock == ClockKind::monotonic ? first_burst_gap_ns : first_burst_gap_ns * 2;
    Arena::publish(chunk->header);
    std::uint32_t head = header.threads.load(std::memory_order_relaxed);
    do chunk->next = head;
    while (!header.threads.compare_exchange_weak(head, arena.offset_of(chunk), std::memory_order_acq_rel));
    return chunk;
}

__attribute__((constructor)) void start()
{
    find_originals();
    enter();
}

__attribute__((destructor)) void finish()
{
    note_ending(Ending::exited);
    // Any thread may end the process, and a forked child that recorded nothing has no part.
    if (guard.load()->epoch.load() == 0 || in_borrowed_memory()) return;
    if (!arena.in_spool()) write_own_log();
}

}  // namespace

bool enter_slowly()
{
    set_guard_page();
    Guard& now = *guard.load(std::memory_order_acquire);
    for (int patience = 0;; ++patience) {
        std::uint32_t state = now.state.load(std::memory_order_acquire);
        if (state == Guard::ready) break;
        if (state == Guard::off) return false;
        if (state == Guard::none && now.state.compare_exchange_strong(state, Guard::building)) {
            const std::uint64_t epoch = ++last_epoch;
            const bool good = begin_part(epoch);
            if (good) now.epoch.store(epoch, std::memory_order_release);
            now.state.store(good ? Guard::ready : Guard::off, std::memory_order_release);
            if (!good) return false;
            break;
        }
        // Another thread is at it. It may also be this one, interrupted by a signal: do not wait for ever.
        if (patience > 1000) return false;
        sys::yield();
    }
    const std::uint64_t epoch = now.epoch.load(std::memory_order_acquire);
    ThreadChunk* const place = place_of(sys::thread_id());
    if (place == nullptr) {
        missed();
        return false;
    }
    me = place;
    my_epoch = epoch;
    return true;
}

bool in_borrowed_memory()
{
    return guard.load()->state.load(std::memory_order_acquire) == Guard::ready &&
           arena.header().pid != static_cast<std::uint64_t>(sys::process_id());
}

void missed()
{
    if (guard.load()->state.load() == Guard::ready)
        arena.header().missed.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t pause_recording()
{
    Guard& now = *guard.load();
    now.state.store(Guard::off, std::memory_order_release);
    return now.epoch.exchange(0, std::memory_order_acq_rel);
}

void resume_recording(std::uint64_t epoch)
{
    Guard& now = *guard.load();
    now.epoch.store(epoch, std::memory_order_release);
    now.state.store(epoch != 0 ? Guard::ready : Guard::none, std::memory_order_release);
}

}  // namespace fathom
