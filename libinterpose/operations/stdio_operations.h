// What the stdio calls are, as values; see operations.h. A stream's file is its descriptor's.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cwchar>

#include "libinterpose/operations/operations.h"
#include "libinterpose/recording/stream_runs.h"

namespace fathom {

// glibc's marks in a FILE. Programs of old have some of them compiled in, so they stay what they are.
namespace stream_mark {
inline constexpr int unbuffered = 0x0002, by_line = 0x0200, ended = 0x0010, failed = 0x0020,
                     in_backup = 0x0100, writing = 0x0800, appends = 0x1000, has_descriptor = 0x2000;
}

// The descriptor below a stream; negative for streams in memory, in which that member may be anything.
inline int descriptor_of(const FILE* stream)
{
    return stream == nullptr || (stream->_flags & stream_mark::has_descriptor) == 0 ? -1 : stream->_fileno;
}

// The flags that open() would take for fopen's mode.
int flags_of_mode(const char* mode);

// Where a stream is, without a trace in errno; negative if it is not known.
std::int64_t position_of(FILE* stream);

// A write of n bytes to a stream that appends ended where the stream is now.
void note_written_at_end(Description& description, FILE* stream, std::uint64_t n);

// What the program has taken from the stream's buffer, or put there, since the last call that was counted:
// getc_unlocked and putc_unlocked are expanded in place. The stream's position becomes where these bytes
// begin.
std::uint64_t bytes_in_place(Description& description, FILE* stream);

// The last transfer on a stream that is used in place ended here, but for so many bytes that are counted
// later.
void note_place(const FILE* stream, std::int64_t not_counted = 0);

// Ends the run of calls that the stream's buffer served: this call may reach the file.
void end_run(Description& description, FILE* stream);

// Counts those before a call that may empty or refill the buffer.
void count_in_place(Description& description, FILE* stream);

struct OnStream : OnDescriptor {
    FILE* stream;

    explicit OnStream(FILE* on) : OnDescriptor(descriptor_of(on)), stream(on) {}
    bool find()
    {
        if (!OnDescriptor::find()) return false;
        if (description->run.load(std::memory_order_relaxed) != nullptr) end_run(*description, stream);
        if (__builtin_expect(description->used_in_place.load(std::memory_order_relaxed), 0))
            count_in_place(*description, stream);
        return true;
    }
    template <class Result>
    void passed(Result) const
    {
        if (__builtin_expect(is_unknown, 0)) note_unknown(fd);
    }
    CountersOf<StdioCounters>* counters() const { return counters_of<StdioCounters>(file()); }
};

template <class Side>
struct StreamTransfer : OnStream {
    bool to_end = false;  // this write goes to the end of the file, wherever that is

