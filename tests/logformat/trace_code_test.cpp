// What goes into the code of a trace comes out of it, in few bytes, the same for ranks that do the same, and
// damaged code does no harm.
#include "logformat/trace/trace_code.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "logformat/log/trace_decoder.h"

using namespace fathom;

namespace {

constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

// The code of one thread, as a recorder would keep it.
struct Code {
    TraceModel model;
    std::uint32_t run = 0;
    std::uint64_t operations = 0;
    std::vector<std::string> pieces{""};
    std::string times;
    std::vector<TracePlace> places;
    std::size_t piece_bytes = 4096;

    void add(const TracedOperation& operation)
    {
        std::uint8_t what[most_what_bytes], when[most_times_bytes];
        const Coded coded = encode(model, operation, run, what, when);
        REQUIRE(coded.what_bytes <= most_what_bytes - 6);
        REQUIRE(coded.times_bytes <= most_times_bytes);
        pieces.back().append(reinterpret_cast<const char*>(what), coded.what_bytes);
        times.append(reinterpret_cast<const char*>(when), coded.times_bytes);
        if (coded.place) places.push_back({0, 0, operation.file, operation.offset});
        ++operations;
        if (pieces.back().size() + most_what_bytes > piece_bytes) {
            flush();
            pieces.emplace_back();
        }
    }
    void flush()
    {
        std::uint8_t what[most_what_bytes];
        pieces.back().append(reinterpret_cast<const char*>(what), end_run(run, what));
        run = 0;
    }
    std::size_t what_bytes() const
    {
        std::size_t bytes = 0;
        for (const std::string& piece : pieces) bytes += piece.size();
        return bytes;
    }
    // Places are two numbers in columns.
    double bytes_per_operation() const
    {
        return static_cast<double>(what_bytes() + times.size() + 16 * places.size()) /
               static_cast<double>(operations);
    }
};

// Operations of one thread one after the other, at times that vary.
struct Thread {
    std::vector<TracedOperation> did;
    std::mt19937_64 random{7};
    std::uint64_t now = 1'000'000'000'000;

