// The code of a trace: how the operations of a thread become bytes. trace_decoder.h reads them.
//
// "What" they were is a sequence of tags. Operations that the model (trace_model.h) foretold are only
// counted.
//
//     7     5   4     2   1   0
//   ┌─────────┬─────────┬───────┐
//   │ Tag     │ context │ how   │   what follows the tag is said beside each Tag
//   └─────────┴─────────┴───────┘
//
// "When" they were are two zigzag varints an operation: how far the bin of its pause is from that of the last
// pause after the same context, and the bin of its duration from the last one of its own context. The pause
// is from the end of the operation before, as the model's clock has it, and may be negative. A start comes
// back within 3.2 % of the pause before it and 0.8 % of the operation before that; a duration within 1.6 %.
//
// "Where" is given by places, a file and an offset, one for each tag that asks for it.
//
// Numbers are varints (LEB128, at most 10 bytes). The rest is in docs/FORMAT.md.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "logformat/blocks/bytes.h"
#include "logformat/path_id.h"
#include "logformat/trace/trace_model.h"

namespace fathom {

enum class Tag : std::uint8_t {
    run,     // of foretold operations: how many, in the five bits below or, where these are 0, a varint
    known,   // of this context; how: a Spot
    offset,  // of this context, elsewhere; how: an entry of distance_shifts; zigzag distance from its own end
    size,    // like this context, another size; how: a Spot; the size
    both,    // like this context, another size, elsewhere; how: of the distance; the size, the distance
    add,     // another kind on this context's file; how: an Added; its what and size, or what that says
    rebind,  // of this context, which goes on with another file; a place
    new_file  // its what and size; a place
};
inline constexpr unsigned tag_shift = 5, context_shift = 2, how_mask = 3, short_run = 32;
inline constexpr unsigned distance_shifts[] = {0, 3, 9, 12};

enum class Added : std::uint8_t {
    at_end,  // at the end of the context, or without an offset; its what and size
    place,   // its what and size, a place
    apart    // its what and size, zigzag distance from the end of the context
};

// Room that encode() needs.
inline constexpr std::size_t most_what_bytes = 40, most_times_bytes = 12;

// What encode() wrote. `place`: file and offset of the operation are to be kept as the next place.
struct Coded {
    std::uint8_t what_bytes = 0, times_bytes = 0;
    bool place = false;
};

// May write up to eight bytes behind the end, which it returns.
inline std::uint8_t* put_varint(std::uint64_t value, std::uint8_t* to)
{
    if (value >> 56 == 0) [[likely]] {
        // How long it is can hardly be foretold, so there is no loop: groups of seven bits are spread to
        // bytes, first halves apart, then quarters, then single ones.
        const auto bytes = (static_cast<unsigned>(std::bit_width(value | 1)) + 6) / 7;
        std::uint64_t spread = (value & 0x0fffffff) | (value & 0xfffffff0000000) << 4;
        spread = (spread & 0x00003fff00003fff) | (spread & 0x0fffc0000fffc000) << 2;
        spread = (spread & 0x007f007f007f007f) | (spread & 0x3f803f803f803f80) << 1;
        spread |= 0x8080808080808080 & ((std::uint64_t{1} << (8 * bytes - 8)) - 1);
        std::memcpy(to, &spread, sizeof spread);
        return to + bytes;
    }
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<std::uint8_t>(value | 0x80);
    *to++ = static_cast<std::uint8_t>(value);
    return to;
}

// Writes the run that is still pending, at most 6 bytes; returns how many. Called before the bytes of `what`
// are handed on; the run is then 0.
inline std::size_t end_run(std::uint32_t run, std::uint8_t* what)
{
    if (run == 0) return 0;
    if (run < short_run) {
        *what = static_cast<std::uint8_t>(run);
        return 1;
    }
    *what = 0;
    return static_cast<std::size_t>(put_varint(run, what + 1) - what);
}

namespace detail {

// Writes the pending run and an operation that was not foretold.
Coded encode_exception(TraceModel& model, const TracedOperation& operation, std::uint32_t run,
                       std::uint8_t* what);

inline std::uint8_t encode_times(TraceModel& model, std::uint64_t start, std::uint64_t end,
                                 std::uint8_t* times)
{
    const unsigned pause = model.pause_bin_of(start);
    const auto duration = static_cast<unsigned>(bins::bin_of(end > start ? end - start : 0).number());
    const std::uint64_t pause_code =
        zigzag(static_cast<std::int64_t>(pause) - std::int64_t{model.last_pause()});
    const std::uint64_t duration_code =
        zigzag(static_cast<std::int64_t>(duration) - std::int64_t{model.last_duration()});
    model.pass(pause, duration);
    if (pause_code < 0x80 && duration_code < 0x80) {
        times[0] = static_cast<std::uint8_t>(pause_code);
        times[1] = static_cast<std::uint8_t>(duration_code);
        return 2;
    }
    return static_cast<std::uint8_t>(put_varint(duration_code, put_varint(pause_code, times)) - times);
}

}  // namespace detail

// Encodes the next operation of a thread, in the order in which they end. `run` counts what was foretold
// since the last tag. `what` and `times` have room for most_what_bytes and most_times_bytes. The model's
// origin is when the first operation began. Whoever keeps the bytes lets the times and the place count before
// the tags and the run do: of a process that is killed in between, the reader passes over times and places
// that nothing refers to, but a tag without them ends the trace with a complaint.
inline Coded encode(TraceModel& model, const TracedOperation& operation, std::uint32_t& run,
                    std::uint8_t* what, std::uint8_t* times)
{
    if (model.begun == 0) {
        model.begun = 1;
        model.origin = model.clock = operation.start;
    }
    const TraceModel::Foretold foretold = model.foretell();
    const TraceModel::Context& context = model.context[foretold.context];
    Coded coded;
    if (model.what[foretold.context] == TraceModel::what_of(operation) && context.file == operation.file &&
        context.size == operation.size &&
        (foretold.offset == operation.offset || operation.offset == no_offset)) {
        model.confirm(foretold);
        if (++run == ~std::uint32_t{0}) {
            coded.what_bytes = static_cast<std::uint8_t>(end_run(run, what));
            run = 0;
        }
    } else {
        coded = detail::encode_exception(model, operation, run, what);
        run = 0;
    }
    coded.times_bytes = detail::encode_times(model, operation.start, operation.end, times);
    return coded;
}

// The id of a piece of "what": pieces with the same bytes share it.
inline std::uint64_t trace_shape_id(std::span<const std::uint8_t> what)
{
    return path_id({reinterpret_cast<const char*>(what.data()), what.size()});
}

}  // namespace fathom
