// Follows HDF5's ids of files, groups, attributes and datasets, and counts what calls do but to move data.
#include "libinterpose/operations/hdf5_operations.h"

#include <algorithm>
#include <cstring>

#include "libinterpose/libraries/file_names.h"
#include "libinterpose/recording/program_text.h"
#include "libinterpose/system/own_memory.h"

namespace fathom::hdf5 {

thread_local constinit const void* outermost __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

using libraries::ids;

constexpr auto library_number = static_cast<std::uint64_t>(DataLibrary::hdf5);

CountersOf<DataFileCounters>* counters_of_file(Known& what)
{
    return libraries::counters_of_library<DataFileCounters>(what.file);
}

// What datasets without a name have counted: kept apart until they get one, or are closed. Few are without
// one for long (h5py creates one, writes it and links it).
struct Nameless {
    static constexpr std::size_t most = 64;
    std::atomic<bool> used[most];
    CountersOf<DatasetCounters> counters[most];
};
constinit OnDemand<Nameless> nameless;

CountersOf<DatasetCounters>* take_nameless()
{
    Nameless* const all = nameless.make();
    for (std::size_t at = 0; all != nullptr && at < Nameless::most; ++at)
        if (!all->used[at].exchange(true, std::memory_order_acq_rel)) {
            all->counters[at].counters = {};
            return &all->counters[at];
        }
    return nullptr;
}

// Adds them to those of the object by its name.
void settle_nameless(Known& what)
{
    if (what.nameless == nullptr) return;
    if (auto* const at = libraries::counters_of_library<DatasetCounters>(what.object)) {
        merge(at->counters, what.nameless->counters);
        at->last_was = what.nameless->last_was;
        release_place(*here.thread);
    }
    nameless.get()->used[what.nameless - nameless.get()->counters].store(false, std::memory_order_release);
    what.nameless = nullptr;
}

// Where an object is in its file: from the group in which the call looked it up, and the name that it gave,
// with one slash before each part. False where that is not known.
bool path_in_file(const Known& place, const char* name, PathText& path)
{
    const ProgramText text(name);
    if (name == nullptr || text.is_gone()) return false;
    const bool absolute = *text.c_str() == '/';
    if (!absolute && place.path.data() == nullptr) return false;
    if (!absolute) path << place.path;
    for (std::string_view rest = text.c_str(); !rest.empty();) {
        const std::size_t length = std::min(rest.find('/'), rest.size());
        const std::string_view part = rest.substr(0, length);
        rest.remove_prefix(std::min(length + 1, rest.size()));
        if (!part.empty() && part != ".") path << "/" << part;
    }
    return true;
}

// The place where an object was looked up, or one like it in the other file that a link led to.
Known place_of(const Loaded& library, const Known& place, Id object)
{
    const PathScratch name;
    if (!name || !place.native) return place;
    const long length = ask_H5Fget_name(library)(object, name->data(), name->capacity());
    if (length <= 0 || static_cast<std::size_t>(length) >= name->capacity()) return place;
    name->resize(static_cast<std::size_t>(length));
    const std::uint64_t opened_as = libraries::hash_of(name->view());
    if (place.file != nullptr && opened_as == place.opened_as) return place;
    Known elsewhere;
    elsewhere.subject = Subject::file;
    elsewhere.file = libraries::recorded_file(name->c_str());
    elsewhere.opened_as = opened_as;
    elsewhere.is_mpiio = place.is_mpiio;
    return elsewhere;
}

// A place that is unknown here: HDF5 gives callbacks ids of groups of its own making (H5Literate), which have
// their paths with them.
Known ask_place(const Loaded& library, Id id)
{
    Known place;
    place = place_of(library, place, id);
    if (place.file == nullptr) return place;
    const PathScratch path;
    const auto type = static_cast<Type>(ask_H5Iget_type(library)(id));
    if (type == Type::file) place.path = "";
    if (type != Type::group || !path) return place;
    place.subject = Subject::group;
    const long length = ask_H5Iget_name(library)(id, path->data(), path->capacity());
    if (length <= 0 || static_cast<std::size_t>(length) >= path->capacity()) return place;
    path->resize(static_cast<std::size_t>(length));
    place.path = path->view() == "/" ? libraries::kept_text("") : libraries::kept_text(path->view());
    return place;
}

void count_open_of(DatasetCounters& counters, const Known& what, std::uint64_t DatasetCounters::*counter,
                   Interval when, const Before& before)
{
    ++(counters.*counter);
    counters.library = library_number;
    counters.container = what.file->id;
    counters.metadata_time += when.length();
    counters.metadata_time_beneath += before.add_to(counters);
    note_first_last(counters.first_open, counters.last_open, when);
}

// The dataset itself is known from now on, and so is how it lies in its file.
void note_dataset(std::uint64_t key, Known& what, DatasetCounters& counters)
{
    if (what.space.selection != Selection::unknown) select_all_of(what.space);
    counters.dimensions.merge(what.space.extent);
    counters.element_bytes = std::max(counters.element_bytes, what.element_bytes);
    what.chunk = counters.chunk;
    what.is_filtered = counters.filters != 0;
    if (!ids.put(key, what)) missed();
}

void ask_extent(const Loaded& library, Id dataset, Space& into)
{
    const Id space = id_of(library, ask_H5Dget_space(library)(dataset));
    if (space < 0) return;
    into = ask_space(library, space);
    ask_H5Sclose(library)(space);
}

}  // namespace

