// Begins parts, gives threads their places, and ends the recording when the process does.
#include "libinterpose/recording/session.h"

#include <algorithm>
#include <cstring>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/ending.h"
#include "libinterpose/recording/executable.h"
#include "libinterpose/recording/own_stack.h"
#include "libinterpose/recording/ownership.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/recording/standalone.h"
#include "libinterpose/recording/trace.h"
#include "libinterpose/recording/world.h"
#include "libinterpose/system/next.h"
#include "libinterpose/system/own_memory.h"
#include "libinterpose/system/sys.h"
#include "logformat/runtimes.h"
#include "logformat/secrets.h"

// Where the kernel put the arguments: their number, and they. Of the dynamic linker.
extern "C" void* __libc_stack_end;

namespace fathom {

constinit World world;

// Zeroed memory at the very end of the library's: the kernel keeps a page that is emptied in children apart
// from what lies beside it, which takes longer on two sides than on one.
__asm__(".hidden fathom_guard\n .largecomm fathom_guard, 4096, 4096");
static_assert(sizeof(Guard) == 4096 && alignof(Guard) == 4096 && std::is_trivially_destructible_v<Guard>);
constinit Arena arena;
thread_local constinit Place here __attribute__((tls_model("initial-exec")));

namespace {

constinit std::uint64_t last_epoch = 0;

// Two calls less than this apart are one burst of I/O.
constexpr std::uint64_t first_burst_gap_ns = 1'000'000;

// Done by whoever comes first; several at once do no harm.
void set_up()
{
    static constinit std::atomic<int> done{0};
    // A first look that writes takes one page fault, and not two.
    if (done.fetch_add(0, std::memory_order_acquire) != 0) return;
    clock_kind = best_clock();
    // Memory without a file behind it, as the linker lays out what is zero.
    sys::advise(&guard, sizeof guard, MADV_WIPEONFORK);
    done.store(1, std::memory_order_release);
}

// The arguments where the kernel put them, one behind the other, each with its zero. Nothing where they do
// not lie so any more, or where the dynamic linker was started by name and has moved them.
std::string_view arguments_at_start()
{
    auto* const start = static_cast<char* const*>(__libc_stack_end);
    const long count = *reinterpret_cast<const long*>(start);
    if (count <= 0 || getauxval(AT_BASE) == 0) return {};
    char* const* const argument = start + 1;
    std::size_t size = 0;
    for (long at = 0; at < count; ++at) {
        if (argument[at] != argument[0] + size) return {};
        size += std::strlen(argument[at]) + 1;
    }
    return {argument[0], size};
}

std::size_t read_arguments(PathText& to)
{
    if (const std::string_view known = arguments_at_start(); !known.empty()) {
        const std::size_t size = std::min(known.size(), PathText::capacity() - 1);
        std::memcpy(to.data(), known.data(), size);
        return size;
    }
    const int fd = sys::open("/proc/self/cmdline", O_RDONLY);
    if (fd < 0) return 0;
    const long got = sys::read(fd, to.data(), PathText::capacity() - 1);
    sys::close(fd);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
}

// The command line as a text; blanks stand between arguments.
std::uint32_t add_command()
{
    const PathScratch scratch;
    if (!scratch) return 0;
    PathText& text = *scratch;
    std::size_t size = read_arguments(text);
    if (size == 0) return 0;
    size = settings().arguments ? secrets::mask_all(text.data(), size) : ::strnlen(text.data(), size);
    std::replace(text.data(), text.data() + size, '\0', ' ');
    text.resize(size);
    auto view = text.view();
    while (!view.empty() && (view.back() == ' ' || view.back() == '\n')) view.remove_suffix(1);
    return arena.add_text(view);
}

std::uint32_t add_program()
{
    if (const SystemProgram known; !known.path().empty()) return arena.add_text(known.path());
    const PathScratch scratch;
    if (!scratch) return 0;
    const long length = sys::readlink("/proc/self/exe", scratch->data(), PathText::capacity() - 1);
    scratch->resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return arena.add_text(scratch->view());
}

std::uint32_t add_build()
{
    FixedText<128> text;
    const auto id = build_id(find_executable());
    for (const unsigned char byte : id) text.hex_of_byte(byte);
    struct stat about {};
    if (id.empty() && sys::status("/proc/self/exe", about) == 0)
        text << static_cast<std::uint64_t>(about.st_size) << " bytes, changed at "
             << static_cast<std::uint64_t>(about.st_mtim.tv_sec);
    return arena.add_text(text.view());
}

std::uint32_t add_node_name()
{
    utsname about{};
    if (sys::call(SYS_uname, sys::address(&about)) != 0) return 0;
    return arena.add_text(about.nodename);
}

// What a part says as the one before it did, of this process or of the one that it was forked from: that one
// stays mapped. A child in another PID namespace does not see its parent's number.
struct Inherited {
    std::string_view program, command, build;
};

Inherited inherited()
{
    if (arena.bytes().empty()) return {};
    const PartHeader& before = arena.header();
    const long process = static_cast<long>(before.pid);
    if (process != sys::process_id() && process != sys::parent_id()) return {};
    return {part_text(arena.bytes(), before.program), part_text(arena.bytes(), before.command),
            part_text(arena.bytes(), before.build)};
}

bool begin_part(std::uint64_t epoch)
{
    const ClockKind clock = clock_kind;
    const Inherited known = inherited();
    const char* const spool = settings().spool.empty() ? nullptr : settings().spool.c_str();
    if (!arena.create(spool, settings().memory_bytes, settings().bytes_for_traces(),
                      ticks_now(clock) + epoch))
        return false;
    PartHeader& header = arena.header();
    header.clock = clock;
    const Moment start = this_moment(clock);
    header.start_ticks = start.ticks;
    header.start_ns = start.unix_ns;
    header.start_monotonic_ns = start.monotonic_ns;
    header.pid = static_cast<std::uint64_t>(sys::process_id());
    guard.process.store(static_cast<long>(header.pid), std::memory_order_relaxed);
    header.parent = static_cast<std::uint64_t>(sys::parent_id());
    header.program = known.program.empty() ? add_program() : arena.add_text(known.program);
    header.command = known.command.empty() ? add_command() : arena.add_text(known.command);
    header.build = known.build.empty() ? add_build() : arena.add_text(known.build);
    if (is_made_by_go(find_executable())) header.libraries = arena.add_text(go_runtime);
    header.host = add_node_name();
    header.task = settings().task;
    header.identity = arena.add_text(settings().identity.view());
    if (world.pid == static_cast<long>(header.pid)) {
        header.rank = world.rank;
        header.ranks = world.size;
    }
    arena.publish();
    return true;
}

// A thread that died leaves its chunk to the next; a new one is made where none is free.
ThreadChunk* place_of(std::uint32_t tid)
{
    PartHeader& header = arena.header();
    if (auto* const known = claim_place(header.threads.load(std::memory_order_acquire), tid)) {
        finish_trace_of_dead(*known);
        return known;
    }
    auto* const chunk = arena.allocate<ThreadChunk>(ChunkKind::thread, {}, 0, Arena::Room::reserve);
    if (chunk == nullptr) return nullptr;
    chunk->tid.store(tid, std::memory_order_relaxed);
    chunk->bursts = 1;
    chunk->gap = header.clock == ClockKind::monotonic ? first_burst_gap_ns : first_burst_gap_ns * 2;
    Arena::publish(chunk->header);
    std::uint32_t head = header.threads.load(std::memory_order_relaxed);
    do chunk->next = head;
    while (!header.threads.compare_exchange_weak(head, arena.offset_of(chunk), std::memory_order_acq_rel));
    return chunk;
}

}  // namespace

void leave()
{
    // Any thread may end the process, and a forked child that recorded nothing has no part.
    if (guard.epoch.load() == 0 || !is_own_part()) return;
    if (!arena.in_spool() && !is_confined() && !settings().log_folder.empty()) on_own_stack(write_own_log);
}

bool enter_slowly()
{
    set_up();
    // The child of a fork has memory of its own, even if its parent had not.
    if (!guard.seen.exchange(true, std::memory_order_relaxed)) fathom_borrowed = 0;
    for (int patience = 0;; ++patience) {
        std::uint32_t state = guard.state.load(std::memory_order_acquire);
        if (state == Guard::ready) break;
        if (state == Guard::off || in_borrowed_memory() || is_confined()) return false;
        if (state == Guard::none && guard.state.compare_exchange_strong(state, Guard::building)) {
            guard.builder.store(sys::thread_id(), std::memory_order_relaxed);
            const std::uint64_t epoch = ++last_epoch;
            const bool good = begin_part(epoch);
            if (good) forget_streams();
            if (good) guard.epoch.store(epoch, std::memory_order_release);
            guard.state.store(good ? Guard::ready : Guard::off, std::memory_order_release);
            if (!good) return false;
            break;
        }
        // Another thread is at it, on a machine that may be busy; it is not waited for for ever. It may also
        // be this one, interrupted by a signal.
        constexpr int looks = 1000, most_rests = 1000;
        constexpr long rest_ns = 100'000;
        if (patience > looks + most_rests) return false;
        if (patience < looks)
            sys::yield();
        else if (guard.builder.load(std::memory_order_relaxed) == sys::thread_id())
            return false;
        else
            sys::rest(rest_ns);
    }
    const std::uint64_t epoch = guard.epoch.load(std::memory_order_acquire);
    ThreadChunk* const place = place_of(sys::thread_id());
    if (place == nullptr) {
        missed();
        return false;
    }
    // Counters may bear this thread's number from a dead one that had it before.
    acquire_places();
    here = {place, epoch};
    return true;
}

bool is_confined()
{
    return sys::forbidden() || clock_is_stopped();
}

long this_process()
{
    // The kernel's word holds also in a child that shares our memory by clone.
    return sys::forbidden() ? guard.process.load() : sys::process_id();
}

bool is_own_part()
{
    return !arena.bytes().empty() && !in_borrowed_memory() &&
           arena.header().pid == static_cast<std::uint64_t>(this_process());
}

// Each value is one that neither this process nor those that it was forked from have had, and they are so far
// apart that two streams with two of them do not look like one (served::key_of).
void forget_streams()
{
    constexpr std::uint64_t far_apart = 0x9E3779B97F4A7C15;
    static constinit std::atomic<std::uint64_t> changes{0};
    guard.streams.store((changes.fetch_add(1, std::memory_order_relaxed) + 1) * far_apart,
                        std::memory_order_relaxed);
}

void missed(std::uint64_t calls)
{
    if (guard.state.load() == Guard::ready) arena.header().missed.fetch_add(calls, std::memory_order_relaxed);
}

std::uint64_t pause_recording()
{
    guard.state.store(Guard::off, std::memory_order_release);
    forget_streams();
    return guard.epoch.exchange(0, std::memory_order_acq_rel);
}

void resume_recording(std::uint64_t epoch)
{
    guard.epoch.store(epoch, std::memory_order_release);
    guard.state.store(epoch != 0 ? Guard::ready : Guard::none, std::memory_order_release);
}

}  // namespace fathom
