// Operations that were not foretold, on their way into a trace: which of the contexts describes them best.
#include "logformat/trace/trace_code.h"

#include <bit>

namespace fathom::detail {
namespace {

constexpr unsigned none = ~0U;

std::uint8_t tag_of(Tag tag, unsigned context, unsigned how)
{
    return static_cast<std::uint8_t>(static_cast<unsigned>(tag) << tag_shift | context << context_shift |
                                     how);
}

// How far an operation is from the end of a context, without low bits that are zero.
struct Distance {
    std::uint64_t code;
    unsigned how;

    explicit Distance(std::uint64_t distance)
    {
        const auto zeros = static_cast<unsigned>(std::countr_zero(distance));
        how = 0U + (zeros >= distance_shifts[1]) + (zeros >= distance_shifts[2]) +
              (zeros >= distance_shifts[3]);
        code = zigzag(static_cast<std::int64_t>(distance) >> distance_shifts[how]);
    }
};

// Which contexts fit is no more than chance here: branches would cost more than all else.
constexpr unsigned bit_if(bool yes, unsigned number)
{
    return static_cast<unsigned>(yes) << number;
}

// What the contexts know of an operation.
struct Search {
    unsigned best = none;       // a context of its file, layer and kind
    unsigned rank = 0;          // of the best one: 2 if the size differs and 1 if the offset has no name
    unsigned spot = 0;          // the name of the offset
    unsigned same_file = none;  // a context of its file; where it can be, one with offsets
    unsigned same_sort = none;  // a context of its layer, kind and size; where it can be, the foretold one
};

unsigned spot_of(const TraceModel& model, unsigned context, std::uint64_t offset)
{
    unsigned fitting = 1U << TraceModel::spots;
    for (unsigned spot = 0; spot < TraceModel::spots; ++spot)
        fitting |= bit_if(model.offset_at(static_cast<TraceModel::Spot>(spot), context) == offset, spot);
    return static_cast<unsigned>(std::countr_zero(fitting));
}

// A bit for each context.
struct Fitting {
    unsigned file = 0, sort = 0, size = 0, offsets = 0;

    Fitting(const TraceModel& model, const TracedOperation& operation, std::uint8_t what)
    {
        for (unsigned each = 0; each < TraceModel::contexts; ++each) {
            file |= bit_if(model.context[each].file == operation.file, each);
            size |= bit_if(model.context[each].size == operation.size, each);
        }
        file &= (1U << model.made) - 1;
        sort = bytes8::equal(model.what, what);
        static_assert(TraceModel::offset_less == 1U << 5);
        offsets = bytes8::bits(~bytes8::load(model.what) >> 5 & bytes8::ones);
    }
};

unsigned first_of(unsigned mask)
{
    return mask == 0 ? none : static_cast<unsigned>(std::countr_zero(mask));
}

Search search(const TraceModel& model, const TracedOperation& operation, std::uint8_t what,
              std::uint64_t offset)
{
    const Fitting fit(model, operation, what);
    Search found;
    const unsigned same_sort = fit.sort & fit.size, foretold = model.foretell().context;
    found.same_sort = (same_sort >> foretold & 1) != 0 ? foretold : first_of(same_sort);
    found.same_file = first_of((fit.file & fit.offsets) != 0 ? fit.file & fit.offsets : fit.file);
    const bool has_size = (fit.file & same_sort) != 0;
    unsigned candidates = fit.file & (has_size ? same_sort : fit.sort);
    found.best = first_of(candidates);
    found.rank = has_size ? 1 : 3;
    for (; candidates != 0; candidates &= candidates - 1) {
        const unsigned spot = spot_of(model, first_of(candidates), offset);
        if (spot == TraceModel::spots) continue;
        found.best = first_of(candidates);
        --found.rank;
        found.spot = spot;
        break;
    }
    return found;
}

}  // namespace

Coded encode_exception(TraceModel& model, const TracedOperation& operation, std::uint32_t run,
                       std::uint8_t* const what)
{
    const std::uint8_t sort = TraceModel::what_of(operation);
    const bool has_offset = operation.offset != no_offset;
    const std::uint64_t offset = has_offset ? operation.offset : 0, size = operation.size;
    const Search found = search(model, operation, sort, offset);
    std::uint8_t* to = what + end_run(run, what);
    bool place = false;
    const auto put_sort = [&] {
        *to++ = sort;
        to = put_varint(size, to);
    };
    if (found.best != none) {
        const bool resized = found.rank >= 2, elsewhere = found.rank % 2 != 0;
        const Distance distance(offset - model.context[found.best].end);
        constexpr Tag tags[] = {Tag::known, Tag::offset, Tag::size, Tag::both};
        *to++ = tag_of(tags[found.rank], found.best, elsewhere ? distance.how : found.spot);
        if (resized) to = put_varint(size, to);
        if (elsewhere) to = put_varint(distance.code, to);
        if (resized)
            model.resize(found.best, size, offset);
        else
            model.go_on(found.best, offset);
    } else if (found.same_file != none) {
        const std::uint64_t distance = offset - model.context[found.same_file].end;
        // Ranks that do the same at their own offsets have the same code as long as places say where they
        // begin; who has more contexts than there is room for would write very many of them.
        place = has_offset && (model.made < TraceModel::contexts || !model.has_offsets(found.same_file));
        const Added how = place ? Added::place : has_offset && distance != 0 ? Added::apart : Added::at_end;
        *to++ = tag_of(Tag::add, found.same_file, static_cast<unsigned>(how));
        put_sort();
        if (how == Added::apart) to = put_varint(zigzag(static_cast<std::int64_t>(distance)), to);
        model.add(found.same_file, sort, size, offset);
    } else {
        place = true;
        // A file that is opened, or looked at by its name: what was done with the last such file is likely
        // to be done with it. An operation at an offset is rather one of several files in turns.
        if (!has_offset && found.same_sort != none) {
            *to++ = tag_of(Tag::rebind, found.same_sort, 0);
            model.rebind(found.same_sort, operation.file, offset);
        } else {
            *to++ = tag_of(Tag::new_file, 0, 0);
            put_sort();
            model.add_file(operation.file, sort, size, offset);
        }
    }
    return {static_cast<std::uint8_t>(to - what), 0, place};
}

}  // namespace fathom::detail
