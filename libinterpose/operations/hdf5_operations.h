// What the calls of HDF5 are, as values: begin() is asked before the call and says whether end() is wanted
// after it. Ids are words as the program gave them (hdf5.h).
//
// HDF5 is asked about what an id stands for when it is opened, and hardly ever when it is read or written: a
// question costs a fifth of a small write. Nothing is asked after a call that failed, since HDF5's stack of
// errors is the program's then, and nothing of files that a connector keeps other than HDF5's own.
#pragma once

#include <cstdint>

#include "libinterpose/libraries/counting.h"
#include "libinterpose/libraries/hdf5.h"
#include "libinterpose/libraries/ids.h"
#include "libinterpose/recording/clock.h"

namespace fathom::hdf5 {

using libraries::Before;
using libraries::Known;
using libraries::Original;
using libraries::Subject;

// Where the outermost call of HDF5 of this thread has its frame; nullptr: it is in none. A call whose frame
// lies above is made by no callback: one that a callback left by a jump or an exception never came back.
extern thread_local constinit const void* outermost
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

struct Call {
    Loaded* library = nullptr;
    Before before;

    // False where the call is made within another one of HDF5, or nothing can be told of this library.
    bool enter(const Original& original);
    void leave();
    Known* known(Id id) const;
    std::uint64_t key(Id id) const;
};

// This thread's counters of a dataset: those by its name, or of one that has none yet. nullptr: it cannot be
// counted.
CountersOf<DatasetCounters>* counters_of_dataset(Known& what);

// H5Fopen, H5Fcreate: by name.
struct OpenFile : Call {
    const char* name;
    Id access_list;
    std::uint64_t DataFileCounters::*counter;

    bool is_asked_for = false;  // by a call with an event set: it may not be open yet

    OpenFile(const char* path, Id list, std::uint64_t DataFileCounters::*what, bool asked_for = false)
        : name(path), access_list(list), counter(what), is_asked_for(asked_for)
    {}
    bool begin(const Original& original);
    void end(Id result, Interval when);
};

// A call on an id that gives another one, or changes nothing that is known here: found by that id.
struct OnId : Call {
    Id id;
    Known what;  // as it was before the call

    explicit OnId(Id of) : id(of) {}
    bool begin(const Original& original);
    // Counts time on the file; nullptr where that cannot be.
    DataFileCounters* count_on_file(std::int64_t result, Interval when,
                                    std::uint64_t DataFileCounters::*counter,
                                    std::uint64_t DataFileCounters::*part = nullptr);
};

struct ReopenFile : OnId {
    using OnId::OnId;
    void end(Id result, Interval when);
};

// A call that is counted and timed on the file of an id.
struct OnFile : OnId {
    std::uint64_t DataFileCounters::*counter;
    std::uint64_t DataFileCounters::*part;

    OnFile(Id of, std::uint64_t DataFileCounters::*number, std::uint64_t DataFileCounters::*time)
        : OnId(of), counter(number), part(time)
    {}
    void end(std::int64_t result, Interval when);
};

// The same, of a call that gives an id of something in the file: a group, an attribute.
struct OpenInFile : OnFile {
    Subject subject;
    const char* name;  // nullptr: not known

    OpenInFile(Id place, const char* path, Subject of, std::uint64_t DataFileCounters::*number,
               std::uint64_t DataFileCounters::*time = nullptr)
        : OnFile(place, number, time), subject(of), name(path)
    {}
    void end(Id result, Interval when);
};

// A dataset is opened or created in a place; or an object is that turns out to be one.
struct OpenDataset : OnId {
    const char* name;  // nullptr: not known
    bool may_be_other;

    OpenDataset(Id place, const char* path, bool any_object = false)
        : OnId(place), name(path), may_be_other(any_object)
    {}
    void end(Id result, Interval when);
};
struct CreateDataset : OnId {
    const char* name;
    Id type, space, creation_list, access_list;