    void operator()(std::uint64_t file, Kind kind, std::uint64_t offset, std::uint64_t size,
                    Layer layer = Layer::posix)
    {
        const std::uint64_t pause = 200 + random() % 300, took = 2000 + size / 4 + random() % 2000;
        did.push_back({file, layer, kind, offset, size, now + pause, now + pause + took});
        now += pause + took;
    }
};

Code code_of(const std::vector<TracedOperation>& did, std::size_t piece_bytes = 4096)
{
    Code code;
    code.piece_bytes = piece_bytes;
    for (const TracedOperation& operation : did) code.add(operation);
    code.flush();
    return code;
}

std::vector<std::string_view> views(const std::vector<std::string>& texts)
{
    return {texts.begin(), texts.end()};
}

std::uint64_t apart(std::uint64_t a, std::uint64_t b)
{
    return a > b ? a - b : b - a;
}

// Everything comes back: exactly, but for times, which come back to the stated resolution.
void check(const Code& code, const std::vector<TracedOperation>& did)
{
    const std::vector<std::string_view> pieces = views(code.pieces), times{code.times};
    TraceDecoder decoder(pieces, times, code.places);
    TracedOperation found;
    std::uint64_t clock = did.front().start, behind = 0, before = 0;
    std::size_t wrong = 0;
    for (const TracedOperation& was : did) {
        REQUIRE(decoder.next(found));
        const bool same = found.file == was.file && found.layer == was.layer && found.kind == was.kind &&
                          found.offset == was.offset && found.size == was.size;
        const std::uint64_t took = was.end - was.start, start = found.start + code.model.origin;
        const bool took_right = apart(found.end - found.start, took) * 1000 <= took * 16;
        const std::uint64_t pause = apart(was.start, clock) + behind;
        const std::uint64_t wrong_by = apart(start, was.start);
        const bool start_right = wrong_by <= pause / 32 + before / 256;
        if (!same || !took_right || !start_right) ++wrong;
        if (was.end > clock) {
            behind = wrong_by + took / 32 + 1;
            before = took;
            clock = was.end;
        }
    }
    CHECK(wrong == 0);
    CHECK_FALSE(decoder.next(found));
    CHECK(decoder.problem().empty());
    CHECK(decoder.operations() == did.size());
}

double bytes_of(const Thread& thread)
{
    const Code code = code_of(thread.did);
    check(code, thread.did);
    return code.bytes_per_operation();
}

// The first operations of any pattern say what it is.
constexpr std::uint64_t many = 20'000;

void contiguous(Thread& thread, std::uint64_t file, std::uint64_t from, std::uint64_t count = many)
{
    thread(file, Kind::open, no_offset, 0);
    for (std::uint64_t i = 0; i < count; ++i) thread(file, Kind::write, from + i * MiB, MiB);
    thread(file, Kind::close, no_offset, 0);
}

void strided(Thread& thread, std::uint64_t file, std::uint64_t rank, std::uint64_t ranks)
{
    thread(file, Kind::open, no_offset, 0);
    for (std::uint64_t i = 0; i < many; ++i)
        thread(file, Kind::read, (i * ranks + rank) * 64 * KiB, 64 * KiB);
    thread(file, Kind::close, no_offset, 0);
}

void many_files(Thread& thread, std::uint64_t first_file, std::uint64_t writes)
{
    for (std::uint64_t file = 0; file < 10'000; ++file) {
        thread(first_file + file, Kind::open, no_offset, 0);
        for (std::uint64_t i = 0; i < writes; ++i) thread(first_file + file, Kind::write, i * 4096, 4096);
        thread(first_file + file, Kind::close, no_offset, 0);
    }
}

// Everything that there is, in no order.
std::vector<TracedOperation> mixed(std::uint64_t seed, std::size_t count)
{
    std::mt19937_64 random(seed);
    std::vector<TracedOperation> did;
    std::uint64_t now = random() % GiB;
    std::map<std::uint64_t, std::uint64_t> end;
    for (std::size_t i = 0; i < count; ++i) {
        TracedOperation next;
        next.file = random() % (random() % 4 == 0 ? 100 : 4);
        next.layer = static_cast<Layer>(random() % 8 < 6 ? 0 : random() % layers);
        next.kind = static_cast<Kind>(random() % 4 < 3 ? random() % 2 : random() % kind_count);
        next.size = random() % 3 == 0 ? random() >> random() % 64 : 512 << random() % 3;
        const std::uint64_t choice = random() % 8;
        next.offset = choice < 4   ? end[next.file]
                      : choice < 6 ? random() >> random() % 64
                                   : random() % 9 << 12;
        if (choice == 7) next.offset = no_offset;
        if (next.offset != no_offset) end[next.file] = next.offset + next.size;
        if (did.size() > 8 && random() % 3 == 0)
            for (const std::size_t back = 1 + random() % 8; TracedOperation & again : std::span(&next, 1)) {
                again = did[did.size() - back];
                again.offset += again.offset == no_offset ? 0 : again.size;
            }
        const std::uint64_t took = random() >> (24 + random() % 40), pause = random() >> (24 + random() % 40);
        next.start = now + pause;
        next.end = next.start + took;
        // Some began before the operation that ended before them.
        if (random() % 8 == 0)
            next.start -= std::min(next.start, took + pause + (random() >> (30 + random() % 30)));
        now = next.end;
        did.push_back(next);
    }
    return did;
}

}  // namespace

