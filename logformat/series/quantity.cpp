// The table of quantities.
#include "logformat/series/quantity.h"

#include <algorithm>

namespace fathom::series {
namespace {

constexpr Quantity table[] = {
    {"bytes_read", Kind::amount, Unit::bytes, Subject::data, "read from it"},
    {"bytes_written", Kind::amount, Unit::bytes, Subject::data, "written to it"},
    {"reads", Kind::amount, Unit::operations, Subject::data, "read requests completed"},
    {"writes", Kind::amount, Unit::operations, Subject::data, "write requests completed"},

    {"reads_merged", Kind::amount, Unit::operations, Subject::requests, "read requests merged into others"},
    {"writes_merged", Kind::amount, Unit::operations, Subject::requests, "write requests merged into others"},
    {"discards", Kind::amount, Unit::operations, Subject::requests, "discard requests completed"},
    {"flushes", Kind::amount, Unit::operations, Subject::requests, "flush requests completed"},
    {"bytes_discarded", Kind::amount, Unit::bytes, Subject::requests, "discarded on it"},
    {"read_time", Kind::amount, Unit::seconds, Subject::requests, "sum over read requests, waiting included"},
    {"write_time", Kind::amount, Unit::seconds, Subject::requests,
     "sum over write requests, waiting included"},
    {"discard_time", Kind::amount, Unit::seconds, Subject::requests,
     "sum over discard requests, waiting included"},
    {"flush_time", Kind::amount, Unit::seconds, Subject::requests,
     "sum over flush requests, waiting included"},
    {"queue_time", Kind::amount, Unit::seconds, Subject::requests,
     "sum over all requests of being in flight"},
    {"busy_time", Kind::amount, Unit::seconds, Subject::requests, "with at least one request in flight"},
    {"queue_length", Kind::level, Unit::number, Subject::requests, "requests in flight, in the mean"},

    {"opens", Kind::amount, Unit::operations, Subject::metadata, "opens"},
    {"closes", Kind::amount, Unit::operations, Subject::metadata, "closes"},
    {"creates", Kind::amount, Unit::operations, Subject::metadata, "files made (create, mknod)"},
    {"unlinks", Kind::amount, Unit::operations, Subject::metadata, "names removed"},
    {"mkdirs", Kind::amount, Unit::operations, Subject::metadata, "directories made"},
    {"rmdirs", Kind::amount, Unit::operations, Subject::metadata, "directories removed"},
    {"renames", Kind::amount, Unit::operations, Subject::metadata, "renames"},
    {"links", Kind::amount, Unit::operations, Subject::metadata, "hard links made"},
    {"getattrs", Kind::amount, Unit::operations, Subject::metadata, "attributes read (stat)"},
    {"setattrs", Kind::amount, Unit::operations, Subject::metadata, "attributes set"},
    {"getxattrs", Kind::amount, Unit::operations, Subject::metadata, "extended attributes read"},
    {"setxattrs", Kind::amount, Unit::operations, Subject::metadata, "extended attributes set"},
    {"accesses", Kind::amount, Unit::operations, Subject::metadata, "checks of permissions"},
    {"lookups", Kind::amount, Unit::operations, Subject::metadata, "names looked up"},
    {"readdirs", Kind::amount, Unit::operations, Subject::metadata, "reads of directories"},
    {"statfs", Kind::amount, Unit::operations, Subject::metadata, "questions about the file system's space"},
    {"syncs", Kind::amount, Unit::operations, Subject::metadata, "syncs"},
    {"metadata_time", Kind::amount, Unit::seconds, Subject::metadata, "sum over metadata operations"},

    {"bytes_received", Kind::amount, Unit::bytes, Subject::network, "received"},
    {"bytes_sent", Kind::amount, Unit::bytes, Subject::network, "sent"},
    {"packets_received", Kind::amount, Unit::operations, Subject::network, "packets received"},
    {"packets_sent", Kind::amount, Unit::operations, Subject::network, "packets sent"},
    {"receive_errors", Kind::amount, Unit::operations, Subject::network,
     "packets received broken or dropped"},
    {"send_errors", Kind::amount, Unit::operations, Subject::network, "packets not sent"},
    {"retransmits", Kind::amount, Unit::operations, Subject::network, "requests or segments sent again"},

    {"cpu_user", Kind::amount, Unit::seconds, Subject::processor, "of processors in programs"},
    {"cpu_nice", Kind::amount, Unit::seconds, Subject::processor,
     "of processors in programs of low priority"},
    {"cpu_system", Kind::amount, Unit::seconds, Subject::processor, "of processors in the kernel"},
    {"cpu_irq", Kind::amount, Unit::seconds, Subject::processor, "of processors in interrupts"},
    {"cpu_softirq", Kind::amount, Unit::seconds, Subject::processor,
     "of processors in what interrupts put off"},
    {"cpu_steal", Kind::amount, Unit::seconds, Subject::processor,
     "of processors that other virtual machines had"},
    {"cpu_guest", Kind::amount, Unit::seconds, Subject::processor, "of processors in virtual machines"},
    {"cpu_wait", Kind::amount, Unit::seconds, Subject::processor,
     "of processors idle while I/O is under way"},
    {"cpu_idle", Kind::amount, Unit::seconds, Subject::processor, "of processors idle"},
    {"cpu_user_share", Kind::level, Unit::share, Subject::processor, "of its processors in programs"},
    {"cpu_system_share", Kind::level, Unit::share, Subject::processor, "of its processors in the kernel"},
    {"cpu_wait_share", Kind::level, Unit::share, Subject::processor,
     "of its processors idle while I/O is under way"},
    {"cpu_share", Kind::level, Unit::share, Subject::processor, "of its processors in use"},
    {"cpu_pressure", Kind::amount, Unit::seconds, Subject::processor, "some task waited for a processor"},
    {"io_pressure", Kind::amount, Unit::seconds, Subject::processor, "some task waited for I/O"},

    {"memory_total", Kind::level, Unit::bytes, Subject::memory, "of memory"},
    {"memory_free", Kind::level, Unit::bytes, Subject::memory, "of memory not in use"},
    {"memory_used", Kind::level, Unit::bytes, Subject::memory, "of memory in use"},
    {"memory_available", Kind::level, Unit::bytes, Subject::memory, "of memory to be had without swapping"},
    {"memory_cached", Kind::level, Unit::bytes, Subject::memory, "of memory that hold pages of files"},
    {"memory_dirty", Kind::level, Unit::bytes, Subject::memory, "of memory that are to be written"},
    {"memory_share", Kind::level, Unit::share, Subject::memory, "of its memory in use"},
    {"memory_pressure", Kind::amount, Unit::seconds, Subject::memory, "some task waited for memory"},

    {"bytes_used", Kind::level, Unit::bytes, Subject::space, "in use on it"},
    {"bytes_free", Kind::level, Unit::bytes, Subject::space, "free on it"},
    {"bytes_total", Kind::level, Unit::bytes, Subject::space, "it has"},
    {"inodes_used", Kind::level, Unit::number, Subject::space, "inodes in use on it"},
    {"inodes_free", Kind::level, Unit::number, Subject::space, "inodes free on it"},
    {"inodes_total", Kind::level, Unit::number, Subject::space, "inodes it has"},

    {"up", Kind::level, Unit::share, Subject::state, "1: it serves, 0: it does not"},
};

constexpr std::string_view unit_names[] = {"", "bytes", "operations", "seconds", "share"};
constexpr std::string_view subject_names[] = {"data",      "metadata", "requests", "network",
                                              "processor", "memory",   "space",    "state"};

}  // namespace

std::string_view name_of(Unit unit)
{
    return unit_names[static_cast<std::size_t>(unit)];
}

std::string_view name_of(Subject subject)
{
    return subject_names[static_cast<std::size_t>(subject)];
}

std::span<const Quantity> quantities()
{
    return table;
}

const Quantity* quantity_named(std::string_view name)
{
    const auto* const row = std::ranges::find(table, name, &Quantity::name);
    return row == std::end(table) ? nullptr : row;
}

}  // namespace fathom::series