CountersOf<DatasetCounters>* counters_of_dataset(Known& what)
{
    if (__builtin_expect(what.nameless != nullptr, 0)) return enter() ? what.nameless : nullptr;
    return libraries::counters_of_library<DatasetCounters>(what.object);
}

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

std::uint64_t Call::key(Id id) const
{
    return libraries::key_of(library->number, id_of(*library, id));
}

Known* Call::known(Id id) const
{
    return ids.find(key(id));
}

bool OpenFile::begin(const Original& original)
{
    if (name == nullptr || !enter(original)) return false;
    before.take(libraries::known_file(name));
    return true;
}

void OpenFile::end(Id result, Interval when)
{
    const ProgramText text(name);
    const Id opened = id_of(*library, result);
    Known what;
    what.subject = Subject::file;
    what.path = "";
    if (opened >= 0 && !text.is_gone()) what.file = libraries::recorded_file(text.c_str());
    if (what.file == nullptr) return leave();
    what.opened_as = libraries::hash_of(text.c_str());
    {
        const Quiet quiet(*library);
        what.native = is_asked_for ? will_be_native(*library, id_of(*library, access_list))
                                   : is_native(*library, opened);
        if (auto* const at = counters_of_file(what)) {
            DataFileCounters& counters = at->counters;
            before.found(what.file);
            ++(counters.*counter);
            counters.library = library_number;
            counters.version = std::max(counters.version, library->version);
            counters.metadata_time += when.length();
            counters.open_time += when.length();
            counters.beneath_time += before.add_to(counters);
            note_first_last(counters.first_open, counters.last_open, when);
            ask_access(*library, id_of(*library, access_list), counters);
            what.is_mpiio = counters.driver == static_cast<std::uint64_t>(FileDriver::mpiio);
            if (what.is_mpiio) ++counters.collective_opens;
            release_place(*here.thread);
        }
    }
    if (!ids.put(key(result), what)) missed();
    leave();
}

bool OnId::begin(const Original& original)
{
    if (!enter(original)) return false;
    if (const Known* const found = known(id)) what = *found;
    before.take(what.file);
    return true;
}

DataFileCounters* OnId::count_on_file(std::int64_t result, Interval when,
                                      std::uint64_t DataFileCounters::*counter,
                                      std::uint64_t DataFileCounters::*part)
{
    auto* const at = counters_of_file(what);
    if (at == nullptr) return nullptr;
    DataFileCounters& counters = at->counters;
    if (result < 0)
        ++counters.failed;
    else if (counter != nullptr)
        ++(counters.*counter);
    counters.library = library_number;
    counters.metadata_time += when.length();
    if (part != nullptr) counters.*part += when.length();
    counters.beneath_time += before.add_to(counters);
    release_place(*here.thread);
    return &counters;
}

void OnFile::end(std::int64_t result, Interval when)
{
    count_on_file(result, when, counter, part);
    leave();
}

void ReopenFile::end(Id result, Interval when)
{
    const Id opened = id_of(*library, result);
    DataFileCounters* const counters =
        count_on_file(opened, when, &DataFileCounters::opens, &DataFileCounters::open_time);
    if (counters != nullptr && opened >= 0) {
        note_first_last(counters->first_open, counters->last_open, when);
        if (what.is_mpiio) ++counters->collective_opens;
        what.subject = Subject::file;
        what.path = "";
        what.references = 1;
        if (!ids.put(key(result), what)) missed();
    }
    leave();
}

