// What the stdio calls are, as values; see operations.h. A stream's file is its descriptor's.
#pragma once

#include <cstdio>
#include <cstring>

#include "libinterpose/operations.h"

namespace fathom {

// The descriptor below a stream; streams in memory have a negative one.
inline int descriptor_of(const FILE* stream)
{
    return stream == nullptr ? -1 : stream->_fileno;
}

// The flags that open() would take for fopen's mode.
int flags_of_mode(const char* mode);

// Where a stream is, without a trace in errno; negative if it cannot tell.
std::int64_t position_of(FILE* stream);

struct OnStream : OnDescriptor {
    explicit OnStream(const FILE* stream) : OnDescriptor(descriptor_of(stream)) {}
    CountersOf<StdioCounters>* counters() const { return counters_of<StdioCounters>(file()); }
};

template <class Side>
struct StreamTransfer : OnStream {
    using OnStream::OnStream;
    void count_bytes(std::uint64_t n, Interval when) const
    {
        const std::uint64_t place = description->stream_position.fetch_add(n, std::memory_order_relaxed);
        auto* const at = counters();
        if (at == nullptr) return;
        count_place<Side>(*at, place, n);
        count_transfer<Side>(*at, n, when);
    }
    void count_failed(Interval when) const
    {
        if (auto* const at = counters()) count_failure(*at, Side::time, when);
    }
};

template <class Side>
struct StreamItems : StreamTransfer<Side> {
    FILE* stream;
    std::size_t size, wanted;

    StreamItems(FILE* on, std::size_t of_item, std::size_t items)
        : StreamTransfer<Side>(on), stream(on), size(of_item), wanted(items)
    {}
    void count(std::size_t items, Interval when) const
    {
        // A short count of items larger than a byte may hide a part of one.
        const std::uint64_t partial = items < wanted && size > 1 ? partial_item(items * size) : 0;
        this->count_bytes(items * size + partial, when);
    }
    std::uint64_t partial_item(std::uint64_t whole) const
    {
        const std::int64_t end = position_of(stream);
        const std::uint64_t counted =
            this->description->stream_position.load(std::memory_order_relaxed) + whole;
        const std::uint64_t more = end > 0 && static_cast<std::uint64_t>(end) > counted
                                       ? static_cast<std::uint64_t>(end) - counted
                                       : 0;
        return more < size ? more : 0;
    }
};
using StreamRead = StreamItems<ReadSide>;
using StreamWrite = StreamItems<WriteSide>;

// The end of the file is a read of nothing, as it is for read().
struct StreamReadText : StreamTransfer<ReadSide> {
    using StreamTransfer::StreamTransfer;
    void count(const char* text, Interval when) const
    {
        count_bytes(text == nullptr ? 0 : std::strlen(text), when);
    }
};

struct StreamReadByte : StreamTransfer<ReadSide> {
    using StreamTransfer::StreamTransfer;
    void count(int byte, Interval when) const { count_bytes(byte == EOF ? 0 : 1, when); }
};

struct StreamReadLine : StreamTransfer<ReadSide> {
    using StreamTransfer::StreamTransfer;
    void count(std::int64_t length, Interval when) const
    {
        count_bytes(length < 0 ? 0 : static_cast<std::uint64_t>(length), when);
    }
};

struct StreamWriteText : StreamTransfer<WriteSide> {
    const char* text;
    std::size_t more;  // bytes that the call adds

    StreamWriteText(const FILE* stream, const char* what, std::size_t added)
        : StreamTransfer(stream), text(what), more(added)
    {}
    void count(int result, Interval when) const
    {
        if (result < 0)
            count_failed(when);
        else
            count_bytes(std::strlen(text) + more, when);
    }
};

struct StreamWriteByte : StreamTransfer<WriteSide> {
    using StreamTransfer::StreamTransfer;
    void count(int byte, Interval when) const
    {
        if (byte == EOF)
            count_failed(when);
        else
            count_bytes(1, when);
    }
};

// The printf family returns how many bytes it wrote.
struct StreamPrint : StreamTransfer<WriteSide> {
    using StreamTransfer::StreamTransfer;
    void count(int result, Interval when) const
    {
        if (result < 0)
            count_failed(when);
        else
            count_bytes(static_cast<std::uint64_t>(result), when);
    }
};

// The scanf family does not tell how far it read: the stream's own position does.
struct StreamScan : StreamTransfer<ReadSide> {
    FILE* stream;

    explicit StreamScan(FILE* from) : StreamTransfer(from), stream(from) {}
    void count(int result, Interval when) const;
};

struct StreamOpen : Operation {
    const char* path;
    const char* mode;

    StreamOpen(const char* name, const char* how) : path(name), mode(how) {}
    bool find() const { return true; }
    void count(const FILE* stream, Interval when) const;
};

// Closes what the stream had open, then opens. Without a path it only changes the mode.
struct StreamReopen : StreamOpen {
    FILE* before;

    StreamReopen(const char* name, const char* how, FILE* stream) : StreamOpen(name, how), before(stream) {}
    bool find() const
    {
        if (path != nullptr)
            if (Description* const old = detach(descriptor_of(before))) let_go(old);
        return path != nullptr;
    }
};

// fdopen: the descriptor is known already.
struct StreamOnDescriptor : OnDescriptor {
    using OnDescriptor::OnDescriptor;
    void count(const FILE* stream, Interval when) const;
};

struct StreamClose : OnStream {
    using OnStream::OnStream;
    bool find() { return (description = detach(fd)) != nullptr; }
    void count(int result, Interval when) const
    {
        if (auto* const at = counters()) {
            if (result != 0)
                count_failure(*at, &Transfers::metadata_time, when);
            else
                count_close(*at, when);
        }
        let_go(description);
    }
};

// A pipe is not tracked, but its descriptor's number will be used again.
struct PipeClose : NotCounted {
    explicit PipeClose(const FILE* stream) { forget(descriptor_of(stream)); }
};

// tmpfile: a file without a name of its own. What is known of an earlier descriptor of this number is wrong.
struct StreamAdopt : NotCounted {
    void passed(const FILE* stream) const { forget(descriptor_of(stream)); }
};

struct StreamSeek : OnStream {
    FILE* stream;
    std::int64_t offset;
    int whence;

    StreamSeek(FILE* on, std::int64_t by, int from) : OnStream(on), stream(on), offset(by), whence(from) {}
    void count(int result, Interval when) const;
};

struct StreamFlush : OnStream {
    using OnStream::OnStream;
    void count(int result, Interval when) const
    {
        auto* const at = counters();
        if (at == nullptr) return;
        if (result != 0) return count_failure(*at, &Transfers::write_time, when);
        count_sync(*at, when);
    }
};

}  // namespace fathom
