// What both sides of a trace's code know of a thread after each operation, and what they therefore expect
// next. Only what differs from that is written.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "logformat/duration_bins.h"
#include "logformat/kinds.h"

namespace fathom {

inline constexpr std::uint64_t no_offset = ~std::uint64_t{0};

// One operation of a thread.
struct TracedOperation {
    std::uint64_t file = 0;  // any number that stands for the file
    Layer layer{};
    Kind kind{};
    std::uint64_t offset = no_offset;  // no_offset where it is not known or the operation has none
    std::uint64_t size = 0;
    std::uint64_t start = 0, end = 0;  // ticks
};

// Of eight bytes at once: a bit for each.
namespace bytes8 {
inline constexpr std::uint64_t ones = 0x0101010101010101;
inline std::uint64_t load(const std::uint8_t* bytes)
{
    std::uint64_t all = 0;
    std::memcpy(&all, bytes, sizeof all);
    return all;
}
// Of bytes that are 0 or 1.
constexpr unsigned bits(std::uint64_t bytes)
{
    return static_cast<unsigned>(bytes * 0x0102040810204080 >> 56);
}
inline unsigned equal(const std::uint8_t* bytes, std::uint8_t to)
{
    constexpr std::uint64_t low = 0x7f * ones;
    const std::uint64_t other = load(bytes) ^ ones * to;
    return bits(~((((other & low) + low) | other) >> 7) & ones);
}
}  // namespace bytes8

// The model is plain data, all zeros to begin with. It keeps the last eight sorts of operations, its
// contexts, and which of them followed which two. It holds what is the same in ranks that do the same
// elsewhere: offsets are written as distances, and which context an operation goes to never depends on the
// number of its file.
struct TraceModel {
    static constexpr unsigned contexts = 8, pairs = contexts * contexts;
    static constexpr unsigned most_sizes = 4;  // contexts that differ only in their size

    // What an operation is, but for file, offset and size, in a byte; 0: nothing.
    static constexpr std::uint8_t offset_less = 32;
    static constexpr std::uint8_t what_of(const TracedOperation& operation)
    {
        static_assert(kind_count <= offset_less && layers <= 3);
        return static_cast<std::uint8_t>(((static_cast<unsigned>(operation.layer) + 1) << 6) |
                                         (operation.offset == no_offset ? offset_less : 0U) |
                                         static_cast<unsigned>(operation.kind));
    }

    struct Context {
        std::uint64_t file = 0, size = 0;
        std::uint64_t first = 0, end = 0;  // the first offset, and where the last operation ended
    };
    struct Foretold {
        unsigned context, pair;
        std::uint64_t offset;
    };

    std::uint64_t origin = 0;  // when the first operation began
    std::uint64_t clock = 0;   // when the last one ended, as it will be read back: not later than it was
    std::uint64_t trusted_successors = 0, trusted_gaps = 0;  // a bit a pair: true the last time
    std::uint8_t begun = 0, pair = 0;           // pair: the context before the last, and the last
    std::uint8_t made = 0, used = 0, hand = 0;  // who makes room for new contexts
    std::uint8_t last_way = 0, groups = 0;
    std::uint8_t grain = 0;  // of the next pause: its lowest bits that do not count
    std::uint8_t what[contexts] = {};
    std::uint8_t group[contexts] = {};  // contexts of one file are a group
    std::uint8_t successor[pairs] = {};
    std::uint16_t pause[contexts] = {}, duration[contexts] = {};  // bins, see pass()
    Context context[contexts] = {};
    std::uint64_t gap[pairs] = {};  // from the end of a pair's second context to where it goes on

    // False where memory was damaged: no operations lead to that.
    bool is_sound() const
    {
        const auto below = [](const auto& all, unsigned limit) {
            return std::all_of(std::begin(all), std::end(all), [=](unsigned one) { return one < limit; });
        };
        return pair < pairs && made <= contexts && hand < contexts && last_way < contexts && grain < 60 &&
               below(successor, contexts) && below(pause, pause_bins) && below(duration, duration_bins);
    }