void OpenInFile::end(Id result, Interval when)
{
    const Id opened = id_of(*library, result);
    if (what.file == nullptr && opened >= 0) {
        const Quiet quiet(*library);
        what = ask_place(*library, id_of(*library, id));
        before.found(what.file);
    }
    count_on_file(opened, when, counter, part);
    if (what.file != nullptr && opened >= 0) {
        Known inside = what;
        inside.subject = subject;
        inside.references = 1;
        inside.object = nullptr;
        inside.path = {};
        const PathScratch path;
        if (subject == Subject::group && path && path_in_file(what, name, *path))
            inside.path = libraries::kept_text(path->view());
        if (!ids.put(key(result), inside)) missed();
    }
    leave();
}

void OpenDataset::end(Id result, Interval when)
{
    const Id opened = id_of(*library, result);
    if (opened < 0) {
        count_on_file(opened, when, nullptr);
        return leave();
    }
    if (may_be_other && !what.native) {  // it cannot be told what it is
        count_on_file(opened, when, nullptr);
        return leave();
    }
    const auto type = may_be_other ? static_cast<Type>(ask_H5Iget_type(*library)(opened)) : Type::dataset;
    const PathScratch path;
    Known place;
    {
        const Quiet quiet(*library);
        if (what.file == nullptr) what = ask_place(*library, id_of(*library, id));
        place = place_of(*library, what, opened);
    }
    if (place.file == nullptr || !path) return leave();
    if (place.file != what.file) what = place;
    before.found(place.file);
    const bool has_path = path_in_file(place, name, *path);
    Known found = place;
    found.references = 1;
    found.path = {};
    if (type != Type::dataset) {
        count_on_file(opened, when, type == Type::group ? &DataFileCounters::groups : nullptr);
        found.subject = Subject::group;
        if (has_path) found.path = libraries::kept_text(path->view());
        if (type == Type::group && !ids.put(key(result), found)) missed();
        return leave();
    }
    found.subject = Subject::dataset;
    found.object = libraries::name_of_object(*place.file, has_path ? path->view() : libraries::unnamed);
    if (auto* const at = counters_of_dataset(found)) {
        DatasetCounters& counters = at->counters;
        count_open_of(counters, found, &DatasetCounters::opens, when, before);
        if (found.native) {
            const Quiet quiet(*library);
            ask_extent(*library, opened, found.space);
            const Id of_type = id_of(*library, ask_H5Dget_type(*library)(opened));
            if (of_type >= 0) {
                found.element_bytes = ask_H5Tget_size(*library)(of_type);
                ask_H5Tclose (*library)(of_type);
            }
            if (counters.layout == 0) {
                const Id creation = id_of(*library, ask_H5Dget_create_plist(*library)(opened));
                if (creation > 0) ask_layout(*library, creation, counters);
                if (creation > 0) ask_H5Pclose (*library)(creation);
                const bool chunked = counters.layout == static_cast<std::uint64_t>(DataLayout::chunked);
                const Id access = chunked ? id_of(*library, ask_H5Dget_access_plist(*library)(opened)) : 0;
                if (access > 0) ask_chunk_cache(*library, access, counters);
                if (access > 0) ask_H5Pclose (*library)(access);
            }
        }
        note_dataset(key(result), found, counters);
        release_place(*here.thread);
    }
    leave();
}

void CreateDataset::end(Id result, Interval when)
{
    const Id created = id_of(*library, result);
    const PathScratch path;
    if (what.file == nullptr && created >= 0) {
        const Quiet quiet(*library);
        what = ask_place(*library, id_of(*library, id));
        before.found(what.file);
    }
    if (created < 0 || what.file == nullptr || !path) {
        count_on_file(created, when, nullptr);
        return leave();
    }
    Known made = what;
    made.subject = Subject::dataset;
    made.references = 1;
    const bool has_path = path_in_file(what, name, *path);
    made.path = {};
    made.object = libraries::name_of_object(*what.file, has_path ? path->view() : libraries::unnamed);
    if (name == nullptr) made.nameless = take_nameless();
    if (auto* const at = counters_of_dataset(made)) {
        DatasetCounters& counters = at->counters;
        count_open_of(counters, made, &DatasetCounters::creates, when, before);
        if (made.native) {
            const Quiet quiet(*library);
            made.element_bytes = ask_H5Tget_size(*library)(type);
            made.space = ask_space(*library, space);
            counters.layout = static_cast<std::uint64_t>(DataLayout::contiguous);
            const Id list = id_of(*library, creation_list);
            if (list > 0) ask_layout(*library, list, counters);
            const Id access = id_of(*library, access_list);
            if (access > 0 && counters.layout == static_cast<std::uint64_t>(DataLayout::chunked))
                ask_chunk_cache(*library, access, counters);
        }
        note_dataset(key(result), made, counters);
        release_place(*here.thread);
    }
    leave();
}

