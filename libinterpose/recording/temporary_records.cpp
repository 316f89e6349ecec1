// Places for records, each with a name of fixed room and the counters that it once needed.
#include "libinterpose/recording/temporary_records.h"

#include <array>
#include <bit>
#include <cstring>

#include "libinterpose/recording/further_files.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/recording/stream_runs.h"
#include "libinterpose/system/own_memory.h"

namespace fathom::temporary {
namespace {

constexpr std::size_t room_for_path = 256, most_places = 104;

// How many descriptors use it, below the part's epoch: a place of an earlier part, or of the process that
// this one was forked from, is as good as new. A part has the first places of all.
struct Place {
    static constexpr std::uint32_t free = 0, changing = ~std::uint32_t{0}, gone = changing - 1;

    std::atomic<std::uint64_t> users{};
    std::atomic<std::uint64_t> id{};  // of the file
    std::atomic<NameChunk*> name{};
};
FATHOM_LARGE constinit std::array<Place, most_places> places;

std::uint64_t with_epoch(std::uint32_t users)
{
    return here.epoch << 32 | users;
}
bool is_of_part(std::uint64_t users)
{
    return users >> 32 == (here.epoch & ~std::uint32_t{0});
}
std::uint32_t users_in(std::uint64_t users)
{
    return static_cast<std::uint32_t>(users);
}

// A 64th of the part, in records of a file in one layer.
std::size_t places_of_part()
{
    constexpr std::size_t share = 64, record = 2560;
    return std::min<std::size_t>(most_places, arena.header().records / share / record);
}

NameChunk* new_name(std::size_t place)
{
    auto* const name = arena.allocate<NameChunk>(ChunkKind::name, {}, room_for_path, Arena::Room::temporary);
    if (name == nullptr) return nullptr;
    name->epoch = here.epoch;
    name->kind = NameKind::file;
    name->opened.store(true, std::memory_order_relaxed);  // its layout is not looked at
    name->temporary.store(static_cast<std::uint32_t>(place + 1), std::memory_order_relaxed);
    return name;
}

CountersChunk* first_counters(const NameChunk& name, Layer layer)
{
    return arena.at<CountersChunk>(
        name.counters[static_cast<std::size_t>(layer)].load(std::memory_order_acquire));
}

// Whose counters they were, they are this thread's now.
void rename(NameChunk& name, std::string_view path, std::uint64_t id, FileTraits traits)
{
    name.id = id;
    name.alignment = std::has_single_bit(traits.block_size) ? traits.block_size : 0;
    name.device = traits.device;
    name.removed.store(false, std::memory_order_relaxed);
    name.length = static_cast<std::uint32_t>(path.size());
    std::memcpy(name.path, path.data(), path.size());
    for (const Layer layer : {Layer::posix, Layer::stdio})
        if (CountersChunk* const counters = first_counters(name, layer))
            counters->owner.store(here.thread->tid.load(std::memory_order_relaxed),
                                  std::memory_order_relaxed);
    if (CountersChunk* const posix = first_counters(name, Layer::posix)) {
        posix->offset_mask = name.alignment == 0 ? 0 : name.alignment - 1;
        static_cast<CountersOf<PosixCounters>*>(posix)->counters.file_alignment = name.alignment;
    }
    Arena::publish(name.header);
}

bool is_file(const NameChunk& name, std::uint64_t id, std::string_view path)
{
    return name.id == id && std::string_view(name.path, name.length) == path;
}

// True where the place is this file's, and now has one user more.
bool add_user(Place& place, std::uint64_t users, std::uint64_t id, std::string_view path)
{
    while (users_in(users) != Place::free && users_in(users) < Place::gone &&
           place.id.load(std::memory_order_relaxed) == id)
        if (place.users.compare_exchange_weak(users, users + 1, std::memory_order_acq_rel)) {
            if (is_file(*place.name.load(std::memory_order_relaxed), id, path)) return true;
            end_slowly(*place.name.load(std::memory_order_relaxed));
            return false;
        }
    return false;
}

NameChunk* take(Place& place, std::string_view path, std::uint64_t id, FileTraits traits)
{
    std::uint64_t users = place.users.load(std::memory_order_relaxed);
    const bool is_known = is_of_part(users);
    if ((is_known && users_in(users) != Place::free) ||
        !place.users.compare_exchange_strong(users, with_epoch(Place::changing), std::memory_order_acq_rel))
        return nullptr;
    NameChunk* const name = is_known ? place.name.load(std::memory_order_relaxed)
                                     : new_name(static_cast<std::size_t>(&place - places.data()));
    if (name != nullptr) {
        rename(*name, path, id, traits);
        place.name.store(name, std::memory_order_relaxed);
        place.id.store(id, std::memory_order_relaxed);
    }
    place.users.store(with_epoch(name == nullptr ? Place::gone : 1), std::memory_order_release);
    return name;
}

// What a file moved, and how long its calls took, in ticks.
struct Use {
    std::uint64_t bytes = 0, time = 0;
    bool is_pending = false;  // calls of another thread that its counters do not have yet
};

template <class Counters, class Visit>
void each_counters(NameChunk& name, Visit visit)
{
    for (auto* at = static_cast<CountersOf<Counters>*>(first_counters(name, layer_of<Counters>()));
         at != nullptr; at = arena.at<CountersOf<Counters>>(at->next))
        visit(*at);
}

template <class Counters>
void add_use(NameChunk& name, Use& use)
{
    each_counters<Counters>(name, [&](CountersOf<Counters>& at) {
        if constexpr (std::is_same_v<Counters, StdioCounters>) {
            if (at.run.calls.number() != 0 && served::is_own(&at)) served::settle(at);
            use.is_pending |= at.run.calls.number() != 0;
        }
        const Transfers& all = at.counters;
        use.bytes += all.bytes_read + all.bytes_written;
        use.time += all.read_time + all.write_time + all.metadata_time;
    });
}

// The use of files that had a place more than once. A slot is the file's whose calls took longest, less what
// those of others took that share it.
struct Earlier {
    std::atomic<std::uint64_t> id{}, bytes{}, time{};
};
FATHOM_LARGE constinit std::array<Earlier, 256> earlier;

Use with_earlier(std::uint64_t id, const Use& now)
{
    Earlier& slot = earlier[id % earlier.size()];
    const std::uint64_t bytes = slot.bytes.load(std::memory_order_relaxed),
                        time = slot.time.load(std::memory_order_relaxed);
    const bool is_its_own = slot.id.load(std::memory_order_relaxed) == id;
    const Use all = is_its_own ? Use{now.bytes + bytes, now.time + time} : now;
    const bool stays_anothers = !is_its_own && time > now.time;
    if (!stays_anothers) slot.id.store(id, std::memory_order_relaxed);
    slot.bytes.store(stays_anothers ? bytes - std::min(bytes, now.bytes) : all.bytes,
                     std::memory_order_relaxed);
    slot.time.store(stays_anothers ? time - now.time : all.time, std::memory_order_relaxed);
    return all;
}

// The places that files kept for one reason, below the part's epoch, and what the files that had a place
// moved, or how long they took, in all. Each reason has some of the places: on a busy machine, one call in a
// thousand takes long.
struct Reason {
    std::uint64_t least = 0;
    std::atomic<std::uint64_t> kept{0}, sum{0};

