// Where the counters of libraries lie in a part, and how much room they may take.
#include "libinterpose/libraries/counting.h"

#include <algorithm>
#include <cstring>

#include "libinterpose/recording/files.h"
#include "libinterpose/recording/paths.h"

namespace fathom::libraries {
namespace {

template <class Counters>
constexpr ChunkKind chunk_of_counters =
    std::is_same_v<Counters, DatasetCounters> ? ChunkKind::dataset : ChunkKind::data_file;

// Datasets may have an eighth of what a part has for records, and half of that again for what stands for the
// others of each file.
constexpr std::uint64_t share = 8;
bool take_room(std::size_t bytes, bool for_others)
{
    const std::uint64_t room = arena.header().records / share;
    auto& taken = arena.header().dataset_bytes;
    if (taken.load(std::memory_order_relaxed) + bytes > (for_others ? room + room / 2 : room)) return false;
    taken.fetch_add(static_cast<std::uint32_t>(bytes), std::memory_order_relaxed);
    return true;
}

bool ends_with_others(const NameChunk& name)
{
    return std::string_view(name.path, name.length).ends_with(other_objects);
}

template <class Counters>
CountersOf<Counters>* find_or_add(NameChunk& name, Arena::Room room)
{
    using Chunk = CountersOf<Counters>;
    const std::uint32_t mine = here.thread->tid.load(std::memory_order_relaxed);
    if (CountersChunk* const known = claim_counters(name.of_libraries.load(std::memory_order_acquire), mine))
        return static_cast<Chunk*>(known);
    auto* const chunk = arena.allocate<Chunk>(chunk_of_counters<Counters>, {}, 0, room);
    if (chunk == nullptr) return nullptr;
    chunk->name = arena.offset_of(&name);
    chunk->owner.store(mine, std::memory_order_relaxed);
    Arena::publish(chunk->header);
    std::uint32_t first = name.of_libraries.load(std::memory_order_relaxed);
    do chunk->next = first;
    while (
        !name.of_libraries.compare_exchange_weak(first, arena.offset_of(chunk), std::memory_order_acq_rel));
    return chunk;
}

// Counts which objects a name stands for.
void note_other(NameChunk& others, std::string_view path)
{
    std::uint32_t at = others.sketch.load(std::memory_order_acquire);
    if (at == 0) {
        auto* const sketch = arena.allocate<SketchChunk>(ChunkKind::sketch, {}, 0, Arena::Room::reserve);
        if (sketch == nullptr) return;
        Arena::publish(sketch->header);
        if (others.sketch.compare_exchange_strong(at, arena.offset_of(sketch))) at = arena.offset_of(sketch);
    }
    arena.at<SketchChunk>(at)->files.see(path_id(path));
}

NameChunk* others_of(std::string_view file, std::string_view path)
{
    const PathScratch text;
    if (!text) return nullptr;
    *text << file << ":" << other_objects;
    NameChunk* others = find_file(text->view());
    if (others == nullptr &&
        take_room(sizeof(NameChunk) + text->size() + sizeof(CountersOf<DatasetCounters>), true))
        others = add_file(text->view(), {NameKind::object}, Arena::Room::ordinary);
    // One for all files; without room it would be for nothing.
    if (others == nullptr) others = add_file(other_objects, {NameKind::object}, Arena::Room::reserve);
    if (others != nullptr) note_other(*others, path);
    return others;
}

NameChunk* object_by_path(std::string_view file, std::string_view path)
{
    if (NameChunk* const known = find_file(path)) return known;
    NameChunk* name = nullptr;
    if (take_room(sizeof(NameChunk) + path.size() + sizeof(CountersOf<DatasetCounters>), false))
        name = add_file(path, {NameKind::object}, Arena::Room::ordinary);
    return name != nullptr ? name : others_of(file, path);
}

std::string_view file_of_object(std::string_view path)
{
    return path.substr(0, std::min(path.rfind(":/"), path.rfind(":<")));
}

}  // namespace

NameChunk* name_of_object(const NameChunk& file, std::string_view in_file)
{
    if (!enter()) return nullptr;
    const std::string_view of_file(file.path, file.length);
    const PathScratch path;
    if (!path) return nullptr;
    *path << of_file << ":" << in_file;
    if (file.kind == NameKind::overflow || path->size() != of_file.size() + 1 + in_file.size())
        return others_of(of_file, path->view());
    return object_by_path(of_file, path->view());
}

template <class Counters>
CountersOf<Counters>* counters_slowly_of(NameChunk*& name)
{
    if (name->epoch != here.epoch) {
        const std::string_view path(name->path, name->length);
        name =
            name->kind == NameKind::object ? object_by_path(file_of_object(path), path) : file_again(*name);
        if (name == nullptr) return missed(), nullptr;
    }
    const bool for_many = name->kind == NameKind::overflow || ends_with_others(*name);
    auto* found = find_or_add<Counters>(*name, for_many ? Arena::Room::reserve : Arena::Room::ordinary);
    if (found == nullptr && name->kind == NameKind::object && !for_many) {
        const std::string_view path(name->path, name->length);
        name = others_of(file_of_object(path), path);
        found = name == nullptr ? nullptr : find_or_add<Counters>(*name, Arena::Room::reserve);
    }
    if (found == nullptr) missed();
    return found;
}
template CountersOf<DataFileCounters>* counters_slowly_of<DataFileCounters>(NameChunk*&);
template CountersOf<DatasetCounters>* counters_slowly_of<DatasetCounters>(NameChunk*&);

template <class Counters>
void Before::sum(const CountersOf<Counters>* at, Sums& sums)
{
    const Counters& counters = at->counters;
    sums.reads = counters.reads;
    sums.writes = counters.writes;
    sums.bytes_read = counters.bytes_read;
    sums.bytes_written = counters.bytes_written;
    sums.time = counters.read_time + counters.write_time + counters.metadata_time;
    if constexpr (std::is_same_v<Counters, MpiioCounters>) {
        sums.collective_reads = counters.collective_reads;
        sums.collective_writes = counters.collective_writes;
    }
}

template <class Counters>
const CountersOf<Counters>* Before::mine(const std::atomic<std::uint32_t>& first)
{
    const std::uint32_t thread = here.thread->tid.load(std::memory_order_relaxed);
    for (const auto* chunk = arena.at<CountersChunk>(first.load(std::memory_order_acquire)); chunk != nullptr;
         chunk = arena.at<CountersChunk>(chunk->next))
        if (chunk->owner.load(std::memory_order_relaxed) == thread)
            return static_cast<const CountersOf<Counters>*>(chunk);
    return nullptr;
}

namespace {
constexpr auto posix_layer = static_cast<std::size_t>(Layer::posix),
               mpiio_layer = static_cast<std::size_t>(Layer::mpiio);
}

const PosixCounters* Before::posix_of(const NameChunk& file)
{
    const auto* const at = mine<PosixCounters>(file.counters[posix_layer]);
    return at == nullptr ? nullptr : &at->counters;
}

void Before::take(const NameChunk* file)
{
    file_ = file;
    had_posix_ = had_mpiio_ = false;
    used_ = UINT64_MAX;
    if (!enter()) return;
    used_ = arena.header().used.load(std::memory_order_relaxed);
    const bool is_here = file != nullptr && file->epoch == here.epoch;
    const auto* const posix = is_here ? mine<PosixCounters>(file->counters[posix_layer]) : nullptr;
    const auto* const mpiio = is_here ? mine<MpiioCounters>(file->counters[mpiio_layer]) : nullptr;
    had_posix_ = posix != nullptr;
    had_mpiio_ = mpiio != nullptr;
    if (had_posix_) sum(posix, posix_);
    if (had_mpiio_) sum(mpiio, mpiio_);
}

std::uint64_t Before::add_to(Beneath& beneath) const
{
    if (file_ == nullptr || file_->epoch != here.epoch) return 0;
    // Counters that are there now and were not before are new, or were taken over from a thread that is
    // dead: what those have is its.
    const auto is_new = [&](const auto* at) { return arena.offset_of(at) >= used_; };
    const auto* const posix = mine<PosixCounters>(file_->counters[posix_layer]);
    const auto* const mpiio = mine<MpiioCounters>(file_->counters[mpiio_layer]);
    static constinit const Sums nothing{};
    Sums now;
    std::uint64_t time = 0;
    if (posix != nullptr && (had_posix_ || is_new(posix))) {
        const Sums& before = had_posix_ ? posix_ : nothing;
        sum(posix, now);
        time = now.time - before.time;
        if (time != 0 || now.reads != before.reads || now.writes != before.writes) {
            beneath.posix_reads += now.reads - before.reads;
            beneath.posix_writes += now.writes - before.writes;
            beneath.posix_bytes_read += now.bytes_read - before.bytes_read;
            beneath.posix_bytes_written += now.bytes_written - before.bytes_written;
            beneath.posix_time += time;
        }
    }
    if (mpiio != nullptr && (had_mpiio_ || is_new(mpiio))) {
        const Sums& before = had_mpiio_ ? mpiio_ : nothing;
        sum(mpiio, now);
        beneath.mpiio_reads += now.reads - before.reads;
        beneath.mpiio_writes += now.writes - before.writes;
        beneath.mpiio_bytes_read += now.bytes_read - before.bytes_read;
        beneath.mpiio_bytes_written += now.bytes_written - before.bytes_written;
        beneath.mpiio_collective_reads += now.collective_reads - before.collective_reads;
        beneath.mpiio_collective_writes += now.collective_writes - before.collective_writes;
        time = now.time - before.time;
        beneath.mpiio_time += time;
    }
    return time;
}

}  // namespace fathom::libraries
