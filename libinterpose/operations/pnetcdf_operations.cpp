// Files by PnetCDF's numbers, their variables, and what calls add to the counters of both.
#include "libinterpose/operations/pnetcdf_operations.h"

#include <algorithm>
#include <cstring>

#include "libinterpose/libraries/file_names.h"
#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/operations/mpi_file_name.h"
#include "libinterpose/recording/program_text.h"

namespace fathom::pnetcdf {
namespace {

using libraries::ids;
using libraries::Selection;
using libraries::Space;
using libraries::Subject;

thread_local constinit const void* outermost __attribute__((tls_model("initial-exec"))) = nullptr;

constexpr auto library_number = static_cast<std::uint64_t>(DataLibrary::pnetcdf);
constexpr int most_rank = 1024;  // NC_MAX_VAR_DIMS: a program has few

// Files and variables are numbered from 0, each file's anew.
std::uint64_t key_of(const Loaded& library, int file, int variable)
{
    constexpr std::int64_t of_pnetcdf = std::int64_t{0x70} << 56;
    return libraries::key_of(library.number, of_pnetcdf | std::int64_t{file} << 24 | (variable + 1));
}

std::uint64_t bytes_of_type(int type)  // nc_type
{
    constexpr std::uint64_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type > 0 && type < static_cast<int>(std::size(bytes)) ? bytes[type] : 0;
}

// Asks for the extent of a variable, and how its elements lie in the file.
bool ask_variable(const Loaded& library, int file, int variable, Known& into, PathText& name)
{
    static_assert(most_rank * sizeof(int) <= PathText::capacity());
    const PathScratch numbers;
    if (!numbers) return false;
    auto* const dimensions = reinterpret_cast<int*>(numbers->data());
    int type = 0, rank = 0, unlimited = -1;
    if (ask_ncmpi_inq_var(library)(file, variable, name.data(), &type, &rank, nullptr, nullptr) != 0 ||
        rank < 0 || rank > most_rank ||
        ask_ncmpi_inq_var(library)(file, variable, nullptr, nullptr, nullptr, dimensions, nullptr) != 0)
        return false;
    name.resize(std::strlen(name.c_str()));
    static_cast<void>(ask_ncmpi_inq_unlimdim(library)(file, &unlimited));
    into.element_bytes = bytes_of_type(type);
    into.grows = rank > 0 && unlimited >= 0 && dimensions[0] == unlimited;
    Space& space = into.space;
    space.elements = 1;
    space.extent = {};
    space.extent.rank = static_cast<std::uint64_t>(rank);
    constexpr int most = static_cast<int>(Extents::most);
    const int first = std::max(rank - most, 0);
    for (int at = 0; at < rank; ++at) {
        Offset length = 0;
        if (ask_ncmpi_inq_dimlen(library)(file, dimensions[at], &length) != 0 || length < 0) return false;
        space.elements *= static_cast<std::uint64_t>(length);
        if (at >= first)
            space.extent.extent[static_cast<std::size_t>(at - first)] = static_cast<std::uint64_t>(length);
    }
    select_all_of(space);
    return true;
}

void note_variable(DatasetCounters& counters, const Known& what)
{
    counters.library = library_number;
    counters.container = what.file->id;
    counters.element_bytes = std::max(counters.element_bytes, what.element_bytes);
    counters.layout =
        static_cast<std::uint64_t>(what.grows ? DataLayout::record_variable : DataLayout::fixed_variable);
    counters.dimensions.merge(what.space.extent);
}

// What a call moves: elements and their shape. Of a variable that grows, the whole is asked for again.
void find_part(const Loaded& library, int file, int variable, const Part& moved, Known& what, Space& space,
               std::uint64_t& bytes)
{
    const auto rank = static_cast<int>(what.space.extent.rank);
    const auto product = [&](const Offset* count) {
        std::uint64_t elements = 1;
        for (int at = 0; count != nullptr && at < rank; ++at)
            elements *= static_cast<std::uint64_t>(std::max<Offset>(count[at], 0));
        return elements;
    };
    switch (moved.form) {
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
            space.selected = product(moved.count);
            space.selection = Selection::regular;
            if (moved.count != nullptr) space.shape = libraries::extents_of(rank, moved.count);
            break;
        case Part::blocks:
            space.selected = 0;
            for (int at = 0; at < moved.n; ++at)
                space.selected += product(moved.counts == nullptr ? nullptr : moved.counts[at]);
            space.selection = Selection::irregular;
            break;
        case Part::typed: {
            mpi::Offset size = 0;
            if (moved.items < 0 || mpi::type_size(moved.type, &size) != 0 || size < 0) return;
            space.selection = Selection::irregular;
            bytes = static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(moved.items);
            return;
        }
    }
    if (space.selected == 0 && space.selection != Selection::unknown) space.selection = Selection::nothing;
    bytes = space.selected * what.element_bytes;
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
        counters.library = library_number;
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
    if (!enter(original)) return false;
    const Known* const what = known_file();
    if (what == nullptr) return leave(), false;
    before.take(what->file);
    return true;
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
    if (variable == nullptr || !enter(original)) return false;
    const Known* const what = known_file();
    if (what == nullptr) return leave(), false;
    before.take(what->file);
    return true;
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
    if (!enter(original)) return false;
    const Known* const what = known_file();
    if (what == nullptr) return leave(), false;
    before.take(what->file);
    return true;
}

template <class Side>
void Transfer<Side>::end(int result, Interval when)
{
    constexpr bool reads = std::is_same_v<Side, ReadSide>;
    Known* const what = known_variable(variable, true);
    if (auto* const at =
            what == nullptr ? nullptr : libraries::counters_of_library<DatasetCounters>(what->object)) {
        DatasetCounters& counters = at->counters;
        note_variable(counters, *what);
        const std::uint64_t beneath = before.add_to(counters);
        if (result != 0) {
            ++counters.failed;
            (reads ? counters.read_time : counters.write_time) += when.length();
            (reads ? counters.read_time_beneath : counters.write_time_beneath) += beneath;
        } else {
            Space space;
            std::uint64_t bytes = 0;
            find_part(*library, file, variable, moved, *what, space, bytes);
            counters.dimensions.merge(what->space.extent);
            libraries::count_transfer_of<Side>(*at, space, bytes, when, beneath);
            if (manner == Manner::collective)
                ++(reads ? counters.collective_reads : counters.collective_writes);
            if (manner == Manner::nonblocking)
                ++(reads ? counters.nonblocking_reads : counters.nonblocking_writes);
        }
        release_place(*here.thread);
    }
    leave();
}
template struct Transfer<ReadSide>;
template struct Transfer<WriteSide>;

}  // namespace fathom::pnetcdf