TEST_CASE("regular operations take two bytes")
{
    Thread thread;
    SECTION("one after the other")
    {
        contiguous(thread, 1, 0);
    }
    SECTION("strided")
    {
        strided(thread, 1, 3, 16);
    }
    SECTION("in rows")
    {
        for (std::uint64_t i = 0; i < many; ++i)
            thread(1, Kind::write, i / 1000 * GiB + i % 1000 * 4096, 4096);
    }
    SECTION("the same block again and again")
    {
        for (std::uint64_t i = 0; i < many; ++i) thread(1, Kind::write, 8192, 4096);
    }
    SECTION("a seek, a write, a sync")
    {
        for (std::uint64_t i = 0; i < many; ++i) {
            thread(1, Kind::seek, i * 3 * MiB, 0);
            thread(1, Kind::write, i * 3 * MiB, MiB);
            thread(1, Kind::sync, no_offset, 0);
        }
    }
    SECTION("a seek and two writes of one size")
    {
        for (std::uint64_t i = 0; i < many; ++i) {
            thread(1, Kind::seek, i * 5 * MiB, 0);
            thread(1, Kind::write, i * 5 * MiB, MiB);
            thread(1, Kind::write, i * 5 * MiB + MiB, MiB);
            thread(1, Kind::sync, no_offset, 0);
        }
    }
    SECTION("two files in turns")
    {
        for (std::uint64_t file : {1, 2}) thread(file, Kind::open, no_offset, 0);
        for (std::uint64_t i = 0; i < many; ++i) {
            thread(1, Kind::read, i * 65536, 65536);
            thread(2, Kind::write, i * 4096, 4096);
        }
    }
    SECTION("four sizes in turns, one after the other")
    {
        std::uint64_t at = 0;
        for (std::uint64_t i = 0; i < many; ++i)
            for (const std::uint64_t size : {64, 4096, 100, 16}) {
                thread(1, Kind::write, at, size);
                at += size;
            }
    }
    SECTION("operations without an offset")
    {
        for (std::uint64_t i = 0; i < many; ++i) thread(1, Kind::write, no_offset, 512, Layer::stdio);
    }
    CHECK(bytes_of(thread) <= 2.1);
}

TEST_CASE("irregular operations take eight bytes at most")
{
    Thread thread;
    std::mt19937_64 random(3);
    SECTION("random blocks of 4 KiB in 1 GiB: four, and two for the time")
    {
        for (std::uint64_t i = 0; i < many; ++i) thread(1, Kind::read, random() % (GiB / 4096) * 4096, 4096);
        const Code code = code_of(thread.did);
        CHECK(code.what_bytes() <= 4 * many + 16);
    }
    SECTION("random blocks of 4 KiB after a seek")
    {
        for (std::uint64_t i = 0; i < many; ++i) {
            const std::uint64_t at = random() % (GiB / 4096) * 4096;
            thread(1, Kind::seek, at, 0);
            thread(1, Kind::read, at, 4096);
        }
        CHECK(bytes_of(thread) <= 5);
    }
    SECTION("100 bytes anywhere in 1 GiB")
    {
        for (std::uint64_t i = 0; i < many; ++i) thread(1, Kind::read, random() % GiB, 100);
    }
    SECTION("appended records of ever other sizes: five")
    {
        std::uint64_t at = 0;
        for (std::uint64_t i = 0; i < many; ++i) {
            const std::uint64_t size = 1 + random() % 16000;
            thread(1, Kind::write, at, size);
            at += size;
        }
        CHECK(bytes_of(thread) <= 5.5);
    }
    SECTION("five kinds on one file in no order")
    {
        std::uint64_t at = 0;
        for (std::uint64_t i = 0; i < many; ++i) {
            const Kind kind =
                std::array{Kind::write, Kind::read, Kind::seek, Kind::stat, Kind::sync}[random() % 5];
            const bool offsets = kind < Kind::open || kind == Kind::seek;
            thread(1, kind, offsets ? at : no_offset, kind < Kind::open ? 4096 : 0);
            if (kind < Kind::open) at += 4096;
        }
        CHECK(bytes_of(thread) <= 4.5);
    }
    CHECK(bytes_of(thread) <= 8);
}

