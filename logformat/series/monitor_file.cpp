// frame: payload bytes u32 | crc32 of the payload u32 | payload, its first byte the kind.
#include "logformat/series/monitor_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <zlib.h>

namespace fathom::series {

namespace detail {

// What both sides know of a counter.
struct LastCount {
    std::uint64_t value = 0;
    bool there = true;
};

}  // namespace detail

namespace {

using detail::LastCount;

constexpr char session_kind = 'S', interval_kind = 'I';
constexpr std::size_t header_bytes = 8;
constexpr std::uint32_t most_payload = 16u << 20, most_of_session = 1024;
constexpr std::size_t most_inflated = std::size_t{64} << 20;
constexpr std::size_t most_counters = 4u << 20;
// Little memory for a stream that lives for a day.
constexpr int window_bits = -13, memory_level = 5, level = 6;

std::uint32_t sum_of(std::string_view payload)
{
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(payload.data()), static_cast<uInt>(payload.size())));
}

void put_u32(std::string& out, std::uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift);
}
std::uint32_t u32_at(const char* from)
{
    std::uint32_t value = 0;
    for (int at = 3; at >= 0; --at) value = value << 8 | static_cast<unsigned char>(from[at]);
    return value;
}

void put_frame(std::string& out, std::string_view payload)
{
    put_u32(out, static_cast<std::uint32_t>(payload.size()));
    put_u32(out, sum_of(payload));
    out += payload;
}

constexpr std::uint64_t zigzag_of(std::uint64_t difference)
{
    return (difference << 1) ^ (0 - (difference >> 63));
}
constexpr std::uint64_t unzigzag_of(std::uint64_t value)
{
    return (value >> 1) ^ (0 - (value & 1));
}

void put_number(std::string& out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}
void put_text(std::string& out, std::string_view text)
{
    put_number(out, text.size());
    out += text;
}

// Takes a payload apart; `good` turns false where it ends too soon.
struct Cursor {
    std::string_view rest;
    bool good = true;

    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (rest.empty()) break;
            const auto byte = static_cast<unsigned char>(rest.front());
            rest.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        good = false;
        return 0;
    }
    std::string_view bytes(std::uint64_t count)
    {
        if (count > rest.size()) {
            good = false;
            return {};
        }
        const std::string_view some = rest.substr(0, count);
        rest.remove_prefix(count);
        return some;
    }
    std::string text() { return std::string(bytes(number())); }
};

void put_counter(std::string& out, const Counter& counter)
{
    out += static_cast<char>(counter.total ? counter.bits : 0);
    const auto scale = std::bit_cast<std::uint64_t>(counter.scale);
    put_u32(out, static_cast<std::uint32_t>(scale));
    put_u32(out, static_cast<std::uint32_t>(scale >> 32));
    put_text(out, name_of(counter.type));
    put_text(out, counter.component);
    put_text(out, counter.system);
    put_text(out, counter.quantity);
}
Counter counter_of(Cursor& cursor)
{
    Counter counter;
    const std::string_view fixed = cursor.bytes(9);
    if (!cursor.good) return counter;
    counter.bits = static_cast<unsigned char>(fixed[0]);
    counter.total = counter.bits != 0;
    counter.scale = std::bit_cast<double>(u32_at(fixed.data() + 1) |
                                          static_cast<std::uint64_t>(u32_at(fixed.data() + 5)) << 32);
    counter.type = type_named(cursor.text());
    counter.component = cursor.text();
    counter.system = cursor.text();
    counter.quantity = cursor.text();
    return counter;
}

}  // namespace

struct MonitorEncoder::State {
    z_stream stream{};
    bool ready = false;
    Nanoseconds time = 0, uptime = 0;
    std::vector<LastCount> counters;
    std::string plain, payload;
};

MonitorEncoder::MonitorEncoder() : state_(std::make_unique<State>()) {}

MonitorEncoder::~MonitorEncoder()
{
    if (state_->ready) deflateEnd(&state_->stream);
}