    // Far more than the mean; the fewer places are left, the more.
    bool holds(std::uint64_t all, std::uint64_t now, std::uint64_t files)
    {
        const std::uint64_t mean = sum.fetch_add(now, std::memory_order_relaxed) / files;
        const std::uint64_t before = kept.load(std::memory_order_relaxed);
        const std::uint64_t number = is_of_part(before) ? users_in(before) : 0;
        const std::size_t most = places_of_part() * 3 / 8;  // the others go on from file to file
        return number < most && all >= std::max(least, (std::uint64_t{8} << (10 * number / most)) * mean);
    }
    void keep()
    {
        std::uint64_t before = kept.load(std::memory_order_relaxed);
        while (!kept.compare_exchange_weak(before, is_of_part(before) ? before + 1 : with_epoch(1),
                                           std::memory_order_relaxed)) {
        }
    }
};
constinit Reason by_bytes{256 << 10},
    by_time{4'000'000};  // two milliseconds, about, by the processor's counter
constinit std::atomic<std::uint64_t> files_so_far{0};

// nullptr: it goes.
Reason* reason_to_keep(std::uint64_t id, const Use& now)
{
    const Use all = with_earlier(id, now);
    const std::uint64_t files = files_so_far.fetch_add(1, std::memory_order_relaxed) + 1;
    const bool is_large = by_bytes.holds(all.bytes, now.bytes, files),
               is_slow = by_time.holds(all.time, now.time, files);
    return is_large ? &by_bytes : is_slow ? &by_time : nullptr;
}

bool keep(NameChunk& name)
{
    if (make_findable(name) != &name) return false;
    name.temporary.store(NameChunk::kept, std::memory_order_relaxed);
    return true;
}

// The process may be killed at any of these steps.
template <class Counters>
void add_to(CountersOf<Counters>& sum, TemporaryOf<Counters>& one)
{
    one.added_to = arena.offset_of(&sum);
    one.before = sum.counters;
    one.header.mark.store(adding_mark, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    merge(sum.counters, one.counters);
    one.header.mark.store(0, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    one.counters = {};
    one.last_was = 0;
    one.read_end = one.written_end = one.read_gap = one.written_gap = 0;
    Arena::publish(one.header);
}

// False: there is no room for all of them.
template <class Counters>
bool add_all(NameChunk& name, NameChunk* to)
{
    bool all = true;
    each_counters<Counters>(name, [&](CountersOf<Counters>& one) {
        if (!any_counted(one.counters)) return;
        auto* sum = own_counters<Counters>(*to);
        if (sum == nullptr)
            sum = static_cast<CountersOf<Counters>*>(counters_if_room(to, layer_of<Counters>()));
        if (sum != nullptr)
            add_to(*sum, static_cast<TemporaryOf<Counters>&>(one));
        else
            all = false;
    });
    return all;
}

// False: it stays the file's.
bool give_back(NameChunk& name)
{
    Use use;
    add_use<PosixCounters>(name, use);
    add_use<StdioCounters>(name, use);
    Reason* const reason = reason_to_keep(name.id, use);
    if ((reason != nullptr || use.is_pending) && keep(name)) {
        if (reason != nullptr) reason->keep();
        return false;
    }
    NameChunk* const mount = further_file({name.path, name.length}, name.id);
    if (mount == nullptr || !add_all<PosixCounters>(name, mount) || !add_all<StdioCounters>(name, mount))
        return keep(name), false;
    // Without its mark, whoever reads the part does not see it.
    name.header.mark.store(0, std::memory_order_release);
    std::memset(name.path, 0, room_for_path);
    return true;
}

}  // namespace

NameChunk* begin(std::string_view path, std::uint64_t id, FileTraits traits)
{
    // Traces have places in the part for names that stay.
    if (path.size() > room_for_path || !enter() || in_borrowed_memory() || settings().traces())
        return nullptr;
    for (int tries = 0; tries < 4; ++tries) {
        Place* unused = nullptr;
        for (Place& place : std::span(places).first(places_of_part())) {
            const std::uint64_t users = place.users.load(std::memory_order_acquire);
            const bool is_known = is_of_part(users);
            if (is_known && add_user(place, users, id, path))
                return place.name.load(std::memory_order_relaxed);
            if (unused == nullptr && (!is_known || users_in(users) == Place::free)) unused = &place;
            if (!is_known) break;  // so are the others
        }
        if (unused == nullptr) return nullptr;
        if (NameChunk* const name = take(*unused, path, id, traits)) return name;
    }
    return nullptr;
}

void end_slowly(NameChunk& name)
{
    if (!is_temporary(name) || in_borrowed_memory() || name.epoch != guard.epoch.load() || !enter() ||
        name.epoch != here.epoch)
        return;
    Place& place = places[name.temporary.load(std::memory_order_relaxed) - 1];
    std::uint64_t users = place.users.load(std::memory_order_relaxed);
    do {
        if (!is_of_part(users) || users_in(users) == Place::free || users_in(users) >= Place::gone) return;
    } while (!place.users.compare_exchange_weak(
        users, users_in(users) > 1 ? users - 1 : with_epoch(Place::changing), std::memory_order_acq_rel));
    if (users_in(users) > 1) return;
    place.users.store(with_epoch(give_back(name) ? Place::free : Place::gone), std::memory_order_release);
}

NameChunk* lasting(NameChunk* file)
{
    return file != nullptr && is_temporary(*file) ? further_file({file->path, file->length}, file->id) : file;
}

}  // namespace fathom::temporary