    using OnStream::OnStream;
    bool find()
    {
        if (!OnStream::find()) return false;
        // A stream that appends ("a+" too) goes to the end where it begins to write, not between two writes.
        if constexpr (std::is_same_v<Side, WriteSide>)
            to_end = (stream->_flags & (stream_mark::appends | stream_mark::writing)) == stream_mark::appends;
        return true;
    }
    // `begins`: a run of calls that the buffer serves may begin.
    void count_bytes(std::uint64_t n, Interval when, bool begins = true) const
    {
        if (__builtin_expect(to_end, 0)) note_written_at_end(*description, stream, n);
        const std::uint64_t place = description->stream_position.fetch_add(n, std::memory_order_relaxed);
        auto* const at = counters();
        if (at == nullptr) return;
        if (__builtin_expect(at->run.calls.number() != 0, 0)) served::settle(*at);
        count_place<Side>(*at, place, n);
        if (content::is_due(at->counters, at->counters.*Side::calls + 1)) look(at->counters);
        count_transfer<Side>(*at, served::not_counted<Side>(*at, n), when, place);
        if (__builtin_expect(description->used_in_place.load(std::memory_order_relaxed), 0))
            note_place(stream);
        else if (begins && served::room_in<Side>(stream) > 0)
            served::begin<Side>(*at, *description, stream);
    }
    void look(Content& content) const
    {
        if (file()->kind != NameKind::file) return;
        if constexpr (std::is_same_v<Side, WriteSide>)
            content::look_at_written(content, stream);
        else
            content::look_at_read(content, stream);
    }
    void count_failed(Interval when) const
    {
        if (auto* const at = counters()) count_failure(*at, Side::time, when);
    }
    // Of a read: the end of the file is a read of nothing, as it is for read().
    void count_nothing(Interval when) const
    {
        const bool failed =
            (stream->_flags & (stream_mark::ended | stream_mark::failed)) == stream_mark::failed;
        return failed ? count_failed(when) : count_bytes(0, when);
    }
    // What a call moved whose result is not bytes: the stream's own position says it. So many if
    // it has none.
    std::uint64_t bytes_moved(std::uint64_t otherwise) const
    {
        const std::int64_t end = position_of(stream);
        const auto begin =
            static_cast<std::int64_t>(description->stream_position.load(std::memory_order_relaxed));
        if (to_end || end < 0) return otherwise;
        if (end >= begin) return static_cast<std::uint64_t>(end - begin);
        // It was not known where the stream was: from now on it is.
        const auto place = static_cast<std::uint64_t>(end);
        description->stream_position.store(place - std::min(place, otherwise), std::memory_order_relaxed);
        return otherwise;
    }
};

template <class Side>
struct StreamItems : StreamTransfer<Side> {
    std::size_t size, wanted;

    StreamItems(FILE* on, std::size_t of_item, std::size_t items)
        : StreamTransfer<Side>(on), size(of_item), wanted(items)
    {}
    void count(std::size_t items, Interval when) const
    {
        std::uint64_t bytes = items * size;
        if (items < wanted) {
            // A short count of items larger than a byte may hide a part of one.
            if (size > 1) bytes += partial_item(bytes);
            if (bytes == 0) return count_none(when);
        }
        this->count_bytes(bytes, when);
    }

  private:
    std::uint64_t partial_item(std::uint64_t whole) const
    {
        const std::uint64_t all = this->bytes_moved(whole);
        return all > whole && all - whole < size ? all - whole : 0;
    }
    void count_none(Interval when) const
    {
        if constexpr (std::is_same_v<Side, WriteSide>)
            size == 0 ? this->count_bytes(0, when) : this->count_failed(when);
        else
            this->count_nothing(when);
    }
};
using StreamRead = StreamItems<ReadSide>;
using StreamWrite = StreamItems<WriteSide>;

struct StreamReadText : StreamTransfer<ReadSide> {
    using StreamTransfer::StreamTransfer;
    void count(const char* text, Interval when) const
    {
        if (text == nullptr) return count_nothing(when);
        count_bytes(std::strlen(text), when);
    }
};

// gets takes the end of the line and does not return it; the last line of a file may have none.
struct StreamReadBareLine : StreamTransfer<ReadSide> {
    using StreamTransfer::StreamTransfer;
    void count(const char* text, Interval when) const
    {
        if (text == nullptr) return count_nothing(when);
        count_bytes(std::strlen(text) + ((stream->_flags & stream_mark::ended) == 0 ? 1 : 0), when);
    }
};

struct StreamReadByte : StreamTransfer<ReadSide> {
    using StreamTransfer::StreamTransfer;
    void count(int byte, Interval when) const
    {
        if (__builtin_expect(byte == EOF, 0)) return count_nothing(when);
        count_bytes(1, when);
    }
};

struct StreamReadLine : StreamTransfer<ReadSide> {
    using StreamTransfer::StreamTransfer;
    void count(std::int64_t length, Interval when) const
    {
        if (length < 0) return count_nothing(when);
        count_bytes(static_cast<std::uint64_t>(length), when);
    }
};

struct StreamWriteText : StreamTransfer<WriteSide> {
    const char* text;
    std::size_t bytes;  // at first those that the call adds