    CreateDataset(Id place, const char* path, Id of_type, Id of_space, Id list, Id access = 0)
        : OnId(place), name(path), type(of_type), space(of_space), creation_list(list), access_list(access)
    {}
    void end(Id result, Interval when);
};

// H5Olink: a dataset that was created without a name gets one.
struct Link : OnId {
    Id place;
    const char* name;

    Link(Id object, Id in, const char* as) : OnId(object), place(in), name(as) {}
    void end(int result, Interval when);
};

// H5Fclose, H5Dclose and so on, H5Idec_ref: an id is given back, which may be held several times.
struct Close : OnId {
    bool tells_references;  // the result says how many are left

    explicit Close(Id of, bool by_reference = false) : OnId(of), tells_references(by_reference) {}
    bool begin(const Original& original);
    void end(std::int64_t result, Interval when);
};

// Calls on a dataset that move nothing: counted and timed in these.
struct OnDataset : OnId {
    std::uint64_t DatasetCounters::*counter;
    std::uint64_t DatasetCounters::*time;
    const Size* extent;  // that it gets; nullptr: stays as it is

    OnDataset(Id of, std::uint64_t DatasetCounters::*number, std::uint64_t DatasetCounters::*spent,
              const Size* new_extent = nullptr)
        : OnId(of), counter(number), time(spent), extent(new_extent)
    {}
    void end(int result, Interval when);
};
// H5Drefresh: its extent may be another one afterwards.
struct Refresh : OnDataset {
    explicit Refresh(Id of, std::uint64_t DatasetCounters::*number = nullptr)
        : OnDataset(of, number, &DatasetCounters::metadata_time)
    {}
    void end(int result, Interval when);
};

// Reads or writes of one dataset, one after the other, that HDF5 serves from memory in less than two
// microseconds: to time each would cost a fifth of it. One in 32 is timed, and the others are taken to be as
// long; all are counted. One that reaches the file all the same has the time of that besides. Not where
// there are filters, whose time is in some calls alone, and not with MPI-IO.
template <class Side>
struct Brief {
    static constexpr std::uint32_t most = 31;
    static constexpr std::uint64_t longest = 4096;  // ticks

    std::uint32_t left = 0;  // of those that are not timed
    const void* function = nullptr;
    Id dataset = 0, file_space = 0, list = 0;
    std::uint64_t epoch = 0, changes = 0;
    const PosixCounters* posix = nullptr;
    std::uint64_t operations = 0;  // of it so far: there were no others since
    CountersOf<DatasetCounters>* at = nullptr;
    const Space* space = nullptr;
    std::uint64_t element_bytes = 0, time = 0;
    Before before{Before::Empty{}};
    libraries::Repeated<Side> repeated;

    // Whether this call is one of them. Nothing else was done then since the last one, but to select.
    bool begin(const Original& original, Id of, Id in_file, Id transfer_list)
    {
        if (left == 0 || original.function != function || of != dataset || in_file != file_space ||
            transfer_list != list || epoch != guard.epoch.load(std::memory_order_relaxed) ||
            changes != libraries::changes_of_ids.load(std::memory_order_relaxed) ||
            posix->reads + posix->writes != operations || space->selection == Selection::unknown ||
            outermost != nullptr)
            return false;
        outermost = __builtin_frame_address(0);
        return true;
    }
    void end(int result);
};
// Of this thread.
extern thread_local constinit Brief<ReadSide> brief_reads
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern thread_local constinit Brief<WriteSide> brief_writes
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
template <class Side>
Brief<Side>& brief_of()
{
    if constexpr (std::is_same_v<Side, ReadSide>)
        return brief_reads;
    else
        return brief_writes;
}

template <class OfSide>
struct Transfer : Call {
    using Side = OfSide;

    Id id, memory_space, file_space, list;
    Known* what = nullptr;
    const void* function = nullptr;