    unsigned last() const { return pair % contexts; }
    unsigned pair_with(unsigned next) const { return (pair % contexts) * contexts + next; }
    bool has_offsets(unsigned of) const { return (what[of] & offset_less) == 0; }

    Foretold foretell() const
    {
        const unsigned next = successor[pair], next_pair = pair_with(next);
        return {next, next_pair, context[next].end + gap[next_pair]};
    }

    // The operation was the one that was foretold.
    void confirm(const Foretold& was)
    {
        Context& now = context[was.context];
        trusted_successors |= std::uint64_t{1} << pair;
        trusted_gaps |= std::uint64_t{1} << was.pair;
        now.end = has_offsets(was.context) ? was.offset + now.size : 0;
        used = static_cast<std::uint8_t>(used | 1U << was.context);
        pair = static_cast<std::uint8_t>(was.pair);
    }

    // Offsets that have a short name.
    enum class Spot : std::uint8_t { foretold, last_end, own_end, first };
    static constexpr unsigned spots = 4;
    std::uint64_t offset_at(Spot spot, unsigned of) const
    {
        const bool neighbour = group[last()] == group[of] && has_offsets(last());
        if (!has_offsets(of)) return 0;
        if (spot == Spot::foretold) return context[of].end + gap[pair_with(of)];
        if (spot == Spot::first) return context[of].first;
        return spot == Spot::last_end && neighbour ? context[last()].end : context[of].end;
    }

    // An operation of this context, of its size, at this offset.
    void go_on(unsigned of, std::uint64_t offset)
    {
        learn_successor(of);
        const unsigned next_pair = pair_with(of);
        const std::uint64_t bit = std::uint64_t{1} << next_pair, distance = offset - context[of].end;
        if (has_offsets(of)) {
            if (gap[next_pair] == distance)
                trusted_gaps |= bit;
            else if ((trusted_gaps & bit) != 0)  // once may be an exception
                trusted_gaps &= ~bit;
            else
                gap[next_pair] = distance;
        }
        follow(of, offset);
    }

    // An operation like those of a context, but of another size.
    void resize(unsigned like, std::uint64_t size, std::uint64_t offset)
    {
        const unsigned to = room_for_size(like);
        const Context original = context[like];
        what[to] = what[like];
        group[to] = group[like];
        pause[to] = pause[like];
        duration[to] = duration[like];
        begin(to, {original.file, size, offset, offset});
    }

    // An operation of a kind that no context has, on the file of a context.
    void add(unsigned same_file, std::uint8_t its_what, std::uint64_t size, std::uint64_t offset)
    {
        const std::uint64_t file = context[same_file].file;
        const std::uint8_t its_group = group[same_file];
        make(its_what, its_group, {file, size, offset, offset});
    }

    // An operation on a file that no context has. Groups are counted rather than compared by file, as two
    // numbers of the writer may be one file to the reader; should a number come again while an old group
    // still has it, both sides take them for one.
    void add_file(std::uint64_t file, std::uint8_t its_what, std::uint64_t size, std::uint64_t offset)
    {
        make(its_what, ++groups, {file, size, offset, offset});
    }

    // A context goes on with another file, and so do all others of its file, each from its first offset on.
    void rebind(unsigned of, std::uint64_t file, std::uint64_t offset)
    {
        const std::uint64_t moved = has_offsets(of) ? offset - context[of].first : 0;
        for (unsigned each = 0; each < contexts; ++each) {
            if (what[each] == 0 || group[each] != group[of]) continue;
            context[each].file = file;
            if (has_offsets(each)) context[each].end = context[each].first += moved;
        }
        go_on(of, offset);
    }

    // A pause and a duration as they are written: the number of a bin, and for a pause that is negative, as
    // operations overlap, the bin of its amount above all others. Pauses are in grains, an eighth of the
    // width of the bin of the operation before: finer ones would say how long that was rather than anything
    // of the pause.
    static constexpr unsigned pause_bins = 2 * bins::count, duration_bins = bins::count;
    unsigned pause_bin_of(std::uint64_t start) const
    {
        const std::uint64_t later = start - clock;
        const bool early = static_cast<std::int64_t>(later) < 0;
        return static_cast<unsigned>(bins::bin_of((early ? 0 - later : later) >> grain).number() +
                                     (early ? bins::count : 0));
    }