void Link::end(int result, Interval when)
{
    count_on_file(result, when, nullptr);
    Known* const held = result >= 0 ? known(id) : nullptr;
    const Known* const in = held == nullptr ? nullptr : known(place);
    const PathScratch path;
    if (in != nullptr && in->file == held->file && held->nameless != nullptr && path &&
        path_in_file(*in, name, *path)) {
        if (NameChunk* const object = libraries::name_of_object(*in->file, path->view()))
            held->object = object;
        settle_nameless(*held);
    }
    leave();
}

bool Close::begin(const Original& original)
{
    if (!enter(original)) return false;
    const Known* const found = known(id);
    if (found == nullptr) return leave(), false;
    what = *found;
    before.take(what.file);
    return true;
}

void Close::end(std::int64_t result, Interval when)
{
    const bool last = tells_references ? result == 0 : what.references <= 1;
    switch (what.subject) {
        case Subject::file: {
            DataFileCounters* const counters = count_on_file(
                result, when, last ? &DataFileCounters::closes : nullptr, &DataFileCounters::close_time);
            if (counters != nullptr && last && result >= 0)
                note_first_last(counters->first_close, counters->last_close, when);
            break;
        }
        case Subject::group:
            count_on_file(result, when, nullptr);
            break;
        case Subject::attribute:
            count_on_file(result, when, nullptr, &DataFileCounters::attribute_time);
            break;
        case Subject::dataset:
            if (auto* const at = counters_of_dataset(what)) {
                DatasetCounters& counters = at->counters;
                if (result < 0) ++counters.failed;
                if (last && result >= 0) {
                    ++counters.closes;
                    note_first_last(counters.first_close, counters.last_close, when);
                }
                counters.metadata_time += when.length();
                counters.metadata_time_beneath += before.add_to(counters);
                release_place(*here.thread);
            }
            if (last && result >= 0) settle_nameless(what);
            break;
        case Subject::space:
        case Subject::transfer_list:
        case Subject::variable:
            break;
    }
    if (result >= 0) {
        if (last)
            ids.remove(key(id));
        else if (Known* const held = known(id))
            held->references = tells_references ? static_cast<std::uint32_t>(result) : what.references - 1;
    }
    leave();
}

void OnDataset::end(int result, Interval when)
{
    auto* const at = what.subject == Subject::dataset ? counters_of_dataset(what) : nullptr;
    if (at != nullptr) {
        DatasetCounters& counters = at->counters;
        if (result < 0)
            ++counters.failed;
        else if (counter != nullptr)
            ++(counters.*counter);
        counters.*time += when.length();
        const std::uint64_t beneath = before.add_to(counters);
        if (time == &DatasetCounters::write_time) {
            counters.flush_time += when.length();
            counters.write_time_beneath += beneath;
            note_first_last(counters.first_write, counters.last_write, when);
        } else {
            counters.metadata_time_beneath += beneath;
        }
        Known* const held = result >= 0 && extent != nullptr ? known(id) : nullptr;
        if (held != nullptr && held->space.selection != Selection::unknown) {
            Space& space = held->space;
            const auto rank = static_cast<int>(space.extent.rank);
            space.extent = extents_of(rank, extent);
            space.elements = 1;
            for (int dimension = 0; dimension < rank; ++dimension) space.elements *= extent[dimension];
            note_dataset(key(id), *held, counters);
        }
        release_place(*here.thread);
    }
    leave();
}

void Refresh::end(int result, Interval when)
{
    Known* const held = result >= 0 && what.native ? known(id) : nullptr;
    if (held != nullptr && held->subject == Subject::dataset) {
        const Quiet quiet(*library);
        Space space;
        ask_extent(*library, id_of(*library, id), space);
        select_all_of(space);
        space.edits = held->space.edits + 1;
        held->space = space;
    }
    OnDataset::end(result, when);
}

}  // namespace fathom::hdf5
