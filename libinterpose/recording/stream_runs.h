// Runs of calls that the buffer of a stream serves. Such a call takes no longer than two looks at the clock:
// it is not timed, and counted with a few instructions, in the part, where it outlives the process. The
// stream's own pointers tell before the call whether the buffer will do. The next call that may reach the
// file settles the run: adds it to the counters, histograms and slices, as calls that took no time.
//
// A run is of one thread on one stream in one direction. Each thread remembers the two streams that it last
// read and wrote; what it remembers is void once `guard.streams` has changed: the stream may be another one
// by now, another thread may use it, the part may be another one.
#pragma once

#include <cstdio>
#include <sys/single_threaded.h>

#include "libinterpose/recording/recorder.h"

namespace fathom {

using StreamCounters = CountersOf<StdioCounters>;

namespace served {

// Of the streams that this thread last read and wrote: with a run.
struct Remembered {
    std::uint64_t key = 1;  // no stream's
    StreamCounters* at = nullptr;
};
struct Streams {
    Remembered read, written;
};
extern thread_local constinit Streams streams
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

template <class Side>
[[gnu::always_inline]] inline Remembered& remembered()
{
    if constexpr (std::is_same_v<Side, WriteSide>)
        return streams.written;
    else
        return streams.read;
}

inline std::uint64_t key_of(const FILE* stream)
{
    return reinterpret_cast<std::uint64_t>(stream) + guard.streams.load(std::memory_order_relaxed);
}

template <class Side>
const char* place_in(const FILE* stream)
{
    return std::is_same_v<Side, WriteSide> ? stream->_IO_write_ptr : stream->_IO_read_ptr;
}
template <class Side>
const char* end_of(const FILE* stream)
{
    return std::is_same_v<Side, WriteSide> ? stream->_IO_write_end : stream->_IO_read_end;
}

// How many bytes the buffer holds to be read, or has room for; none where this is not positive.
template <class Side>
std::int64_t room_in(const FILE* stream)
{
    return end_of<Side>(stream) - place_in<Side>(stream);
}

// What fread and fwrite move; 0 for more than can be.
inline std::uint64_t bytes_of(std::uint64_t size, std::uint64_t items)
{
    return ((size | items) >> 32) != 0 ? 0 : size * items;
}

// Counts a call that the buffer serves.
inline void count_bytes(StreamCounters& at, std::uint64_t n)
{
    at.run.calls.bytes += n;
    add_one(at.run.calls.sized[n > SizeHistogram::upper_bounds[0]]);
    at.counters.common_size.count(n);
}

// The same if the buffer serves it; false: it may not, or the call is one to be timed.
template <class Side>
bool serve(StreamCounters& at, const FILE* stream, std::uint64_t bytes)
{
    if (bytes - 1 >= StreamRun::most_bytes || room_in<Side>(stream) < static_cast<std::int64_t>(bytes))
        return false;
    count_bytes(at, bytes);
    return true;
}
template <class Side>
[[gnu::always_inline]] inline bool serve_byte(StreamCounters& at, const FILE* stream)
{
    if (place_in<Side>(stream) >= end_of<Side>(stream)) return false;
    add_one(at.run.calls.single);
    return true;
}

// Of a byte that goes back to where a served call took it: that call stays, the byte counts where it is read
// again.
[[gnu::always_inline]] inline bool give_back(StreamCounters& at, const FILE* stream, int byte)
{
    const char* const place = stream->_IO_read_ptr;
    if (place <= stream->_IO_read_base || static_cast<unsigned char>(place[-1]) != byte ||
        at.run.calls.moved() == 0)
        return false;
    add_one(at.run.calls.given_back);
    return true;
}

// Of the bytes that a call moved, those that have not been counted before.
template <class Side>
std::uint64_t not_counted(StreamCounters& at, std::uint64_t moved)
{
    if (std::is_same_v<Side, WriteSide> || __builtin_expect(at.run.put_back == 0, 1)) return moved;
    const std::uint64_t again = std::min(at.run.put_back, moved);
    at.run.put_back -= again;
    return moved - again;
}

// Takes back what was counted for a call that was not served after all.
void take_back_byte(StreamCounters& at);
void take_back(StreamCounters& at, std::uint64_t bytes);

// The same without a call, of the size that is the commonest.
template <class Side>
[[gnu::always_inline]] inline bool serve_usual(StreamCounters& at, const FILE* stream, std::uint64_t bytes)
{
    CommonSizes::Slot& usual = at.counters.common_size.slot[0];
    if (usual.size != bytes || bytes - 1 >= StreamRun::most_bytes ||
        room_in<Side>(stream) < static_cast<std::int64_t>(bytes))
        return false;
    at.run.calls.bytes += bytes;
    add_one(at.run.calls.sized[bytes > SizeHistogram::upper_bounds[0]]);
    add_one(usual.count);
    return true;
}

// A call that moves text of unknown length: from the buffer it is served if that has room for twice as much
// as the longest one before. What it moved, the stream's pointers tell behind it.
template <class Side>
class Text {
  public:
    Text(StreamCounters& at, const FILE* stream)
        : at_(at), stream_(stream), place_(place_in<Side>(stream)), end_(end_of<Side>(stream))
    {}
    static bool is_likely(const StreamCounters& at, const FILE* stream)
    {
        constexpr std::uint64_t some = 64;
        return room_in<Side>(stream) >= static_cast<std::int64_t>(2 * at.run.longest + some);
    }
    // What the buffer had, where that served the call; if not, this is no number of bytes that it can move.
    std::uint64_t moved() const
    {
        return end_of<Side>(stream_) == end_ ? static_cast<std::uint64_t>(place_in<Side>(stream_) - place_)
                                             : 0;
    }
    // Of those that take no more than so many bytes: whether it cannot have refilled the buffer and come to
    // the same place again.
    bool takes_at_most(std::uint64_t bytes) const
    {
        return bytes <= static_cast<std::uint64_t>(end_ - stream_->_IO_read_base);
    }
    // False: it was not served by the buffer, as far as can be seen.
    bool count(std::uint64_t moved) const
    {
        if (__builtin_expect(moved - 1 >= StreamRun::most_bytes, 0)) {
            at_.run.longest = static_cast<std::uint64_t>(end_ - place_);  // not again
            return false;
        }
        if (moved > at_.run.longest) at_.run.longest = moved;
        count_bytes(at_, moved);
        return true;
    }