    // The pause before the last operation is expected to be like the last one after the same context.
    std::uint16_t& last_pause() { return pause[pair / contexts]; }
    std::uint16_t& last_duration() { return duration[pair % contexts]; }

    // The time of the last operation goes by. Returns when it began. Lower edges of the bins (for negative
    // pauses upper ones) keep the clock from running ahead, and as pauses follow from the clock rather than
    // from the truth, what one bin takes away the next pause gives back.
    std::uint64_t pass(unsigned pause_bin, unsigned duration_bin)
    {
        last_pause() = static_cast<std::uint16_t>(pause_bin);
        last_duration() = static_cast<std::uint16_t>(duration_bin);
        std::uint64_t start = clock;
        if (pause_bin < bins::count) [[likely]]
            start += bins::at_least(pause_bin) << grain;
        else
            start -=
                ((bins::at_least(pause_bin - bins::count) + bins::width(pause_bin - bins::count)) << grain) -
                1;
        const std::uint64_t passed = start + bins::at_least(duration_bin) - clock;
        if (static_cast<std::int64_t>(passed) > 0) clock += passed;
        const auto octave = static_cast<unsigned>(duration_bin / bins::per_octave);
        grain = static_cast<std::uint8_t>(octave > 4 ? octave - 4 : 0);
        return start;
    }

  private:
    void learn_successor(unsigned of)
    {
        const std::uint64_t bit = std::uint64_t{1} << pair;
        if (successor[pair] == of)
            trusted_successors |= bit;
        else if ((trusted_successors & bit) != 0)
            trusted_successors &= ~bit;
        else
            successor[pair] = static_cast<std::uint8_t>(of);
    }

    void follow(unsigned of, std::uint64_t offset)
    {
        context[of].end = has_offsets(of) ? offset + context[of].size : 0;
        used = static_cast<std::uint8_t>(used | 1U << of);
        pair = static_cast<std::uint8_t>(pair_with(of));
    }

    // The first operation of a context, which nothing is known of yet.
    void begin(unsigned to, const Context& as)
    {
        context[to] = as;
        for (unsigned before = 0; before < contexts; ++before) gap[before * contexts + to] = 0;
        learn_successor(to);
        follow(to, as.first);
    }

    void make(std::uint8_t its_what, std::uint8_t its_group, const Context& as)
    {
        const unsigned to = room();
        what[to] = its_what;
        group[to] = its_group;
        begin(to, as);
    }

    // A context without use, or one that was not used since the hand last passed.
    unsigned room()
    {
        if (made < contexts) return made++;
        while ((used >> hand & 1) != 0) {
            used = static_cast<std::uint8_t>(used & ~(1U << hand));
            hand = static_cast<std::uint8_t>((hand + 1) % contexts);
        }
        const unsigned to = hand;
        hand = static_cast<std::uint8_t>((hand + 1) % contexts);
        return to;
    }

    // Whether most_sizes bits are set: without counting them, for which processors of old have no
    // instruction.
    static constexpr bool has_all_sizes(unsigned mask)
    {
        for (unsigned size = 1; size < most_sizes; ++size) mask &= mask - 1;
        return mask != 0;
    }

    // Operations of ever other sizes shall not drive out everything else.
    unsigned room_for_size(unsigned like)
    {
        const unsigned mask = bytes8::equal(what, what[like]) & bytes8::equal(group, group[like]);
        const unsigned later = mask >> last_way >> 1 << last_way << 1;
        const unsigned next = !has_all_sizes(mask)
                                  ? room()
                                  : static_cast<unsigned>(std::countr_zero(later != 0 ? later : mask));
        last_way = static_cast<std::uint8_t>(next);
        return next;
    }
};
static_assert(sizeof(TraceModel) < 1024);

}  // namespace fathom