    StreamWriteText(FILE* on, const char* what, std::size_t added)
        : StreamTransfer(on), text(what), bytes(added)
    {}
    bool find()
    {
        if (!StreamTransfer::find()) return false;
        bytes += std::strlen(text);  // as the call itself does: behind it, the text may be gone
        return true;
    }
    void count(int result, Interval when) const
    {
        if (result < 0)
            count_failed(when);
        else
            count_bytes(bytes, when);
    }
};

// A write of so many bytes or of none: fputc, putw.
template <std::size_t size>
struct StreamWriteOne : StreamTransfer<WriteSide> {
    using StreamTransfer::StreamTransfer;
    void count(int result, Interval when) const
    {
        if (__builtin_expect(result == EOF, 0))
            count_failed(when);
        else
            count_bytes(size, when);
    }
};
using StreamWriteByte = StreamWriteOne<1>;
using StreamWriteWord = StreamWriteOne<sizeof(int)>;

// What the compiler leaves of getc_unlocked and putc_unlocked: a call where the buffer is empty or full. It
// moves a byte; what went through the buffer since the last one is counted with it.
template <class Side>
struct StreamBuffer : StreamTransfer<Side> {
    std::uint64_t before = 0;

    using StreamTransfer<Side>::StreamTransfer;
    bool find()
    {
        if (!OnDescriptor::find()) return false;
        if (this->description->run.load(std::memory_order_relaxed) != nullptr)
            end_run(*this->description, this->stream);
        this->description->used_in_place.store(true, std::memory_order_relaxed);
        before = bytes_in_place(*this->description, this->stream);
        return true;
    }
    void count(int byte, Interval when) const
    {
        // A byte that now waits in the buffer is counted with those that follow it.
        const bool waits = (this->stream->_flags & stream_mark::writing) != 0 &&
                           this->stream->_IO_write_ptr > this->stream->_IO_write_base;
        const std::uint64_t bytes = before + (byte == EOF || waits ? 0 : 1);
        if (bytes > 0) {
            this->count_bytes(bytes, when);
            return note_place(this->stream, waits ? 1 : 0);
        }
        if (byte != EOF) return;
        if constexpr (std::is_same_v<Side, WriteSide>)
            this->count_failed(when);
        else
            this->count_nothing(when);
    }
};
using StreamRefill = StreamBuffer<ReadSide>;
using StreamOverflow = StreamBuffer<WriteSide>;

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

// The scanf family does not say how far it read, and what getw returns may be a word or an error. The
// stream's pointers do, where the buffer was not filled meanwhile.
struct StreamScan : StreamTransfer<ReadSide> {
    served::ReadBuffer before;
    bool had_run = false;  // these calls end runs: where there was none, none begins for the next one to end

    using StreamTransfer::StreamTransfer;
    bool find()
    {
        const Description* const seen = fd < 0 ? nullptr : known(fd);
        had_run = seen != nullptr && seen->run.load(std::memory_order_relaxed) != nullptr;
        if (!StreamTransfer::find()) return false;
        before = served::read_buffer(stream);
        return true;
    }
    void count(int result, Interval when) const;

  private:
    std::uint64_t bytes_read(Interval when) const;
};

// Wide characters count as the bytes that they are in the file: by the locale, and where its encoding is
// neither of single bytes nor UTF-8, by the stream's position.
struct StreamReadWide : StreamTransfer<ReadSide> {
    using StreamTransfer::StreamTransfer;
    void count(wint_t letter, Interval when) const;
    void count(const wchar_t* text, Interval when) const;
};

struct StreamWriteWide : StreamTransfer<WriteSide> {
    const wchar_t* text;                    // nullptr: the result is the character
    std::size_t characters = 0, bytes = 0;  // of the text

