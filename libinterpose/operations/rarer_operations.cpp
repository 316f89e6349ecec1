// The operations of rarer_operations.h that ask the kernel or change what a descriptor is.
#include "libinterpose/operations/rarer_operations.h"

#include "libinterpose/system/sys.h"

namespace fathom {

void OpenHow::count_failed(Interval when) const
{
    const ProgramText name(path);
    if (name.is_gone()) return missed();
    if (!is_excluded_failure(name.c_str())) count_unopened(when);
}

bool SpliceMemory::is_for_writing(int fd)
{
    const long flags = sys::flags(fd);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

void Control::passed(std::int64_t result) const
{
    if (duplicates()) return as<Duplicate>().passed(result);
    if (locks()) return OnDescriptor::passed(result);
    if (result < 0) return;
    if (command != F_SETFL) return;
    Description* const one = known(fd);
    if (one == nullptr) return;
    const bool appends = (argument & O_APPEND) != 0;
    if (!appends)
        one->appends.store(false, std::memory_order_relaxed);
    else if (!one->appends.load(std::memory_order_relaxed))
        begin_appending(fd, *one);
}

void Control::count(std::int64_t result, Interval when) const
{
    if (duplicates())
        as<Duplicate>().count(result, when);
    else
        as<Lock>().count(result, when);
}

}  // namespace fathom
