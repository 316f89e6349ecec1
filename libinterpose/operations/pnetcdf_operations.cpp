// Files by PnetCDF's numbers, their variables, and what calls add to the counters of both.
#include "libinterpose/operations/pnetcdf_operations.h"

#include <algorithm>
#include <atomic>

#include "libinterpose/libraries/file_names.h"
#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/operations/mpi_file_name.h"
#include "libinterpose/operations/variables.h"
#include "libinterpose/recording/program_text.h"

namespace fathom::pnetcdf {
namespace {

using libraries::ids;
using libraries::Selection;
using libraries::Space;
using libraries::Subject;

thread_local constinit const void* outermost __attribute__((tls_model("initial-exec"))) = nullptr;

// Files and variables are numbered from 0, each file's anew.
std::uint64_t key_of(const Loaded& library, int file, int variable)
{
    constexpr std::int64_t of_pnetcdf = std::int64_t{0x70} << 56;
    return libraries::key_of(library.number, of_pnetcdf | std::int64_t{file} << 24 | (variable + 1));
}

struct Asked {
    using Length = Offset;
    static auto variable(const Loaded& library) { return ask_ncmpi_inq_var(library); }
    static auto unlimited_dimension(const Loaded& library) { return ask_ncmpi_inq_unlimdim(library); }
    static auto length(const Loaded& library) { return ask_ncmpi_inq_dimlen(library); }
};

bool ask_variable(const Loaded& library, int file, int variable, Known& into, PathText& name)
{
    return libraries::ask_variable<Asked>(library, file, variable, into, name);
}

void note_variable(DatasetCounters& counters, const Known& what)
{
    libraries::note_variable(counters, what, DataLibrary::pnetcdf);
}

// What a call moves: elements and their shape.
struct Moved {
    Space space;
    std::uint64_t bytes = 0;
};

// Of a variable that grows, the whole is asked for again.
Moved find_part(const Loaded& library, int file, int variable, const Part& part, Known& what)
{
    Moved moved;
    Space& space = moved.space;
    const std::uint64_t rank = what.space.extent.rank;
    switch (part.form) {
        case Part::whole: {
            const PathScratch name;
            if (what.grows && name) ask_variable(library, file, variable, what, *name);
            space = what.space;
            break;
        }
        case Part::one:
            space.selection = Selection::points;
            space.selected = 1;
            break;
        case Part::block:
            space.selected = libraries::elements_of(rank, part.count);
            space.selection = Selection::regular;
            if (part.count != nullptr)
                space.shape = libraries::extents_of(static_cast<int>(rank), part.count);
            break;
        case Part::blocks:
            space.selected = 0;
            for (int at = 0; at < part.n; ++at)
                space.selected +=
                    libraries::elements_of(rank, part.counts == nullptr ? nullptr : part.counts[at]);
            space.selection = Selection::irregular;
            break;
        case Part::typed: {
            mpi::Offset size = 0;
            if (part.items < 0 || mpi::type_size(part.type, &size) != 0 || size < 0) return moved;
            space.selection = Selection::irregular;
            moved.bytes = static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(part.items);
            return moved;
        }
    }
    if (space.selected == 0 && space.selection != Selection::unknown) space.selection = Selection::nothing;
    moved.bytes = space.selected * what.element_bytes;
    return moved;
}

template <class Side>
void count_moved(CountersOf<DatasetCounters>& at, const Known& what, const Moved& moved, Manner manner,
                 Interval when, std::uint64_t beneath)
{
    constexpr bool reads = std::is_same_v<Side, ReadSide>;
    DatasetCounters& counters = at.counters;
    counters.dimensions.merge(what.space.extent);
    libraries::count_transfer_of<Side>(at, moved.space, moved.bytes, when, beneath);
    if (manner == Manner::collective) ++(reads ? counters.collective_reads : counters.collective_writes);
    if (manner == Manner::nonblocking) ++(reads ? counters.nonblocking_reads : counters.nonblocking_writes);
}

}  // namespace

bool Call::enter(const Original& original)
{
    const void* const frame = __builtin_frame_address(0);
    if (outermost != nullptr && frame < outermost) return false;
    library = original.library;
    if (library == nullptr || !is_known(*library)) return false;
    outermost = frame;
    return true;
}

bool Call::enter_file(const Original& original)
{
    if (!enter(original)) return false;
    const Known* const what = known_file();
    if (what == nullptr) return leave(), false;
    before.take(what->file);
    return true;
}

void Call::leave()
{
    outermost = nullptr;
}

Known* Call::known_file() const
{
    return ids.find(key_of(*library, file, -1));
}

// The first time it is asked for: variables are numbered, and never have another name in the log.
Known* Call::known_variable(int variable, bool ask) const
{
    Known* const of_file = known_file();
    if (of_file == nullptr || variable < 0) return nullptr;
    const std::uint64_t key = key_of(*library, file, variable);
    if (Known* const known = ids.find(key)) return known;
    const PathScratch name;
    Known fresh = *of_file;
    fresh.subject = Subject::variable;
    if (!ask || !name || !ask_variable(*library, file, variable, fresh, *name)) return nullptr;
    fresh.object = libraries::name_of_object(*of_file->file, name->view());
    of_file->references = std::max(of_file->references, static_cast<std::uint32_t>(variable) + 1);
    if (!ids.put(key, fresh)) missed();
    return ids.find(key);
}

bool Open::begin(const Original& original)
{
    if (path == nullptr || opened == nullptr || !enter(original)) return false;
    before.take(libraries::known_file(without_prefix(path)));
    return true;
}

void Open::end(int result, Interval when)
{
    const ProgramText text(path);
    Known what;
    what.subject = Subject::file;
    what.references = 0;
    if (result == 0 && !text.is_gone()) what.file = libraries::recorded_file(without_prefix(text.c_str()));
    if (what.file == nullptr) return leave();
    file = *opened;
    if (auto* const at = libraries::counters_of_library<DataFileCounters>(what.file)) {
        DataFileCounters& counters = at->counters;
        before.found(what.file);
        ++(counters.*counter);
        ++counters.collective_opens;
        counters.library = static_cast<std::uint64_t>(DataLibrary::pnetcdf);
        counters.version = std::max(counters.version, library->version);
        counters.driver = static_cast<std::uint64_t>(FileDriver::mpiio);
        counters.metadata_time += when.length();
        counters.open_time += when.length();
        counters.beneath_time += before.add_to(counters);
        note_first_last(counters.first_open, counters.last_open, when);
        release_place(*here.thread);
    }
    if (!ids.put(key_of(*library, file, -1), what)) missed();
    leave();
}

bool OnFile::begin(const Original& original)
{
    return enter_file(original);
}

void OnFile::end(int result, Interval when)
{
    Known* const what = known_file();
    if (auto* const at =
            what == nullptr ? nullptr : libraries::counters_of_library<DataFileCounters>(what->file)) {
        DataFileCounters& counters = at->counters;
        if (result != 0)
            ++counters.failed;
        else if (counter != nullptr)
            ++(counters.*counter);
        counters.metadata_time += when.length();
        if (part != nullptr) counters.*part += when.length();
        counters.beneath_time += before.add_to(counters);
        if (result == 0 && counter == &DataFileCounters::closes)
            note_first_last(counters.first_close, counters.last_close, when);
        Offset bytes = 0, room = 0;
        if (result == 0 && lays_out && ask_ncmpi_inq_header_size(*library)(file, &bytes) == 0 &&
            ask_ncmpi_inq_header_extent(*library)(file, &room) == 0) {
            counters.header_bytes = static_cast<std::uint64_t>(std::max<Offset>(bytes, 0));
            counters.header_room = static_cast<std::uint64_t>(std::max<Offset>(room, 0));
        }
        release_place(*here.thread);
    }
    leave();
}

void Close::end(int result, Interval when)
{
    OnFile::end(result, when);
    const Known* const what = known_file();
    if (what == nullptr) return;
    for (std::uint32_t variable = 0; variable < what->references; ++variable)
        ids.remove(key_of(*library, file, static_cast<int>(variable)));
    ids.remove(key_of(*library, file, -1));
}

bool DefineVariable::begin(const Original& original)
{
    return variable != nullptr && enter_file(original);
}

void DefineVariable::end(int result, Interval when)
{
    if (result == 0) {
        Known* const what = known_variable(*variable, true);
        if (auto* const at =
                what == nullptr ? nullptr : libraries::counters_of_library<DatasetCounters>(what->object)) {
            DatasetCounters& counters = at->counters;
            note_variable(counters, *what);
            ++counters.creates;
            counters.metadata_time += when.length();
            counters.metadata_time_beneath += before.add_to(counters);
            note_first_last(counters.first_open, counters.last_open, when);
            release_place(*here.thread);
        }
    }
    leave();
}

template <class Side>
bool Transfer<Side>::begin(const Original& original)
{
    return enter_file(original);
}

template <class Side>
void Transfer<Side>::end(int result, Interval when)
{
    Known* const what = known_variable(variable, true);
    if (auto* const at =
            what == nullptr ? nullptr : libraries::counters_of_library<DatasetCounters>(what->object)) {
        note_variable(at->counters, *what);
        const std::uint64_t beneath = before.add_to(at->counters);
        if (result != 0)
            libraries::count_failed<Side>(at->counters, when, beneath);
        else
            count_moved<Side>(*at, *what, find_part(*library, file, variable, moved, *what), manner, when,
                              beneath);
        release_place(*here.thread);
    }
    leave();
}
template struct Transfer<ReadSide>;
template struct Transfer<WriteSide>;

namespace {

__extension__ using Wide = unsigned __int128;

// From 0 up to `all`, another one for each call: a variable's part of the few requests that a call makes is
// less than one, and is only right for many calls together where it is not always rounded in the same way.
std::uint64_t next_rounding(std::uint64_t all)
{
    static constinit std::atomic<std::uint64_t> calls{0};
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 by the golden ratio: multiples lie evenly
    return static_cast<std::uint64_t>(Wide{calls.fetch_add(1, std::memory_order_relaxed) * golden} * all >>
                                      64);
}

}  // namespace

template <class Side>
bool SeveralTransfers<Side>::begin(const Original& original)
{
    return n > 0 && variables != nullptr && enter_file(original);
}

template <class Side>
void SeveralTransfers<Side>::end(int result, Interval when)
{
    Beneath beneath;
    if (!fathom::enter()) return leave();
    const std::uint64_t time_beneath = before.add_to(beneath);
    const auto moved_of = [&](int at) {
        Known* const what = result == 0 ? known_variable(variables[at], true) : nullptr;
        return what == nullptr ? Moved{} : find_part(*library, file, variables[at], part(at), *what);
    };
    std::uint64_t bytes = 0;
    for (int at = 0; at < n; ++at) bytes += moved_of(at).bytes;
    // Without bytes each variable has as much as any other.
    const std::uint64_t all = bytes != 0 ? bytes : static_cast<std::uint64_t>(n);
    std::uint64_t begin = 0, end = 0;
    const std::uint64_t rounding = next_rounding(all);
    const auto share_up_to = [all, rounding](std::uint64_t limit, std::uint64_t of) {
        return static_cast<std::uint64_t>((static_cast<Wide>(of) * limit + rounding) / all);
    };
    const auto share = [&](std::uint64_t of) { return share_up_to(end, of) - share_up_to(begin, of); };
    for (int at = 0; at < n; ++at, begin = end) {
        const Moved moved = moved_of(at);
        end += bytes != 0 ? moved.bytes : 1;
        Known* const what = known_variable(variables[at], true);
        auto* const place =
            what == nullptr ? nullptr : libraries::counters_of_library<DatasetCounters>(what->object);
        if (place == nullptr) continue;
        note_variable(place->counters, *what);
        each_field<Beneath>(
            [&](const auto& field) { place->counters.*field.member += share(beneath.*field.member); });
        const std::uint64_t took = when.length();
        const Interval its{when.start + share_up_to(begin, took), when.start + share_up_to(end, took)};
        if (result != 0)
            libraries::count_failed<Side>(place->counters, its, share(time_beneath));
        else
            count_moved<Side>(*place, *what, moved, manner, its, share(time_beneath));
        release_place(*here.thread);
    }
    leave();
}
template struct SeveralTransfers<ReadSide>;
template struct SeveralTransfers<WriteSide>;

}  // namespace fathom::pnetcdf