void MonitorEncoder::begin(const Session& session, std::string& out)
{
    State& state = *state_;
    if (state.ready)
        deflateReset(&state.stream);
    else
        state.ready = deflateInit2(&state.stream, level, Z_DEFLATED, window_bits, memory_level,
                                   Z_DEFAULT_STRATEGY) == Z_OK;
    state.counters.clear();
    state.time = state.uptime = 0;
    state.payload.assign(1, session_kind);
    put_text(state.payload, session.host);
    put_text(state.payload, session.boot);
    put_text(state.payload, session.version);
    put_number(state.payload, static_cast<std::uint64_t>(session.interval));
    put_frame(out, state.payload);
}

void MonitorEncoder::interval(Nanoseconds time, Nanoseconds uptime, std::span<const Counter> counters,
                              std::span<const Count> readings, std::string& out)
{
    State& state = *state_;
    if (!state.ready) return;
    std::string& plain = state.plain;
    plain.clear();
    put_number(plain, zigzag_of(static_cast<std::uint64_t>(time - state.time)));
    put_number(plain, zigzag_of(static_cast<std::uint64_t>(uptime - state.uptime)));
    state.time = time;
    state.uptime = uptime;
    const std::size_t known = state.counters.size();
    put_number(plain, counters.size() - known);
    for (const Counter& counter : counters.subspan(known)) put_counter(plain, counter);
    state.counters.resize(counters.size());

    // Which come or go, by the distance from the one before.
    std::string changes;
    std::uint64_t changed = 0;
    std::size_t before = 0;
    auto reading = readings.begin();
    for (std::size_t at = 0; at < state.counters.size(); ++at) {
        const bool there = reading != readings.end() && reading->counter == at;
        if (there) ++reading;
        if (there == state.counters[at].there) continue;
        state.counters[at].there = there;
        put_number(changes, at - before);
        before = at;
        ++changed;
    }
    put_number(plain, changed);
    plain += changes;
    for (const Count& one : readings) {
        put_number(plain, zigzag_of(one.value - state.counters[one.counter].value));
        state.counters[one.counter].value = one.value;
    }

    state.payload.assign(1, interval_kind);
    std::array<char, 4096> some;
    state.stream.next_in = reinterpret_cast<Bytef*>(plain.data());
    state.stream.avail_in = static_cast<uInt>(plain.size());
    do {
        state.stream.next_out = reinterpret_cast<Bytef*>(some.data());
        state.stream.avail_out = some.size();
        deflate(&state.stream, Z_SYNC_FLUSH);
        state.payload.append(some.data(), some.size() - state.stream.avail_out);
    } while (state.stream.avail_out == 0);
    put_frame(out, state.payload);
}