    explicit StreamWriteWide(FILE* on, const wchar_t* what = nullptr) : StreamTransfer(on), text(what) {}
    bool find();
    void count(wint_t letter, Interval when) const;
    void count(int result, Interval when) const;
};

// The wide printf family returns how many characters it wrote.
struct StreamPrintWide : StreamTransfer<WriteSide> {
    using StreamTransfer::StreamTransfer;
    void count(int characters, Interval when) const;
};

// Those that make text, or take it apart. Where the stream has a buffer, that is what their time goes into.
template <class Transfer>
struct Formatted : Transfer {
    using Transfer::Transfer;
    void count(int result, Interval when) const
    {
        Transfer::count(result, when);
        if (result < 0 || (this->stream->_flags & (stream_mark::unbuffered | stream_mark::by_line)) != 0)
            return;
        auto* const at = this->counters();
        if (at == nullptr) return;
        ++at->counters.formatted;
        at->counters.format_time += when.length();
    }
};

using FormattedPrint = Formatted<StreamPrint>;
using FormattedPrintWide = Formatted<StreamPrintWide>;
using FormattedScan = Formatted<StreamScan>;

// ungetc: the call that read what is put back stays, its bytes count where they are read again.
struct StreamUnread : OnStream {
    bool had_run = false;

    using OnStream::OnStream;
    bool find()
    {
        if (OnDescriptor::find()) had_run = description->run.load(std::memory_order_relaxed) != nullptr;
        OnStream::find();
        return false;
    }
    void passed(int byte) const
    {
        if (description == nullptr || byte == EOF) return;
        auto* const at = step_back(1);
        if (had_run && at != nullptr) served::begin<ReadSide>(*at, *description, stream);
    }
    void passed(wint_t letter) const;
    template <class Result>
    void count(Result, Interval) const
    {}

  private:
    CountersOf<StdioCounters>* step_back(std::uint64_t n) const
    {
        const std::uint64_t place = description->stream_position.load(std::memory_order_relaxed);
        description->stream_position.store(place < n ? 0 : place - n, std::memory_order_relaxed);
        auto* const at = counters();
        if (at != nullptr) at->run.put_back += n;
        return at;
    }
};

struct StreamOpen : Operation {
    static constexpr bool path_stays = true;

    const char* path;
    const char* mode;
    int flags = 0;

    StreamOpen(const char* name, const char* how) : path(name), mode(how) {}
    bool find()
    {
        flags = flags_of_mode(mode);
        return true;
    }
    void count(const FILE* stream, Interval when) const;
};

// Opens another file in place of the one that the stream had: dup2 and no close, for the kernel and here.
// Without a path it opens the same file again, at its beginning or end: what is known of the descriptor is
// out of date.
struct StreamReopen : StreamOpen {
    int fd;

    StreamReopen(const char* name, const char* how, const FILE* stream)
        : StreamOpen(name, how), fd(descriptor_of(stream))
    {}
    bool find()
    {
        forget(fd);
        return path != nullptr && StreamOpen::find();
    }
};

// fdopen: the descriptor is known already, and its open is counted. It opens nothing.
struct StreamOnDescriptor : OnDescriptor {
    using OnDescriptor::OnDescriptor;
    void passed(const FILE* stream) const { OnDescriptor::passed(stream == nullptr ? -1 : 0); }
    void count(const FILE* stream, Interval when) const;
};

struct StreamClose : OnStream {
    using OnStream::OnStream;
    bool find() { return OnStream::find() && (description = detach(fd)) != nullptr; }
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

// popen: what is known of an earlier descriptor of this number is wrong.
struct PipeOpen : NotCounted {
    void passed(const FILE* stream) const { forget(descriptor_of(stream)); }
};

// tmpfile: the kernel knows a name for it, which says where it is.
struct StreamTemporary : Operation {
    static bool find() { return true; }
    void count(const FILE* stream, Interval when) const;
};

struct StreamSeek : OnStream {
    std::int64_t offset;
    int whence;

    StreamSeek(FILE* on, std::int64_t by, int from) : OnStream(on), offset(by), whence(from) {}
    void count(int result, Interval when) const;
};

// fflush(nullptr) flushes all streams and is counted for none of them.
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
