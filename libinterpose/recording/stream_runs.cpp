// Begins runs and settles them.
#include "libinterpose/recording/stream_runs.h"

#include "libinterpose/recording/clock.h"
#include "libinterpose/system/next.h"
#include "libinterpose/system/sys.h"

namespace fathom::served {

thread_local constinit Streams streams __attribute__((tls_model("initial-exec"))) = {};

namespace {

// What glibc's FILEs point to that are files' and neither wide nor mapped, and the same of wide ones;
// nullptr: none is looked into, as with another C library.
struct Sorts {
    std::atomic<const void*> files{nullptr}, wide_files{nullptr};
    std::atomic<bool> known{false};
};
constinit Sorts sorts;

// Asked for where the first stream could be looked into; several threads at once find the same.
void find_sorts()
{
    if (!knows_originals()) return;
    if (finds_originals_of_streams()) {
        sorts.files.store(next_definition("_IO_file_jumps"), std::memory_order_relaxed);
        sorts.wide_files.store(next_definition("_IO_wfile_jumps"), std::memory_order_relaxed);
    }
    sorts.known.store(true, std::memory_order_release);
}

// glibc's marks in a FILE; see stdio_operations.h.
constexpr unsigned magic = 0xFBAD0000, magic_bits = 0xFFFF0000;
constexpr unsigned unbuffered = 0x0002, in_backup = 0x0100, by_line = 0x0200, writing = 0x0800,
                   has_descriptor = 0x2000;

bool is_of_sort(const FILE* stream, const std::atomic<const void*>& sort)
{
    // Behind a FILE of glibc's is what tells its sort.
    const void* its = nullptr;
    std::memcpy(&its, stream + 1, sizeof its);
    if (__builtin_expect(!sorts.known.load(std::memory_order_acquire), 0)) find_sorts();
    const void* const wanted = sort.load(std::memory_order_relaxed);
    return wanted != nullptr && its == wanted;
}

template <class Side>
bool has_plain_marks(const FILE* stream)
{
    constexpr bool writes = std::is_same_v<Side, WriteSide>;
    constexpr unsigned looked_at =
        magic_bits | has_descriptor | writing | unbuffered | in_backup | (writes ? by_line : 0);
    return (static_cast<unsigned>(stream->_flags) & looked_at) ==
           (magic | has_descriptor | (writes ? writing : 0));
}

template <class Side>
bool may_be_looked_into(const FILE* stream)
{
    return has_plain_marks<Side>(stream) && is_of_sort(stream, sorts.files) && stream->_mode <= 0;
}

void add_to_list(StreamCounters& at)
{
    if (at.run.listed) return;
    at.run.listed = true;
    auto& head = arena.header().served;
    std::uint32_t first = head.load(std::memory_order_relaxed);
    do at.run.next = first;
    while (!head.compare_exchange_weak(first, arena.offset_of(&at), std::memory_order_acq_rel));
}

// Takes out of the run what is to be settled. A signal handler may add to it meanwhile.
void take_out(StreamRun::Calls& run, const StreamRun::Calls& out)
{
    run.single -= out.single;
    run.sized[0] -= out.sized[0];
    run.sized[1] -= out.sized[1];
    run.bytes -= out.bytes;
    run.formatted -= out.formatted;
    run.given_back -= out.given_back;
}

// What whoever reads the part goes back to if the process is killed while this exists.
template <class Side>
class Settling {
  public:
    explicit Settling(StreamCounters& at) : settling_(at.run.settling)
    {
        StdioCounters& counters = at.counters;
        settling_.calls = at.run.calls;
        settling_.number = counters.*Side::calls;
        settling_.bytes = counters.*Side::bytes;
        settling_.buffered = buffered(counters);
        settling_.small = (counters.*Side::sizes).count[0];
        settling_.larger = (counters.*Side::sizes).count[1];
        settling_.formatted = counters.formatted;
        settling_.common_size = counters.common_size;
        settling_.under_way.store(true, std::memory_order_release);
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~Settling()
    {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        settling_.under_way.store(false, std::memory_order_release);
    }
    Settling(const Settling&) = delete;
    Settling& operator=(const Settling&) = delete;

    const StreamRun::Calls& calls() const { return settling_.calls; }
    static std::uint64_t& buffered(StdioCounters& counters)
    {
        return std::is_same_v<Side, WriteSide> ? counters.buffered_writes : counters.buffered_reads;
    }

  private:
    StreamRun::Settling& settling_;
};

void note_calls(StreamCounters& at, Kind kind, std::size_t size_class, std::uint64_t calls)
{
    if (calls == 0) return;
    timings::count_duration_slowly(
        static_cast<std::size_t>(at.first_histogram + histogram_of(kind, size_class)), 0, calls);
}

template <class Side>
void add_to_counters(StreamCounters& at, std::uint64_t place)
{
    if (at.run.calls.number() == 0) return;
    StdioCounters& counters = at.counters;
    const Settling<Side> settling(at);
    const StreamRun::Calls done = settling.calls();
    take_out(at.run.calls, done);
    count_place<Side>(at, place, done.moved());
    counters.*Side::consecutive += done.number() - 1 - std::min(done.number() - 1, done.given_back);
    counters.*Side::calls += done.number();
    const std::uint64_t calls = done.number(), bytes = not_counted<Side>(at, done.moved());
    counters.*Side::bytes += bytes;
    Settling<Side>::buffered(counters) += done.number();
    (counters.*Side::sizes).count[0] += done.single + done.sized[0];
    (counters.*Side::sizes).count[1] += done.sized[1];
    if (done.single > 0) counters.common_size.add(1, done.single);
    counters.formatted += done.formatted;
    const std::uint64_t at_once = now();
    const Interval when{at_once, at_once};
    note_first_last(counters.*Side::first, counters.*Side::last, when);
    if (at.last_was == Side::other) ++counters.switches;
    at.last_was = Side::mark;
    if ((at.timed & timings::in_slices) != 0) {
        static_assert(SizeHistogram::class_of(StreamRun::most_bytes) == 1);
        note_calls(at, Side::kind, 0, done.single + done.sized[0]);
        note_calls(at, Side::kind, 1, done.sized[1]);
        timings::add_to_slices(*here.thread, at.timing_place, timings::sums_of(Side::kind), when,
                               {calls, bytes});
    }
    note_burst(when, bytes & at.file_bytes);
}

}  // namespace

ReadBuffer read_buffer(const FILE* stream)
{
    if (stream == nullptr || !has_plain_marks<ReadSide>(stream)) return {};
    if (stream->_mode <= 0) {
        if (!is_of_sort(stream, sorts.files)) return {};
        return {stream->_IO_read_ptr, stream->_IO_read_base, stream->_IO_read_end, false};
    }
    // As glibc has had it in its headers for getwc, which was a macro.
    struct Wide {
        const char *at, *end, *begin;
    };
    const auto* const buffer = reinterpret_cast<const Wide*>(stream->_wide_data);
    if (buffer == nullptr || !is_of_sort(stream, sorts.wide_files)) return {};
    return {buffer->at, buffer->begin, buffer->end, true};
}

bool is_current(const StreamCounters* at)
{
    const auto part = arena.bytes();
    const auto* const place = reinterpret_cast<const std::byte*>(at);
    return here.epoch == guard.epoch.load(std::memory_order_relaxed) && place >= part.data() &&
           place < part.data() + part.size();
}

bool is_own(const StreamCounters* at)
{
    return is_current(at) &&
           at->owner.load(std::memory_order_relaxed) == here.thread->tid.load(std::memory_order_relaxed);
}

[[gnu::noinline]] void settle(StreamCounters& at)
{
    const StreamRun& run = at.run;
    const std::uint64_t moved = run.calls.moved();
    // Another thread, or a close, has put an end to it before: the position is known to have these bytes.
    auto* const description = static_cast<Description*>(run.description);
    const bool goes_on = description != nullptr && description->run.load(std::memory_order_relaxed) == &at;
    const std::uint64_t place = goes_on ? description->stream_position.load(std::memory_order_relaxed)
                                        : (run.writes ? at.written_end : at.read_end);
    if (goes_on) description->stream_position.store(place + moved, std::memory_order_relaxed);
    if (run.writes)
        add_to_counters<WriteSide>(at, place);
    else
        add_to_counters<ReadSide>(at, place);
}

template <class Side>
[[gnu::noinline]] StreamCounters* recalled(const FILE* stream, int fd)
{
    const Description* const description = fd < 0 ? nullptr : fathom::known(fd);
    if (description == nullptr) return nullptr;
    StreamCounters* const at = description->run.load(std::memory_order_relaxed);
    if (at == nullptr || !is_own(at) || at->run.stream != stream || at->run.description != description ||
        at->run.writes != std::is_same_v<Side, WriteSide>)
        return nullptr;
    remember<Side>(stream, *at);
    return at;
}
template StreamCounters* recalled<ReadSide>(const FILE*, int);
template StreamCounters* recalled<WriteSide>(const FILE*, int);

template <class Side>
[[gnu::noinline]] void begin(StreamCounters& at, Description& description, const FILE* stream)
{
    constexpr std::uint8_t most_hand_overs = 16;
    if ((at.timed & timings::in_trace) != 0 || guard.streams.load(std::memory_order_relaxed) == 0 ||
        description.used_in_place.load(std::memory_order_relaxed) ||
        description.handed_over.load(std::memory_order_relaxed) > most_hand_overs ||
        !may_be_looked_into<Side>(stream))
        return;
    StreamRun& run = at.run;
    if (run.calls.number() != 0) settle(at);
    forget(&at);
    // It may be on another stream of the same file, or of another one for which these counters stand.
    if (auto* const before = static_cast<Description*>(run.description); before != nullptr) {
        StreamCounters* mine = &at;
        before->run.compare_exchange_strong(mine, nullptr);
    }
    run.stream = stream;
    run.description = &description;
    run.writes = std::is_same_v<Side, WriteSide>;
    add_to_list(at);
    description.run.store(&at, std::memory_order_relaxed);
    remember<Side>(stream, at);
}
template void begin<ReadSide>(StreamCounters&, Description&, const FILE*);
template void begin<WriteSide>(StreamCounters&, Description&, const FILE*);

void take_back_byte(StreamCounters& at)
{
    if (at.run.calls.single > 0) --at.run.calls.single;
}

void take_back(StreamCounters& at, std::uint64_t bytes)
{
    std::uint64_t& calls = at.run.calls.sized[bytes > SizeHistogram::upper_bounds[0]];
    if (calls == 0 || at.run.calls.bytes < bytes) return;
    --calls;
    at.run.calls.bytes -= bytes;
    for (CommonSizes::Slot& slot : at.counters.common_size.slot)
        if (slot.size == bytes && slot.count > 0) {
            --slot.count;
            return;
        }
}

void settle_all()
{
    if (guard.epoch.load() == 0 || here.epoch != guard.epoch.load() || !is_own_part()) return;
    int looks = 64;  // at whether a thread lives, each a system call
    const std::uint32_t mine = here.thread->tid.load(std::memory_order_relaxed);
    for (auto* at = arena.at<StreamCounters>(arena.header().served.load(std::memory_order_acquire));
         at != nullptr; at = arena.at<StreamCounters>(at->run.next)) {
        if (at->run.calls.number() == 0) continue;
        const std::uint32_t owner = at->owner.load(std::memory_order_acquire);
        if (owner != mine && (sys::forbidden() || --looks < 0 || sys::thread_lives(sys::process_id(), owner)))
            continue;
        settle(*at);
    }
}

}  // namespace fathom::served