    Transfer(Id of, Id in_memory, Id in_file, Id transfer_list)
        : id(of), memory_space(in_memory), file_space(in_file), list(transfer_list)
    {}
    bool begin(const Original& original);
    void end(int result, Interval when);

  private:
    void expect_brief(CountersOf<DatasetCounters>& at, const Space& space, std::uint64_t took);
};
using Read = Transfer<ReadSide>;
using Write = Transfer<WriteSide>;

// A whole chunk as it lies in the file.
template <class Side>
struct ChunkTransfer : OnId {
    using OnId::OnId;
    void end(int result, Interval when);
};

// Several datasets in one call (1.14): each has its bytes, and its share of the time by them; what lies
// beneath is counted for the first.
template <class Side>
struct MultiTransfer : Call {
    std::size_t count;
    const Id *dataset, *memory_space, *file_space;
    Id list;

    MultiTransfer(std::size_t n, const Id* of, const Id* in_memory, const Id* in_file, Id transfer_list)
        : count(n), dataset(of), memory_space(in_memory), file_space(in_file), list(transfer_list)
    {}
    bool begin(const Original& original);
    void end(int result, Interval when);
};

// A call with an event set (1.14). HDF5's own files are done with when it returns; a connector may do it
// later, and what it gives an id for may not be there yet: nothing is asked of what is not known.
template <class Operation>
struct MayBeLater : Operation {
    bool later;

    template <class... Arguments>
    explicit MayBeLater(Id events, Arguments... arguments) : Operation(arguments...), later(events != 0)
    {}
    bool begin(const Original& original)
    {
        if (!Operation::begin(original)) return false;
        if (!later || this->known(this->id) != nullptr) return true;
        this->leave();
        return false;
    }
};

// Dataspaces: what is selected is known from the calls that select it. These are not timed, and also followed
// where HDF5 makes them itself.
struct OnSpace {
    Loaded* library = nullptr;
    bool begin(const Original& original);
};
struct MakeSpace : OnSpace {
    int rank;
    const Size* extent;
    MakeSpace(int dimensions, const Size* of) : rank(dimensions), extent(of) {}
    void end(Id result) const;
};
struct SpaceOfDataset : OnSpace {
    Id dataset;
    explicit SpaceOfDataset(Id of) : dataset(of) {}
    void end(Id result) const;
};
struct CopySpace : OnSpace {
    Id space;
    explicit CopySpace(Id from) : space(from) {}
    void end(Id result) const;
};
struct SelectHyperslab : OnSpace {
    Id space;
    int operation;
    const Size *count, *block;
    SelectHyperslab(Id in, int how, const Size* counts, const Size* blocks)
        : space(in), operation(how), count(counts), block(blocks)
    {}
    void end(int result) const;
};
struct SelectPoints : OnSpace {
    Id space;
    int operation;
    std::size_t points;
    SelectPoints(Id in, int how, std::size_t n) : space(in), operation(how), points(n) {}
    void end(int result) const;
};
struct SelectAll : OnSpace {
    Id space;
    bool nothing;
    explicit SelectAll(Id in, bool none = false) : space(in), nothing(none) {}
    void end(int result) const;
};
// Whatever else gives an id, or changes what it stands for.
struct Forget : OnSpace {
    Id id;
    bool of_result;
    explicit Forget(Id of, bool result_is_one = false) : id(of), of_result(result_is_one) {}
    void end(Id result) const;
};

struct HoldAgain : OnSpace {
    Id id;
    explicit HoldAgain(Id of) : id(of) {}
    void end(int result) const;
};

struct SetCollective : OnSpace {
    Id list;
    int mode;
    SetCollective(Id of, int how) : list(of), mode(how) {}
    void end(int result) const;
};

// H5close: all ids are gone, and their numbers come again.
struct EndOfLibrary {
    Loaded* library = nullptr;
    bool begin(const Original& original);
    void end(int result) const;
};

}  // namespace fathom::hdf5
