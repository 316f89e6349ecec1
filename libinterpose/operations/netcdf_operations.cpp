// Variables by netCDF-C's numbers, and what calls add to their counters.
#include "libinterpose/operations/netcdf_operations.h"

#include "libinterpose/libraries/file_names.h"
#include "libinterpose/operations/variables.h"

namespace fathom::netcdf {
namespace {

using libraries::ids;
using libraries::Selection;
using libraries::Space;
using libraries::Subject;

struct Asked {
    using Length = std::size_t;
    static auto variable(const Loaded& library) { return ask_nc_inq_var(library); }
    static auto unlimited_dimension(const Loaded& library) { return ask_nc_inq_unlimdim(library); }
    static auto length(const Loaded& library) { return ask_nc_inq_dimlen(library); }
};

// Files are numbered in the upper half, or, by old versions, in the lower one; variables from 0, each file's
// anew.
std::uint64_t key_of(const Loaded& library, int file, int variable)
{
    constexpr std::int64_t of_netcdf = std::int64_t{0x71} << 56;
    const auto id = static_cast<std::uint32_t>(file);
    const std::int64_t number = (id ^ id >> 16) & 0xffff;
    return libraries::key_of(library.number, of_netcdf | number << 24 | (variable + 1));
}

// By the name that it was opened with, under which its calls of POSIX are recorded.
NameChunk* find_name(const Loaded& library, int file)
{
    const PathScratch path;
    std::size_t length = 0;
    if (!path || ask_nc_inq_path(library)(file, &length, nullptr) != 0 || length >= PathText::capacity() ||
        ask_nc_inq_path(library)(file, nullptr, path->data()) != 0)
        return nullptr;
    path->resize(length);
    const NameChunk* const known = libraries::known_file(path->c_str());
    return known == nullptr ? nullptr : libraries::recorded_file(path->c_str());
}

// Without a file: one that is not recorded, and not asked for again.
Known* known_file(const Loaded& library, int file)
{
    const std::uint64_t key = key_of(library, file, -1);
    if (Known* const known = ids.find(key)) return known;
    Known fresh;
    fresh.subject = Subject::file;
    fresh.references = 0;
    fresh.file = find_name(library, file);
    if (!ids.put(key, fresh)) missed();
    return ids.find(key);
}

Known* known_variable(const Loaded& library, int file, int variable)
{
    Known* const of_file = known_file(library, file);
    if (of_file == nullptr || of_file->file == nullptr || variable < 0) return nullptr;
    const std::uint64_t key = key_of(library, file, variable);
    if (Known* const known = ids.find(key)) return known;
    const PathScratch name;
    Known fresh = *of_file;
    fresh.subject = Subject::variable;
    if (!name || !libraries::ask_variable<Asked>(library, file, variable, fresh, *name)) return nullptr;
    fresh.object = libraries::name_of_object(*of_file->file, name->view());
    of_file->references = std::max(of_file->references, static_cast<std::uint32_t>(variable) + 1);
    if (!ids.put(key, fresh)) missed();
    return ids.find(key);
}

Space block_of(const Known& what, const std::size_t* count)
{
    const std::uint64_t rank = what.space.extent.rank;
    Space space;
    space.selected = libraries::elements_of(rank, count);
    space.selection = space.selected == 0   ? Selection::nothing
                      : space.selected == 1 ? Selection::points
                                            : Selection::regular;
    if (count != nullptr) space.shape = libraries::extents_of(static_cast<int>(rank), count);
    return space;
}

}  // namespace

template <class Side>
bool Transfer<Side>::begin(const Original& original)
{
    Loaded* const library = original.library;
    if (library == nullptr || !is_known(*library)) return false;
    what = known_variable(*library, file, variable);
    if (what == nullptr) return false;
    before.take(what->file);
    return true;
}

template <class Side>
void Transfer<Side>::end(int result, Interval when)
{
    auto* const at = libraries::counters_of_library<DatasetCounters>(what->object);
    if (at == nullptr) return;
    DatasetCounters& counters = at->counters;
    libraries::note_variable(counters, *what, DataLibrary::netcdf);
    const std::uint64_t beneath = before.add_to(counters);
    if (result != 0) {
        libraries::count_failed<Side>(counters, when, beneath);
    } else {
        const Space block = block_of(*what, count);
        libraries::count_transfer_of<Side>(*at, block, block.selected * what->element_bytes, when, beneath);
    }
    release_place(*here.thread);
}
template struct Transfer<ReadSide>;
template struct Transfer<WriteSide>;

bool Close::begin(const Original& original)
{
    library = original.library;
    return library != nullptr && is_known(*library);
}

// Its number may be another file's from now on.
void Close::end(int)
{
    const std::uint64_t key = key_of(*library, file, -1);
    const Known* const what = ids.find(key);
    if (what == nullptr) return;
    for (std::uint32_t variable = 0; variable < what->references; ++variable)
        ids.remove(key_of(*library, file, static_cast<int>(variable)));
    ids.remove(key);
}

}  // namespace fathom::netcdf