TEST_CASE("files that are treated alike take a tag and a place each")
{
    Thread thread;
    many_files(thread, 1, 1);
    const Code code = code_of(thread.did);
    check(code, thread.did);
    CHECK(code.places.size() <= 10'003);
    CHECK(code.what_bytes() <= 2 * 10'000 + 50);

    Thread of_ten;
    many_files(of_ten, 1, 10);
    const Code longer = code_of(of_ten.did);
    check(longer, of_ten.did);
    CHECK(longer.places.size() <= 10'003);
    CHECK(longer.what_bytes() <= 4 * 10'000 + 50);
}

TEST_CASE("ranks that do the same elsewhere have the same code")
{
    const std::function<void(Thread&, std::uint64_t)> patterns[] = {
        [](Thread& thread, std::uint64_t rank) { contiguous(thread, 1, rank * many * MiB); },
        [](Thread& thread, std::uint64_t rank) { strided(thread, 1, rank, 4); },
        [](Thread& thread, std::uint64_t rank) { contiguous(thread, 100 + rank, 0); },
        [](Thread& thread, std::uint64_t rank) { many_files(thread, 20'000 * rank, 2); },
        [](Thread& thread, std::uint64_t rank) {  // a header, which all read, and records in segments
            thread(1, Kind::open, no_offset, 0);
            thread(1, Kind::read, 0, 512);
            for (std::uint64_t i = 0; i < 5000; ++i) {
                thread(1, Kind::seek, 512 + (i * 4 + rank) * 100, 0);
                thread(1, Kind::write, 512 + (i * 4 + rank) * 100, 100);
                if (i % 7 == 0) thread(1, Kind::stat, no_offset, 0);
            }
        }};
    for (const auto& pattern : patterns) {
        std::vector<Code> codes;
        for (const std::uint64_t rank : {0, 1, 3}) {
            Thread thread;
            thread.random.seed(rank);
            pattern(thread, rank);
            codes.push_back(code_of(thread.did));
            check(codes.back(), thread.did);
        }
        CHECK(codes[1].pieces == codes[0].pieces);
        CHECK(codes[2].pieces == codes[0].pieces);
        CHECK(codes[1].times != codes[0].times);
        const auto id = [](const Code& code) {
            const std::string& piece = code.pieces.front();
            return trace_shape_id({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
        };
        CHECK(id(codes[0]) == id(codes[1]));
    }
}

TEST_CASE("whatever a thread did comes back")
{
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const std::vector<TracedOperation> did = mixed(seed, 3000);
        const Code code = code_of(did, seed % 2 == 0 ? 4096 : 64);
        const std::vector<std::string_view> pieces = views(code.pieces), times{code.times};
        TraceDecoder decoder(pieces, times, code.places);
        TracedOperation found;
        std::size_t wrong = 0;
        for (const TracedOperation& was : did) {
            REQUIRE(decoder.next(found));
            const std::uint64_t took = was.end > was.start ? was.end - was.start : 0;
            if (found.file != was.file || found.layer != was.layer || found.kind != was.kind ||
                found.offset != was.offset || found.size != was.size ||
                apart(found.end - found.start, took) > took / 60)
                ++wrong;
        }
        CHECK(wrong == 0);
        CHECK_FALSE(decoder.next(found));
        CHECK(decoder.problem().empty());
    }
}

TEST_CASE("errors of start times do not add up")
{
    // A million operations, nested and overlapping ones among them: a start is as wrong as the pause before
    // it and the operation before it make it, and no more than that.
    std::mt19937_64 random(5);
    Code code;
    std::vector<TracedOperation> did;
    std::uint64_t now = 50 * GiB;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        const std::uint64_t took = random() % 5 == 0 ? random() % 100'000 : random() % 3000;
        now += random() % 1000 + took;
        const std::uint64_t early = random() % 50 == 0 ? random() % 50'000 : 0;
        did.push_back({1, Layer::posix, Kind::read, i * 100, 100, now - took - early, now});
        code.add(did.back());
    }
    code.flush();
    const std::vector<std::string_view> pieces = views(code.pieces), times{code.times};
    TraceDecoder decoder(pieces, times, code.places);
    TracedOperation found;
    std::uint64_t worst = 0;
    for (const TracedOperation& was : did) {
        REQUIRE(decoder.next(found));
        worst = std::max(worst, apart(found.start + code.model.origin, was.start));
    }
    CHECK(worst < (150'000 + 50'000 + 1000) / 28);
}

TEST_CASE("a run that nears 2^32 is written")
{
    Code code;
    std::vector<TracedOperation> did;
    for (std::uint64_t i = 0; i < 10; ++i) {
        if (i == 5) code.run = ~std::uint32_t{0} - 1;  // as if four billion had passed
        did.push_back({1, Layer::posix, Kind::read, i * 100, 100, i * 10, i * 10 + 5});
        code.add(did.back());
        if (i == 5) CHECK(code.run == 0);
    }
    CHECK(code.pieces.front().size() > 5);
}

namespace {

// Decodes whatever it is; true if all went well.
bool survives(const std::vector<std::string>& pieces, const std::string& times,
              const std::vector<TracePlace>& places)
{
    const std::vector<std::string_view> piece_views = views(pieces), time_views{times};
    TraceDecoder decoder(piece_views, time_views, places);
    TracedOperation operation;
    std::uint64_t count = 0;
    while (decoder.next(operation)) ++count;
    CHECK(count <= times.size() / 2);
    CHECK_FALSE(decoder.next(operation));
    return decoder.problem().empty();
}

}  // namespace

TEST_CASE("a trace that is cut off gives what is left and says so")
{
    const std::vector<TracedOperation> did = mixed(1, 300);
    const Code code = code_of(did, 1u << 20);
    const std::string& what = code.pieces.front();
    for (std::size_t length = 0; length < what.size(); ++length)
        survives({what.substr(0, length)}, code.times, code.places);
    for (std::size_t length = 0; length < code.times.size(); ++length)
        CHECK_FALSE(survives(code.pieces, code.times.substr(0, length), code.places));
    for (std::size_t length = 0; length < code.places.size(); ++length)
        CHECK_FALSE(
            survives(code.pieces, code.times,
                     {code.places.begin(), code.places.begin() + static_cast<std::ptrdiff_t>(length)}));

    const std::vector<std::string_view> pieces = views(code.pieces);
    const std::string cut = code.times.substr(0, code.times.size() / 2);
    const std::vector<std::string_view> times{cut};
    TraceDecoder decoder(pieces, times, code.places);
    TracedOperation found;
    std::size_t at = 0;
    while (decoder.next(found)) CHECK(found.size == did[at++].size);
    CHECK(at > 100);
    CHECK(decoder.problem() == "the times end after " + std::to_string(at) + " operations");
}

TEST_CASE("times of an operation that was not written are passed over")
{
    Thread thread;
    contiguous(thread, 1, 0, 10);
    Code code = code_of(thread.did);
    code.times += "\x01";
    CHECK(survives(code.pieces, code.times, code.places));
    code.times += "\x02";
    CHECK(survives(code.pieces, code.times, code.places));
}

TEST_CASE("damaged traces do no harm")
{
    std::mt19937_64 random(11);
    const Code code = code_of(mixed(2, 400), 512);
    std::size_t noticed = 0;
    for (std::size_t i = 0; i < 2000; ++i) {
        std::vector<std::string> pieces = code.pieces;
        std::string times = code.times;
        std::vector<TracePlace> places = code.places;
        for (std::size_t changes = 1 + random() % 3; changes != 0; --changes) {
            const char byte = static_cast<char>(random());
            if (random() % 4 == 0) {
                times[random() % times.size()] = byte;
            } else if (random() % 8 == 0) {
                places[random() % places.size()].offset = random();
            } else {
                std::string& piece = pieces[random() % pieces.size()];
                if (!piece.empty()) piece[random() % piece.size()] = byte;
            }
        }
        if (!survives(pieces, times, places)) ++noticed;
    }
    CHECK(noticed > 500);
    for (std::size_t i = 0; i < 2000; ++i) {  // nothing but noise
        std::string what(random() % 500, 0), times(random() % 2000, 0);
        for (char& byte : what) byte = static_cast<char>(random());
        for (char& byte : times) byte = static_cast<char>(random() % 200);
        survives({what}, times, std::vector<TracePlace>(random() % 20));
    }
    CHECK_FALSE(survives({std::string("\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11)}, code.times, {}));
}
