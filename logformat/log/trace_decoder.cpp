// Tags, times and places back into operations, by the same model that wrote them.
#include "logformat/log/trace_decoder.h"

#include <fmt/format.h>

#include "logformat/duration_bins.h"

namespace fathom {
namespace {

// Takes varint bytes from `take(byte)`, which returns false where there are no more.
template <class Take>
bool varint(std::uint64_t& value, Take take)
{
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        std::uint8_t byte = 0;
        if (!take(byte) || (shift == 63 && byte > 1)) return false;
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

}  // namespace

bool TraceDecoder::fail(std::string_view what)
{
    problem_ = fmt::format("{} after {} operations", what, operations_);
    return false;
}

// True where there are tags left.
bool TraceDecoder::enter_piece()
{
    while (tags_.empty() && piece_ < pieces_.size()) tags_ = pieces_[piece_++];
    return !tags_.empty();
}

bool TraceDecoder::read_byte(std::uint8_t& value)
{
    if (tags_.empty()) return false;
    value = static_cast<std::uint8_t>(tags_.front());
    tags_.remove_prefix(1);
    return true;
}

bool TraceDecoder::read_number(std::uint64_t& value)
{
    return varint(value, [&](std::uint8_t& byte) { return read_byte(byte); });
}

bool TraceDecoder::read_sort(std::uint8_t& what, std::uint64_t& size)
{
    return read_byte(what) && what >> 6 != 0 && read_number(size);
}

bool TraceDecoder::read_distance(std::uint64_t& distance, unsigned shift)
{
    std::uint64_t code = 0;
    if (!read_number(code)) return false;
    distance = static_cast<std::uint64_t>(unzigzag(code)) << shift;
    return true;
}

bool TraceDecoder::read_place(TracePlace& place)
{
    if (places_.empty()) return false;
    place = places_.front();
    places_ = places_.subspan(1);
    return true;
}

bool TraceDecoder::read_exception(Tag tag, unsigned context, unsigned how)
{
    const bool old_context = tag != Tag::new_file;
    if (old_context && model_.what[context] == 0) return false;
    const TraceModel::Context& old = model_.context[context];
    std::uint64_t size = old.size, offset = 0;
    std::uint8_t what = 0;
    TracePlace place;

    if (tag == Tag::size || tag == Tag::both) {
        if (!read_number(size)) return false;
    } else if (tag == Tag::add || tag == Tag::new_file) {
        if (!read_sort(what, size)) return false;
    }

    if (tag == Tag::known || tag == Tag::size) {
        offset = model_.offset_at(static_cast<TraceModel::Spot>(how), context);
    } else if (tag == Tag::offset || tag == Tag::both) {
        if (!read_distance(offset, distance_shifts[how])) return false;
        offset += old.end;
    } else if (tag == Tag::add && how == static_cast<unsigned>(Added::at_end)) {
        offset = old.end;
    } else if (tag == Tag::add && how == static_cast<unsigned>(Added::apart)) {
        if (!read_distance(offset, 0)) return false;
        offset += old.end;
    } else {
        const bool known_how = tag != Tag::add || how == static_cast<unsigned>(Added::place);
        if (!known_how || !read_place(place)) return false;
        offset = place.offset;
    }
    const bool without_offset = ((what != 0 ? what : model_.what[context]) & TraceModel::offset_less) != 0;
    if (without_offset) offset = 0;

    if (tag == Tag::known || tag == Tag::offset)
        model_.go_on(context, offset);
    else if (tag == Tag::size || tag == Tag::both)
        model_.resize(context, size, offset);
    else if (tag == Tag::add)
        model_.add(context, what, size, offset);
    else if (tag == Tag::rebind)
        model_.rebind(context, place.file, offset);
    else
        model_.add_file(place.file, what, size, offset);
    return true;
}

// Reads a tag: the operation that it stands for has then happened to the model, or there is a run.
bool TraceDecoder::read_tag()
{
    std::uint8_t byte = 0;
    if (!read_byte(byte)) return false;
    const Tag tag{static_cast<std::uint8_t>(byte >> tag_shift)};
    if (tag != Tag::run) {
        const unsigned context = byte >> context_shift & (TraceModel::contexts - 1);
        return read_exception(tag, context, byte & how_mask);
    }
    run_ = byte % short_run;
    return run_ != 0 || (read_number(run_) && run_ != 0);
}

bool TraceDecoder::read_bin(unsigned before, unsigned bins, unsigned& bin)
{
    std::uint64_t code = 0;
    const bool whole = varint(code, [&](std::uint8_t& byte) {
        while (time_ < times_.size() && time_at_ == times_[time_].size()) {
            ++time_;
            time_at_ = 0;
        }
        if (time_ == times_.size()) return false;
        byte = static_cast<std::uint8_t>(times_[time_][time_at_++]);
        return true;
    });
    const std::uint64_t sum = before + static_cast<std::uint64_t>(unzigzag(code));
    bin = static_cast<unsigned>(sum);
    return whole && sum < bins;
}

bool TraceDecoder::read_times(TracedOperation& operation)
{
    unsigned pause = 0, duration = 0;
    if (!read_bin(model_.last_pause(), TraceModel::pause_bins, pause) ||
        !read_bin(model_.last_duration(), TraceModel::duration_bins, duration))
        return false;
    operation.start = model_.pass(pause, duration);
    operation.end = operation.start + bins::middle(duration);
    return true;
}

bool TraceDecoder::next(TracedOperation& operation)
{
    if (!problem_.empty()) return false;
    if (run_ == 0) {
        if (!enter_piece()) return false;
        if (!read_tag()) return fail("the code of what was done is damaged or cut off");
    }
    if (run_ != 0) {
        const TraceModel::Foretold foretold = model_.foretell();
        if (model_.what[foretold.context] == 0) return fail("the code of what was done is damaged");
        model_.confirm(foretold);
        --run_;
    }
    if (!read_times(operation))
        return fail(time_ == times_.size() ? "the times end" : "the code of the times is damaged");
    const unsigned context = model_.last();
    const TraceModel::Context& was = model_.context[context];
    operation.file = was.file;
    operation.layer = static_cast<Layer>((model_.what[context] >> 6) - 1);
    operation.kind = static_cast<Kind>(model_.what[context] % TraceModel::offset_less);
    operation.offset = model_.has_offsets(context) ? was.end - was.size : no_offset;
    operation.size = was.size;
    ++operations_;
    return true;
}

}  // namespace fathom
