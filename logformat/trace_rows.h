// The rows of a trace: what each thread did, operation by operation, in the code of trace_code.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "logformat/field.h"

namespace fathom {

// A piece of the operations of one thread, in the order in which they ended. What they were is the piece's
// shape, which pieces of other threads and processes may share; which files, from which offsets on, and when
// are in rows of this thread.
struct TracePiece {
    std::int64_t process = 0;
    std::uint64_t thread = 0, number = 0, shape = 0, operations = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using P = TracePiece;
        visit(Field{"process", &P::process, Rule::key, Unit::rank, "the process"});
        visit(Field{"thread", &P::thread, Rule::key, Unit::none, "the thread's number in it, from 0"});
        visit(Field{"number", &P::number, Rule::key, Unit::none, "of this piece among the thread's, from 0"});
        visit(Field{"shape", &P::shape, Rule::key, Unit::none, "id of what the operations were"});
        visit(Field{"operations", &P::operations, Rule::key, Unit::count, "how many there are in it"});
    }
};

struct TraceShape {
    std::uint64_t shape = 0;
    std::string_view code;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using S = TraceShape;
        visit(Field{"shape", &S::shape, Rule::key, Unit::none, "id: of equal codes equal"});
        visit(Field{"code", &S::code, Rule::key, Unit::code, "kinds, sizes, offsets"});
    }
};

// Each time that a thread's code refers to a file for the first time or anew: the file, and the offset from
// which on the code counts.
struct TracePlace {
    std::int64_t process = 0;
    std::uint64_t thread = 0, file = 0, offset = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using P = TracePlace;
        visit(Field{"process", &P::process, Rule::key, Unit::rank, "the process"});
        visit(Field{"thread", &P::thread, Rule::key, Unit::none, "the thread's number in it, from 0"});
        visit(Field{"file", &P::file, Rule::key, Unit::none, "id of the file's name"});
        visit(Field{"offset", &P::offset, Rule::key, Unit::bytes,
                    "where in it; 2^64 - 1 where that is not known or there is no such place"});
    }
};

// When a thread's operations were: the pauses between them and how long they took. Several rows of a thread
// are one code, cut anywhere.
struct TraceTimes {
    std::int64_t process = 0;
    std::uint64_t thread = 0, tid = 0, start = 0;
    double tick = 1;
    std::string_view code;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using T = TraceTimes;
        visit(Field{"process", &T::process, Rule::key, Unit::rank, "the process"});
        visit(Field{"thread", &T::thread, Rule::key, Unit::none, "the thread's number in it, from 0"});
        visit(Field{"tid", &T::tid, Rule::key, Unit::none, "its number in the kernel"});
        visit(Field{"start", &T::start, Rule::key, Unit::instant, "when the thread's first operation began"});
        visit(Field{"tick", &T::tick, Rule::key, Unit::none, "nanoseconds in a unit of the code"});
        visit(Field{"code", &T::code, Rule::key, Unit::code, "pauses and durations"});
    }
};

}  // namespace fathom
