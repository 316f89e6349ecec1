// What HDF5's calls that move data add to the counters of datasets, by what they selected.
#include <algorithm>

#include "libinterpose/operations/hdf5_operations.h"

namespace fathom::hdf5 {

constinit thread_local Brief<ReadSide> brief_reads __attribute__((tls_model("initial-exec"))){};
constinit thread_local Brief<WriteSide> brief_writes __attribute__((tls_model("initial-exec"))){};

namespace {

using libraries::ids;

template <class Side>
void count_transfer(CountersOf<DatasetCounters>& at, const Known& what, const Space& space, bool collective,
                    Interval when, std::uint64_t beneath)
{
    DatasetCounters& counters = at.counters;
    const std::uint64_t bytes =
        space.selection == Selection::unknown ? 0 : space.selected * what.element_bytes;
    libraries::count_transfer_of<Side>(at, space, bytes, when, beneath);
    if (collective)
        ++(std::is_same_v<Side, ReadSide> ? counters.collective_reads : counters.collective_writes);
}

constinit const Space unknown_space{};

const Space& ask_selection(const Loaded& library, Id file_space)
{
    constexpr Id of_list = 2;  // H5S_PLIST
    if (file_space == of_list) return unknown_space;
    const Quiet quiet(library);
    Known space;
    space.subject = Subject::space;
    space.space = ask_space(library, file_space);
    const std::uint64_t key = libraries::key_of(library.number, file_space);
    const Known* const kept = ids.put(key, space) ? ids.find(key) : nullptr;
    return kept == nullptr ? unknown_space : kept->space;
}

// What a call selected of a dataset, by the dataspace that it was given for the file.
const Space& selected_by(const Loaded& library, const Known& what, Id file_space)
{
    constexpr Id all = 0;  // H5S_ALL
    file_space = id_of(library, file_space);
    if (file_space == all || !what.native) return what.space;
    if (const Known* const space = ids.find(libraries::key_of(library.number, file_space)))
        if (space->subject == Subject::space && space->space.selection != Selection::unknown)
            return space->space;
    return ask_selection(library, file_space);
}

bool is_collective(const Loaded& library, const Known& what, Id list)
{
    constexpr int collective = 1;  // H5FD_MPIO_COLLECTIVE
    list = id_of(library, list);
    if (!what.is_mpiio || list == 0) return false;
    const std::uint64_t key = libraries::key_of(library.number, list);
    if (const Known* const known = ids.find(key)) return known->collective;
    Known asked;
    asked.subject = Subject::transfer_list;
    int mode = 0;
    if (const auto ask = ask_H5Pget_dxpl_mpio(library); ask != nullptr && what.native) {
        const Quiet quiet(library);
        asked.collective = ask(list, &mode) >= 0 && mode == collective;
    }
    ids.put(key, asked);
    return asked.collective;
}

}  // namespace

template <class Side>
bool Transfer<Side>::begin(const Original& original)
{
    if (!enter(original)) return false;
    brief_of<Side>().left = 0;
    function = original.function;
    what = known(id);
    if (what == nullptr || what->subject != Subject::dataset) return leave(), false;
    before.take(what->file);
    return true;
}

template <class Side>
void Transfer<Side>::end(int result, Interval when)
{
    if (auto* const at = counters_of_dataset(*what)) {
        if (result < 0) {
            libraries::count_failed<Side>(at->counters, when, before.add_to(at->counters));
        } else {
            const std::uint64_t beneath = before.add_to(at->counters);
            const Space& space = selected_by(*library, *what, file_space);
            count_transfer<Side>(*at, *what, space, is_collective(*library, *what, list), when, beneath);
            if (beneath == 0 && when.length() < Brief<Side>::longest) expect_brief(*at, space, when.length());
        }
        release_place(*here.thread);
    }
    leave();
}

// The next ones are likely to be like this one, which was served from memory.
template <class Side>
void Transfer<Side>::expect_brief(CountersOf<DatasetCounters>& at, const Space& space, std::uint64_t took)
{
    if (what->is_filtered || what->is_mpiio || what->nameless != nullptr || !what->native) return;
    const PosixCounters* const posix = Before::posix_of(*what->file);
    if (posix == nullptr || what->file->epoch != here.epoch) return;
    auto& next = brief_of<Side>();
    next.function = function;
    next.dataset = id;
    next.file_space = file_space;
    next.list = list;
    next.epoch = here.epoch;
    next.changes = libraries::changes_of_ids.load(std::memory_order_relaxed);
    next.posix = posix;
    next.operations = posix->reads + posix->writes;
    next.at = &at;
    next.space = &space;
    next.element_bytes = what->element_bytes;
    next.repeated.begin(at, space, space.selected * what->element_bytes);
    next.time = took;
    next.before.take(what->file);
    next.left = Brief<Side>::most;
}

template <class Side>
void Brief<Side>::end(int result)
{
    constexpr bool reads = std::is_same_v<Side, ReadSide>;
    DatasetCounters& counters = at->counters;
    --left;
    (reads ? counters.read_time : counters.write_time) += time;
    if (__builtin_expect(posix->reads + posix->writes != operations, 0)) {
        const std::uint64_t beneath = before.add_to(counters);
        (reads ? counters.read_time : counters.write_time) += beneath;
        (reads ? counters.read_time_beneath : counters.write_time_beneath) += beneath;
        left = 0;
    }
    if (__builtin_expect(result < 0, 0)) {
        ++counters.failed;
        left = 0;
    } else if (repeated.is(*space)) {
        repeated.count(*at);
    } else {
        const std::uint64_t bytes = space->selected * element_bytes;
        libraries::count_elements<Side>(*at, *space, bytes);
        repeated.begin(*at, *space, bytes);
    }
    release_place(*here.thread);
    outermost = nullptr;
}
template struct Brief<ReadSide>;
template struct Brief<WriteSide>;
template struct Transfer<ReadSide>;
template struct Transfer<WriteSide>;

template <class Side>
void ChunkTransfer<Side>::end(int result, Interval when)
{
    brief_of<Side>().left = 0;
    auto* const at = what.subject == Subject::dataset ? counters_of_dataset(what) : nullptr;
    if (at != nullptr && result < 0)
        libraries::count_failed<Side>(at->counters, when, before.add_to(at->counters));
    if (at != nullptr && result >= 0) {
        DatasetCounters& counters = at->counters;
        constexpr bool reads = std::is_same_v<Side, ReadSide>;
        ++(reads ? counters.chunk_reads : counters.chunk_writes);
        Space chunk;
        if (what.chunk.rank > 0) {
            chunk.selection = Selection::regular;
            chunk.shape = what.chunk;
            chunk.selected = 1;
            for (std::size_t dimension = 0;
                 dimension < std::min(what.chunk.rank, std::uint64_t{Extents::most}); ++dimension)
                chunk.selected *= what.chunk.extent[dimension];
        }
        count_transfer<Side>(*at, what, chunk, false, when, before.add_to(counters));
    }
    if (at != nullptr) release_place(*here.thread);
    leave();
}
template struct ChunkTransfer<ReadSide>;
template struct ChunkTransfer<WriteSide>;

template <class Side>
bool MultiTransfer<Side>::begin(const Original& original)
{
    if (count == 0 || dataset == nullptr || !enter(original)) return false;
    brief_of<Side>().left = 0;
    const Known* const first = known(dataset[0]);
    before.take(first == nullptr ? nullptr : first->file);
    return true;
}

template <class Side>
void MultiTransfer<Side>::end(int result, Interval when)
{
    Interval rest = when;
    const std::uint64_t each = when.length() / count;
    for (std::size_t at = 0; at < count; ++at) {
        Known* const one = known(dataset[at]);
        auto* const counters = one == nullptr ? nullptr : counters_of_dataset(*one);
        if (counters == nullptr) continue;
        const Interval its{rest.start, at + 1 == count ? when.end : rest.start + each};
        rest.start = its.end;
        const std::uint64_t beneath = at == 0 ? before.add_to(counters->counters) : 0;
        if (result < 0)
            libraries::count_failed<Side>(counters->counters, its, beneath);
        else
            count_transfer<Side>(*counters, *one, selected_by(*library, *one, file_space[at]),
                                 is_collective(*library, *one, list), its, beneath);
        release_place(*here.thread);
    }
    leave();
}
template struct MultiTransfer<ReadSide>;
template struct MultiTransfer<WriteSide>;

}  // namespace fathom::hdf5