  private:
    StreamCounters& at_;
    const FILE* stream_;
    const char *place_, *end_;
};

// Whether this thread's run on the stream is what it remembers.
template <class Side>
[[gnu::always_inline]] inline bool is_known(const FILE* stream)
{
    return __builtin_expect(remembered<Side>().key == key_of(stream), 1);
}

// The same in a process with threads: another one may take from the buffer between our look at it and the
// call. What the call returns is then looked at too.
inline constexpr std::uint64_t with_threads = 1;  // differs in no two streams
template <class Side>
[[gnu::always_inline]] inline bool is_known_with_threads(const FILE* stream)
{
    return remembered<Side>().key == (key_of(stream) ^ with_threads);
}
template <class Side>
void remember(const FILE* stream, StreamCounters& at)
{
    // A signal handler must not find one stream's key with another one's counters.
    Remembered& one = remembered<Side>();
    one.key = Remembered{}.key;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    one.at = &at;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    one.key = key_of(stream) ^ (__libc_single_threaded != 0 ? 0 : with_threads);
}

// The counters with this thread's run on the stream, whether or not that is the one that it remembers; from
// now on it is. nullptr: there is none.
template <class Side>
StreamCounters* recalled(const FILE* stream, int fd);

// Where a stream's buffer stands that is being read. Nothing where the stream is not looked into.
struct ReadBuffer {
    const char *at = nullptr, *begin = nullptr, *end = nullptr;
    bool wide = false;  // of wide characters, as read from what the file has
};
ReadBuffer read_buffer(const FILE* stream);

// Begins a run where this stream and the file allow it, after a call that was counted.
template <class Side>
void begin(StreamCounters& at, Description& description, const FILE* stream);

// Adds the run to the counters, and its bytes to the stream's position.
void settle(StreamCounters& at);

// Whether this is this thread's run, in the part in use.
bool is_own(const StreamCounters* at);
// Whether it is in the part in use at all.
bool is_current(const StreamCounters* at);

// Forgets what this thread remembers of the run.
inline void forget(const StreamCounters* at)
{
    if (streams.read.at == at) streams.read.key = 1;
    if (streams.written.at == at) streams.written.key = 1;
}

// Settles the runs of this thread and of dead ones: the process ends, or rows are made of its part.
void settle_all();

}  // namespace served
}  // namespace fathom
