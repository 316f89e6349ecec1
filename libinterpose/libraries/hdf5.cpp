// Finds HDF5's functions in the library that has them, and asks it about files, datasets and dataspaces.
#include "libinterpose/libraries/hdf5.h"

#include <algorithm>
#include <cstring>

namespace fathom::hdf5 {
namespace {

constexpr int most_rank = 32;  // H5S_MAX_RANK

FileDriver driver_of(const Loaded& library, Id driver)
{
    using Init = Id (*)();
    const struct {
        Init init;
        Question variable;
        FileDriver driver;
    } all[] = {{ask_H5FD_sec2_init(library), Question::H5FD_SEC2_id_g, FileDriver::posix},
               {ask_H5FD_mpio_init(library), Question::H5FD_MPIO_id_g, FileDriver::mpiio},
               {ask_H5FD_core_init(library), Question::H5FD_CORE_id_g, FileDriver::memory},
               {ask_H5FD_stdio_init(library), Question::H5FD_STDIO_id_g, FileDriver::stdio},
               {ask_H5FD_family_init(library), Question::H5FD_FAMILY_id_g, FileDriver::family},
               {ask_H5FD_multi_init(library), Question::H5FD_MULTI_id_g, FileDriver::multi},
               {ask_H5FD_direct_init(library), Question::H5FD_DIRECT_id_g, FileDriver::direct}};
    bool any = false;
    for (const auto& one : all) {
        const Id known =
            one.init != nullptr ? id_of(library, one.init()) : variable_of(library, one.variable);
        any = any || known > 0;
        if (known > 0 && known == driver) return one.driver;
    }
    return any ? FileDriver::other : FileDriver::unknown;
}

// The list itself, where the program left it to HDF5.
Id access_list_of(const Loaded& library, Id list)
{
    if (list != 0) return list;
    const Id usual = variable_of(library, Question::H5P_LST_FILE_ACCESS_ID_g);
    return usual != 0 ? usual : variable_of(library, Question::H5P_LST_FILE_ACCESS_g);
}

}  // namespace

// Finds what it can be asked in a library.
void look_up(Loaded& library)
{
    const Object found = library.object();
    library.is_whole = false;
    std::size_t at = 0;
#define QUESTION(name, result, parameters) library.functions[at++] = found ? found.defined(#name) : nullptr;
    FATHOM_HDF5_QUESTIONS(QUESTION)
    FATHOM_HDF5_FURTHER_QUESTIONS(QUESTION)
#undef QUESTION
#define VARIABLE(name) library.functions[at++] = found ? found.defined(#name) : nullptr;
    FATHOM_HDF5_VARIABLES(VARIABLE)
#undef VARIABLE
    for (at = 0; at < static_cast<std::size_t>(Question::needed); ++at)
        if (library.functions[at] == nullptr) return;
    unsigned major = 0, minor = 0, patch = 0;
    if (ask_H5get_libversion(library)(&major, &minor, &patch) < 0) return;
    library.version = major * 1'000'000ull + minor * 1'000ull + patch;
    library.is_whole = true;
}

Id variable_of(const Loaded& library, Question variable)
{
    const void* const at = library.functions[static_cast<std::size_t>(variable)];
    return at == nullptr ? 0 : id_of(library, *static_cast<const Id*>(at));
}

Quiet::Quiet(const Loaded& library) : library_(library)
{
    // Fails where the program has set a function of the older kind; that stays.
    changed_ = ask_H5Eget_auto2(library)(0, &function_, &data_) >= 0 &&
               ask_H5Eset_auto2(library)(0, nullptr, nullptr) >= 0;
}

Quiet::~Quiet()
{
    if (changed_) ask_H5Eset_auto2(library_)(0, function_, data_);
    unsigned number[3];
    ask_H5get_libversion(library_)(&number[0], &number[1], &number[2]);  // empties the stack
}

namespace {

// 1.8 does not tell whether a hyperslab is regular; one that fills its bounds is.
void note_hyperslab_of_1_8(const Loaded& library, Id space, int rank, Space& found)
{
    Size first[most_rank], last[most_rank];
    std::uint64_t within = 1;
    found.selection = found.selected == 0 ? Selection::nothing : Selection::irregular;
    const auto bounds = ask_H5Sget_select_bounds(library);
    if (found.selected == 0 || bounds == nullptr || bounds(space, first, last) < 0) return;
    for (int at = 0; at < rank; ++at) within *= last[at] = last[at] - first[at] + 1;
    if (within != found.selected) return;
    found.selection = Selection::regular;
    found.shape = extents_of(rank, last);
}

}  // namespace

Space ask_space(const Loaded& library, Id space)
{
    enum { none, points, hyperslab, all };  // H5S_sel_type
    Space found;
    Size extent[most_rank] = {};
    const int rank = ask_H5Sget_simple_extent_ndims(library)(space);
    const SignedSize elements = ask_H5Sget_simple_extent_npoints(library)(space);
    const SignedSize selected = ask_H5Sget_select_npoints(library)(space);
    if (rank < 0 || rank > most_rank || elements < 0 || selected < 0 ||
        ask_H5Sget_simple_extent_dims(library)(space, extent, nullptr) < 0)
        return found;
    found.elements = static_cast<std::uint64_t>(elements);
    found.selected = static_cast<std::uint64_t>(selected);
    found.extent = extents_of(rank, extent);
    switch (ask_H5Sget_select_type(library)(space)) {
        case none:
            found.selection = Selection::nothing;
            break;
        case points:
            found.selection = Selection::points;
            break;
        case all:
            found.selection = Selection::whole;
            found.shape = found.extent;
            break;
        case hyperslab: {
            const auto is_regular = ask_H5Sis_regular_hyperslab(library);
            if (is_regular == nullptr) return note_hyperslab_of_1_8(library, space, rank, found), found;
            const auto regular = ask_H5Sget_regular_hyperslab(library);
            Size start[most_rank], stride[most_rank], count[most_rank], block[most_rank];
            found.selection = Selection::irregular;
            if (is_regular(space) <= 0) break;
            found.selection = Selection::regular;
            if (regular == nullptr || regular(space, start, stride, count, block) < 0) break;
            for (int at = 0; at < rank; ++at) count[at] *= block[at];
            found.shape = extents_of(rank, count);
            break;
        }
        default:
            break;
    }
    if (found.selected == 0 && found.selection != Selection::unknown) found.selection = Selection::nothing;
    return found;
}

void ask_layout(const Loaded& library, Id list, DatasetCounters& into)
{
    const int layout = ask_H5Pget_layout(library)(list);  // H5D_layout_t
    if (layout < 0) return;
    into.layout = static_cast<std::uint64_t>(layout) + 1;
    if (into.layout != static_cast<std::uint64_t>(DataLayout::chunked)) return;
    Size chunk[most_rank] = {};
    const int rank = ask_H5Pget_chunk(library)(list, most_rank, chunk);
    if (rank > 0 && rank <= most_rank) into.chunk = extents_of(rank, chunk);
    const int filters = ask_H5Pget_nfilters(library)(list);
    for (int at = 0; at < filters; ++at) {
        constexpr int last_of_its_own = 6;  // H5Z_FILTER_SCALEOFFSET
        constexpr int deflate = 1;
        unsigned flags = 0, configuration = 0, level = 0;
        std::size_t values = 1;
        const int filter = ask_H5Pget_filter2(library)(list, static_cast<unsigned>(at), &flags, &values,
                                                       &level, 0, nullptr, &configuration);
        if (filter < 0) continue;
        into.filters |= filter > last_of_its_own ? 1 : std::uint64_t{1} << filter;
        if (filter == deflate && values > 0) into.deflate_level = level;
        if (filter > last_of_its_own) into.other_filter = static_cast<std::uint64_t>(filter);
    }
}

void ask_chunk_cache(const Loaded& library, Id list, DatasetCounters& into)
{
    std::size_t slots = 0, bytes = 0;
    double preemption = 0;
    if (ask_H5Pget_chunk_cache(library)(list, &slots, &bytes, &preemption) < 0) return;
    into.cache_slots = slots;
    into.cache_bytes = bytes;
}

void ask_access(const Loaded& library, Id list, DataFileCounters& into)
{
    list = access_list_of(library, list);
    if (list <= 0) return;
    if (const Id driver = id_of(library, ask_H5Pget_driver(library)(list)); driver > 0)
        into.driver = static_cast<std::uint64_t>(driver_of(library, driver));
    Size from = 0, alignment = 0, block = 0;
    if (ask_H5Pget_alignment(library)(list, &from, &alignment) >= 0) {
        into.alignment = alignment;
        into.alignment_from = from;
    }
    int unused = 0;
    std::size_t slots = 0, bytes = 0, sieve = 0;
    double preemption = 0;
    if (ask_H5Pget_cache(library)(list, &unused, &slots, &bytes, &preemption) >= 0) {
        into.cache_slots = slots;
        into.cache_bytes = bytes;
    }
    if (ask_H5Pget_meta_block_size(library)(list, &block) >= 0) into.metadata_block = block;
    if (ask_H5Pget_sieve_buf_size(library)(list, &sieve) >= 0) into.sieve_bytes = sieve;
    int oldest = 0, newest = 0;
    if (ask_H5Pget_libver_bounds(library)(list, &oldest, &newest) >= 0 && oldest >= 0 && newest >= 0) {
        into.oldest_format = static_cast<std::uint64_t>(oldest);
        into.newest_format = static_cast<std::uint64_t>(newest);
    }
    if (into.driver != static_cast<std::uint64_t>(FileDriver::mpiio)) return;
    bool reads = false, writes = false;
    if (const auto ask = ask_H5Pget_all_coll_metadata_ops(library)) static_cast<void>(ask(list, &reads));
    if (const auto ask = ask_H5Pget_coll_metadata_write(library)) static_cast<void>(ask(list, &writes));
    into.collective_metadata = (reads ? 1 : 0) + (writes ? 2 : 0);
}

bool is_native(const Loaded& library, Id file)
{
    const auto ask = ask_H5VLget_connector_name(library);
    if (ask == nullptr) return true;  // before 1.12 there are no others
    char name[16] = {};
    return ask(file, name, sizeof name) > 0 && std::strcmp(name, "native") == 0;
}

bool will_be_native(const Loaded& library, Id list)
{
    const auto ask = ask_H5Pget_vol_id(library);
    const auto compare = ask_H5VLcmp_connector_cls(library);
    const auto close = ask_H5VLclose(library);
    const auto make = ask_H5VL_native_register(library);
    list = access_list_of(library, list);
    Id connector = 0;
    if (ask == nullptr || compare == nullptr || close == nullptr || list <= 0 || ask(list, &connector) < 0)
        return false;
    const Id native = make != nullptr ? make() : variable_of(library, Question::H5VL_NATIVE_g);
    int difference = 1;
    const bool is_same = native > 0 && compare(&difference, connector, native) >= 0 && difference == 0;
    close(connector);
    return is_same;
}

}  // namespace fathom::hdf5