namespace {

// The other side of MonitorEncoder.
class Decoder {
  public:
    explicit Decoder(MonitorSink& sink) : sink_(sink) {}
    ~Decoder()
    {
        if (ready_) inflateEnd(&stream_);
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    // False: its content makes no sense, and neither does what follows in this session.
    bool take(std::string_view payload)
    {
        if (payload.empty()) return false;
        if (payload.front() == session_kind) return take_session(payload.substr(1));
        return payload.front() == interval_kind && in_session_ && take_interval(payload.substr(1));
    }
    void leave_session() { in_session_ = false; }

  private:
    bool take_session(std::string_view payload)
    {
        Cursor cursor{payload};
        Session session;
        session.host = cursor.text();
        session.boot = cursor.text();
        session.version = cursor.text();
        session.interval = static_cast<Nanoseconds>(cursor.number());
        if (ready_)
            inflateReset(&stream_);
        else
            ready_ = inflateInit2(&stream_, window_bits) == Z_OK;
        in_session_ = cursor.good && ready_;
        counters_.clear();
        time_ = uptime_ = 0;
        if (in_session_) sink_.session(session);
        return in_session_;
    }

    bool inflate_all(std::string_view packed)
    {
        plain_.clear();
        std::array<char, 16384> some;
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream_.avail_in = static_cast<uInt>(packed.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(some.data());
            stream_.avail_out = some.size();
            const int result = inflate(&stream_, Z_SYNC_FLUSH);
            if (result != Z_OK && result != Z_BUF_ERROR) return false;
            plain_.append(some.data(), some.size() - stream_.avail_out);
            if (plain_.size() > most_inflated) return false;
        } while (stream_.avail_out == 0);
        return stream_.avail_in == 0;
    }

    bool take_interval(std::string_view packed)
    {
        if (!inflate_all(packed)) return false;
        Cursor cursor{plain_};
        time_ += unzigzag_of(cursor.number());
        uptime_ += unzigzag_of(cursor.number());
        const std::uint64_t added = cursor.number();
        if (added > most_counters || counters_.size() + added > most_counters) return false;
        for (std::uint64_t at = 0; at < added && cursor.good; ++at) {
            const Counter counter = counter_of(cursor);
            if (!cursor.good) return false;
            counters_.emplace_back();
            sink_.counter(counter);
        }
        const std::uint64_t changed = cursor.number();
        std::uint64_t place = 0;
        for (std::uint64_t at = 0; at < changed && cursor.good; ++at) {
            const std::uint64_t step = cursor.number();
            if (step >= counters_.size() || (place += step) >= counters_.size()) return false;
            counters_[place].there = !counters_[place].there;
        }
        readings_.clear();
        for (std::size_t at = 0; at < counters_.size() && cursor.good; ++at) {
            if (!counters_[at].there) continue;
            counters_[at].value += unzigzag_of(cursor.number());
            readings_.push_back({static_cast<std::uint32_t>(at), counters_[at].value});
        }
        if (!cursor.good || !cursor.rest.empty()) return false;
        sink_.interval(static_cast<Nanoseconds>(time_), static_cast<Nanoseconds>(uptime_), readings_);
        return true;
    }

    MonitorSink& sink_;
    z_stream stream_{};
    bool ready_ = false, in_session_ = false;
    std::uint64_t time_ = 0, uptime_ = 0;
    std::vector<LastCount> counters_;
    std::vector<Count> readings_;
    std::string plain_;
};

// The payload of a whole frame at this place; empty: there is none.
std::string_view frame_at(std::string_view file, std::size_t at)
{
    if (file.size() - at < header_bytes) return {};
    const std::uint32_t size = u32_at(file.data() + at);
    if (size == 0 || size > most_payload || size > file.size() - at - header_bytes) return {};
    const std::string_view payload = file.substr(at + header_bytes, size);
    return sum_of(payload) == u32_at(file.data() + at + 4) ? payload : std::string_view();
}

// Where the next whole frame of a session begins, or the end.
std::size_t next_session(std::string_view file, std::size_t at)
{
    for (; at < file.size(); ++at) {
        if (file.size() - at <= header_bytes) break;
        if (file[at + header_bytes] == session_kind && u32_at(file.data() + at) <= most_of_session &&
            !frame_at(file, at).empty())
            return at;
    }
    return file.size();
}

}  // namespace

std::vector<std::string> read_monitor(std::string_view file, MonitorSink& sink)
{
    std::vector<std::string> problems;
    Decoder decoder(sink);
    std::size_t at = monitor_magic.size();
    if (!file.starts_with(monitor_magic)) return {"it is no file of `fathom monitor`"};
    while (at < file.size()) {
        const std::string_view payload = frame_at(file, at);
        if (!payload.empty() && decoder.take(payload)) {
            at += header_bytes + payload.size();
            continue;
        }
        decoder.leave_session();
        const std::size_t next = next_session(file, at + 1);
        // The last frame of a monitor that was killed, or that writes at this moment, is no damage.
        const bool torn =
            next == file.size() && payload.empty() &&
            (file.size() - at < header_bytes || u32_at(file.data() + at) > file.size() - at - header_bytes) &&
            file.size() - at < most_payload;
        if (!torn)
            problems.push_back("bytes " + std::to_string(at) + " to " + std::to_string(next) +
                               " are damaged: what they hold is missing");
        at = next;
    }
    return problems;
}

std::uint64_t FrameWalk::whole_bytes(Read read, void* context)
{
    std::string payload(monitor_magic.size(), '\0');
    std::uint64_t at = read(context, payload.data(), payload.size(), 0);
    if (payload != monitor_magic) return 0;
    for (;;) {
        std::array<char, header_bytes> header;
        if (read(context, header.data(), header.size(), at) != header.size()) return at;
        const std::uint32_t size = u32_at(header.data());
        if (size == 0 || size > most_payload) return at;
        payload.resize(size);
        if (read(context, payload.data(), size, at + header_bytes) != size ||
            sum_of(payload) != u32_at(header.data() + 4))
            return at;
        at += header_bytes + size;
    }
}

}  // namespace fathom::series
