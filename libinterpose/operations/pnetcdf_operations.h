// What the calls of PnetCDF are, as values, like those of HDF5 (hdf5_operations.h).
#pragma once

#include <cstdint>

#include "libinterpose/libraries/counting.h"
#include "libinterpose/libraries/ids.h"
#include "libinterpose/libraries/pnetcdf.h"
#include "libinterpose/recording/clock.h"

namespace fathom::pnetcdf {

using libraries::Before;
using libraries::Known;
using libraries::Original;

// How a call is made: by one rank, by all together, or without waiting for it.
enum class Manner : std::uint8_t { independent, collective, nonblocking };

// What a call moves of a variable.
struct Part {
    enum Form : std::uint8_t { whole, one, block, blocks, typed } form = whole;
    const Offset* count = nullptr;  // of a block: along each dimension
    int n = 0;                      // of blocks
    const Offset* const* counts = nullptr;
    Offset items = 0;  // of a type of MPI's
    Handle type = 0;
};

struct Call {
    Loaded* library = nullptr;
    Before before;
    int file;

    explicit Call(int id) : file(id) {}
    bool enter(const Original& original);
    bool enter_file(const Original& original);  // where the file is known, with what was counted of it before
    void leave();
    Known* known_file() const;
    Known* known_variable(int variable, bool ask) const;
};

struct Open : Call {
    const char* path;
    const int* opened;
    std::uint64_t DataFileCounters::*counter;

    Open(const char* name, const int* id, std::uint64_t DataFileCounters::*number)
        : Call(-1), path(name), opened(id), counter(number)
    {}
    bool begin(const Original& original);
    void end(int result, Interval when);
};

// A call on the file itself.
struct OnFile : Call {
    std::uint64_t DataFileCounters::*counter;
    std::uint64_t DataFileCounters::*part;
    bool lays_out = false;  // its header is another one afterwards

    OnFile(int id, std::uint64_t DataFileCounters::*number, std::uint64_t DataFileCounters::*time = nullptr,
           bool changes_header = false)
        : Call(id), counter(number), part(time), lays_out(changes_header)
    {}
    bool begin(const Original& original);
    void end(int result, Interval when);
};

struct Close : OnFile {
    explicit Close(int id) : OnFile(id, &DataFileCounters::closes, &DataFileCounters::close_time) {}
    void end(int result, Interval when);
};

struct DefineVariable : Call {
    const int* variable;

    DefineVariable(int id, const int* defined) : Call(id), variable(defined) {}
    bool begin(const Original& original);
    void end(int result, Interval when);
};

template <class Side>
struct Transfer : Call {
    int variable;
    Manner manner;
    Part moved;

    Transfer(int id, int of, Manner how, Part what) : Call(id), variable(of), manner(how), moved(what) {}
    bool begin(const Original& original);
    void end(int result, Interval when);
};

// A call on several variables at once is one on each. What it took, and what lay beneath it, is divided among
// them by their bytes.
template <class Side>
struct SeveralTransfers : Call {
    int n;
    const int* variables;
    Manner manner;
    Part::Form form;
    const Offset* const* counts;  // of each variable, where the form has them

    SeveralTransfers(int id, int number, const int* of, Manner how, Part::Form what,
                     const Offset* const* of_each = nullptr)
        : Call(id), n(number), variables(of), manner(how), form(what), counts(of_each)
    {}
    bool begin(const Original& original);
    void end(int result, Interval when);

  private:
    Part part(int at) const { return Part{form, counts == nullptr ? nullptr : counts[at]}; }
};

}  // namespace fathom::pnetcdf
