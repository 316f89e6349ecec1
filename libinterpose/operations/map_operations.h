// mmap and the calls on what it made, as values like those of operations.h.
#pragma once

#include <sys/mman.h>

#include "libinterpose/operations/operations.h"
#include "libinterpose/pending/mappings.h"
#include "libinterpose/pending/rings.h"

namespace fathom {

// What is mapped there is about to be gone. The file of the first of it, or nullptr.
inline NameChunk* end_mappings(Range range)
{
    if (rings::any_raw()) rings::unmapped(range);
    return mappings::any() ? mappings::end(range) : nullptr;
}

struct Map : OnDescriptor {
    void* wanted;
    std::uint64_t length;
    int protection, flags;
    std::int64_t offset;

    Map(void* where, std::uint64_t bytes, int what, int how, int number, std::int64_t from)
        : OnDescriptor((how & MAP_ANONYMOUS) != 0 ? -1 : number),
          wanted(where),
          length(bytes),
          protection(what),
          flags(how),
          offset(from)
    {}
    bool find()
    {
        // It replaces what lies there.
        if (__builtin_expect((flags & MAP_FIXED) != 0, 0)) end_mappings(pages_of(wanted, length));
        return fd >= 0 && OnDescriptor::find();
    }
    void passed(void* result) const
    {
        if (fd >= 0 && result != MAP_FAILED && rings::any_raw()) rings::mapped(fd, offset, result, length);
    }
    void count(void* result, Interval when) const;
};

// A call on memory, found when a file is mapped there.
struct OnMapping : Operation {
    Range range;
    NameChunk* file = nullptr;

    OnMapping(const void* start, std::uint64_t length) : range(pages_of(start, length)) {}
    bool find()
    {
        if (mappings::any()) file = mappings::file_in(range);
        return file != nullptr;
    }
};

struct Unmap : OnMapping {
    Unmap(void* start, std::uint64_t length) : OnMapping(start, length) {}
    bool find()
    {
        if (!range.empty()) file = end_mappings(range);
        return file != nullptr;
    }
    void count(std::int64_t result, Interval when) const;
};

// What is known moves along; what it loses at its end is counted before the call.
struct Remap : Operation {
    Range before;
    std::uint64_t length;
    Mapping mapping;

    Remap(void* start, std::uint64_t old_length, std::uint64_t new_length, int how, void* target)
        : before(pages_of(start, old_length)), length(new_length), flags(how), wanted(target)
    {}
    bool find();
    void count(void* result, Interval when);

  private:
    int flags;
    void* wanted;
};

struct SyncMapping : OnMapping {
    using OnMapping::OnMapping;
    void count(std::int64_t result, Interval when) const;
};

// madvise and posix_madvise, which returns an error number.
struct AdviseMapping : OnMapping {
    int advice;

    AdviseMapping(const void* start, std::uint64_t length, int what) : OnMapping(start, length), advice(what)
    {}
    bool find()
    {
        if (!OnMapping::find()) return false;
        if (advice == MADV_DONTNEED) mappings::count_pages_that_go(range);
        return true;
    }
    void count(std::int64_t result, Interval when) const;
};

}  // namespace fathom
