// Fuzzes the code of a trace, both ways: the bytes as code that is damaged, and the bytes as operations,
// which must come back.
#include <cstdlib>
#include <string>
#include <vector>

#include "logformat/log/trace_decoder.h"

namespace {

using namespace fathom;

std::uint64_t take(std::string_view& bytes, std::size_t count)
{
    std::uint64_t value = 0;
    for (; count != 0 && !bytes.empty(); --count) {
        value = value << 8 | static_cast<std::uint8_t>(bytes.front());
        bytes.remove_prefix(1);
    }
    return value;
}

// Two lengths, "what", "when", and what is left as places.
void decode(std::string_view bytes)
{
    const std::size_t what_bytes = std::min<std::size_t>(take(bytes, 2), bytes.size());
    const std::string_view whats[] = {bytes.substr(0, what_bytes / 2),
                                      bytes.substr(what_bytes / 2, what_bytes - what_bytes / 2)};
    bytes.remove_prefix(what_bytes);
    const std::size_t times_bytes = std::min<std::size_t>(take(bytes, 2), bytes.size());
    const std::string_view times[] = {bytes.substr(0, times_bytes)};
    bytes.remove_prefix(times_bytes);
    std::vector<TracePlace> places;
    while (!bytes.empty()) {
        const std::uint64_t file = take(bytes, 1);
        places.push_back({0, 0, file, take(bytes, 8)});
    }
    TraceDecoder decoder(whats, times, places);
    TracedOperation operation;
    while (decoder.next(operation)) {
    }
    if (decoder.operations() > times_bytes / 2) std::abort();
}

// An operation as a few bytes; what it does not say it has in common with the one eight before.
std::vector<TracedOperation> operations_in(std::string_view bytes)
{
    std::vector<TracedOperation> done;
    std::uint64_t now = 0;
    while (!bytes.empty()) {
        const std::uint64_t says = take(bytes, 1);
        TracedOperation next;
        if (done.size() >= 8) next = done[done.size() - 8];
        if (next.offset != no_offset) next.offset += next.size;
        if ((says & 1) != 0) next.file = take(bytes, 1) % 12;
        if ((says & 2) != 0) next.kind = static_cast<Kind>(take(bytes, 1) % kind_count);
        if ((says & 4) != 0) next.layer = static_cast<Layer>(take(bytes, 1) % layers);
        if ((says & 8) != 0) next.offset = take(bytes, 8);
        if ((says & 16) != 0) next.size = take(bytes, 2);
        if ((says & 32) != 0) next.size = take(bytes, 8);
        if ((says & 64) != 0) next.offset = no_offset;
        next.end = now += (says & 128) != 0 ? take(bytes, 5) : 100;
        next.start = now - take(bytes, (says & 128) != 0 ? 5 : 0);
        done.push_back(next);
    }
    return done;
}

void come_back(const std::vector<TracedOperation>& done)
{
    TraceModel model;
    std::uint32_t run = 0;
    std::string what, times;
    std::vector<TracePlace> places;
    std::uint8_t what_room[most_what_bytes], times_room[most_times_bytes];
    for (const TracedOperation& operation : done) {
        const Coded coded = encode(model, operation, run, what_room, times_room);
        what.append(reinterpret_cast<const char*>(what_room), coded.what_bytes);
        times.append(reinterpret_cast<const char*>(times_room), coded.times_bytes);
        if (coded.place) places.push_back({0, 0, operation.file, operation.offset});
    }
    what.append(reinterpret_cast<const char*>(what_room), end_run(run, what_room));
    const std::string_view whats[] = {what}, whens[] = {times};
    TraceDecoder decoder(whats, whens, places);
    TracedOperation found;
    for (const TracedOperation& was : done)
        if (!decoder.next(found) || found.file != was.file || found.layer != was.layer ||
            found.kind != was.kind || found.offset != was.offset || found.size != was.size)
            std::abort();
    if (decoder.next(found) || !decoder.problem().empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    decode(bytes);
    come_back(operations_in(bytes));
    return 0;
}
