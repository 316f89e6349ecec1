// The records of a log grouped by file: who moved each file's data at the application's layer and at the
// system's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "logformat/log/large_pages.h"
#include "logformat/log/log.h"

namespace fathom {

// A record of any layer, whose counters are asked for by member: record[&Transfers::reads]. It may be packed
// (logformat/log/packed_rows.h), so there is no row to refer to.
struct RecordView {
    std::uint64_t file = 0;
    std::int64_t process = reduced;
    const RowShape* shape = nullptr;
    const std::byte* row = nullptr;
    Layer layer = Layer::posix;

    std::uint64_t bytes() const
    {
        return (*this)[&Transfers::bytes_read] + (*this)[&Transfers::bytes_written];
    }
    std::uint64_t time() const
    {
        return (*this)[&Transfers::read_time] + (*this)[&Transfers::write_time] +
               (*this)[&Transfers::metadata_time];
    }

    bool has_pattern() const { return layer != Layer::mpiio; }
    // Of its own layer: a member of Transfers, Sharing, of Pattern where it has one, or of its layer's
    // counters.
    template <class Owner, class Value>
    Value operator[](Value Owner::*member) const;
    // All counters of its layer, where it is not packed.
    template <class Counters>
    const Counters* in_memory() const
    {
        if (shape != &row_in_memory) return nullptr;
        return reinterpret_cast<const Record<Counters>*>(row);
    }
    // All members of one of those.
    template <class Part>
    Part as() const;

  private:
    // The number of a row of this layer that such a part begins with.
    template <class Part>
    std::size_t first_of() const;
    template <class Value>
    Value at(std::size_t number) const
    {
        static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) % sizeof(std::uint64_t) == 0);
        if (shape == &row_in_memory) {
            Value value;
            std::memcpy(&value, row + number * sizeof(std::uint64_t), sizeof value);
            return value;
        }
        std::array<std::uint64_t, sizeof(Value) / sizeof(std::uint64_t)> numbers;
        if constexpr (numbers.size() > 4 &&
                      numbers.size() <= 64)  // histograms, which most records have none of
            if (!shape->any(number, numbers.size())) return std::bit_cast<Value>(numbers = {});
        for (std::size_t one = 0; one < numbers.size(); ++one)
            numbers[one] = shape->number(row, number + one);
        return std::bit_cast<Value>(numbers);
    }
};

namespace detail {

// Where parts of a row begin, in numbers.
inline constexpr std::size_t number_bytes = sizeof(std::uint64_t);
inline constexpr std::size_t sharing_at[layers] = {sizeof(PosixCounters) / number_bytes,
                                                   sizeof(StdioCounters) / number_bytes,
                                                   sizeof(MpiioCounters) / number_bytes};
template <class Row>
inline constexpr std::size_t file_at = sizeof(Row) / number_bytes - 2;

template <class Owner, class Value>
std::size_t place_of(Value Owner::*member)
{
    static const Owner owner{};
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&(owner.*member)) -
                                    reinterpret_cast<const char*>(&owner)) /
           number_bytes;
}

}  // namespace detail

template <class Part>
std::size_t RecordView::first_of() const
{
    if constexpr (std::is_same_v<Part, Pattern>)
        return sizeof(Transfers) / detail::number_bytes;
    else if constexpr (std::is_same_v<Part, Content>)
        return (sizeof(Transfers) + sizeof(Pattern)) / detail::number_bytes;
    else if constexpr (std::is_same_v<Part, Sharing>)
        return detail::sharing_at[static_cast<std::size_t>(layer)];
    else
        return 0;  // Transfers, or all counters of its layer
}

template <class Owner, class Value>
Value RecordView::operator[](Value Owner::*member) const
{
    return at<Value>(first_of<Owner>() + detail::place_of(member));
}

template <class Part>
Part RecordView::as() const
{
    return at<Part>(first_of<Part>());
}

namespace detail {
template <class Counters, class To>
void merge_same_of(To& to, const RecordView& record)
{
    constexpr auto& same = same_counters<To, Counters>;
    static_assert(same.count > 0, "no counter of the two has the same name");
    for (std::size_t at = 0; at < same.count; ++at)
        merge_value(to.*same.one[at].to, record[same.one[at].from], same.one[at].rule);
}
}  // namespace detail

// Merges every number of a record into that of `to` of the same name, where it has one.
template <class To>
void merge_same(To& to, const RecordView& record)
{
    switch (record.layer) {
        case Layer::posix:
            return detail::merge_same_of<PosixCounters>(to, record);
        case Layer::stdio:
            return detail::merge_same_of<StdioCounters>(to, record);
        case Layer::mpiio:
            return detail::merge_same_of<MpiioCounters>(to, record);
    }
}

// Calls visit(counters) with the counters of a record as its layer has them.
template <class Visit>
void with_counters(const RecordView& record, Visit visit)
{
    switch (record.layer) {
        case Layer::posix:
            return visit(record.as<PosixCounters>());
        case Layer::stdio:
            return visit(record.as<StdioCounters>());
        case Layer::mpiio:
            return visit(record.as<MpiioCounters>());
    }
}

// Processes that did something to a file: how many, and one of them (the only one where there is one).
// `count` is a lower bound where a reduced record and records of later I/O are of the same file.
struct Movers {
    std::uint64_t count = 0;
    std::int64_t one = -1;  // process number
    // The log does not say how many of those that opened the file moved its data: all are counted.
    bool at_most = false;
};

// What a file's view keeps of the counters of its records (merge_same), and what files add up to.
struct FileSums {
    std::uint64_t opens = 0, reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
    std::uint64_t read_time = 0, write_time = 0, metadata_time = 0;
    std::uint64_t creates = 0, highest_read = 0, highest_written = 0, file_alignment = 0;

    std::uint64_t bytes() const { return bytes_read + bytes_written; }
    std::uint64_t time() const { return read_time + write_time + metadata_time; }
    std::uint64_t highest() const { return std::max(highest_read, highest_written); }

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using F = FileSums;
        visit(Field{"opens", &F::opens, Rule::sum, Unit::count, "calls that opened it"});
        visit(Field{"reads", &F::reads, Rule::sum, Unit::count, "reads"});
        visit(Field{"writes", &F::writes, Rule::sum, Unit::count, "writes"});
        visit(Field{"bytes_read", &F::bytes_read, Rule::sum, Unit::bytes, "bytes read"});
        visit(Field{"bytes_written", &F::bytes_written, Rule::sum, Unit::bytes, "bytes written"});
        visit(Field{"read_time", &F::read_time, Rule::sum, Unit::duration, "time in reads"});
        visit(Field{"write_time", &F::write_time, Rule::sum, Unit::duration, "time in writes and syncs"});
        visit(
            Field{"metadata_time", &F::metadata_time, Rule::sum, Unit::duration, "time in all other calls"});
        visit(Field{"creates", &F::creates, Rule::sum, Unit::count,
                    "opens that made it or emptied it; not of MPI-IO"});
        visit(Field{"highest_read", &F::highest_read, Rule::largest, Unit::bytes,
                    "offset just after the highest byte read; not of MPI-IO"});
        visit(Field{"highest_written", &F::highest_written, Rule::largest, Unit::bytes,
                    "and written; not of MPI-IO"});
        visit(Field{"file_alignment", &F::file_alignment, Rule::largest, Unit::bytes,
                    "block size that POSIX was given; 0: not known"});
    }
};

// Who used a file, and the process with most time in it.
struct FileUsers {
    Movers users{}, readers{}, writers{}, movers{};
    ProcessShare slowest{};
};

// One file as seen by some of the layers.
struct FileView : FileSums {
    bool present = false;
    std::int64_t process = reduced;  // that alone used it, where `several` says nothing
    std::shared_ptr<const FileUsers> several{};

    Movers users() const { return several ? several->users : if_alone(present); }
    Movers readers() const { return several ? several->readers : if_alone(bytes_read > 0); }
    Movers writers() const { return several ? several->writers : if_alone(bytes_written > 0); }
    Movers movers() const { return several ? several->movers : if_alone(bytes() > 0); }
    ProcessShare slowest() const
    {
        return several ? several->slowest : present ? ProcessShare{process, time(), bytes()} : ProcessShare{};
    }

  private:
    Movers if_alone(bool it_did) const { return it_did ? Movers{1, process, false} : Movers{}; }
};

// Whether a name stands for regular files, one or several; for several that are counted together.
constexpr bool is_of_several(NameKind kind)
{
    return kind == NameKind::overflow || kind == NameKind::by_path;
}
constexpr bool is_of_files(NameKind kind)
{
    return kind == NameKind::file || is_of_several(kind);
}

// Of the millions that a job may have: what is asked of all of them lies together.
struct FileUse {
    std::uint64_t file = 0;
    NameKind kind = NameKind::file;
    bool by_mpiio = false;
    // By MPI-IO where the file has such a record: few do.
    std::shared_ptr<const FileView> mpiio{};
    FileView system{};        // by POSIX and stdio
    std::string_view path{};  // empty where the log lost the name
    std::uint64_t files = 1;  // more, and about: of several

    // By MPI-IO where the file has such a record, else by POSIX and stdio.
    const FileView& application() const { return mpiio ? *mpiio : system; }
    bool counts_for_modes() const { return kind == NameKind::file; }
};

// Calls visit(record) for all records of a layer, in the order of its table.
template <class Row, class Visit>
void visit_records_in(const Log& log, Layer layer, Visit visit)
{
    const PackedRows& packed = log.packed<Row>();
    packed.each([&](const RowShape& shape, const std::byte* bytes) {
        constexpr std::size_t file = detail::file_at<Row>;
        visit(RecordView{shape.number(bytes, file), static_cast<std::int64_t>(shape.number(bytes, file + 1)),
                         &shape, bytes, layer});
    });
    if (packed.empty())
        for (const Row& row : log.rows<Row>())
            visit(RecordView{row.file, row.process, &row_in_memory, reinterpret_cast<const std::byte*>(&row),
                             layer});
}

// The same of all layers.
template <class Visit>
void visit_records(const Log& log, Visit visit)
{
    visit_records_in<PosixRecord>(log, Layer::posix, visit);
    visit_records_in<StdioRecord>(log, Layer::stdio, visit);
    visit_records_in<MpiioRecord>(log, Layer::mpiio, visit);
}

inline std::size_t count_records(const Log& log)
{
    return log.records<PosixRecord>() + log.records<StdioRecord>() + log.records<MpiioRecord>();
}

// All of them for which belongs(process) holds; reduced records belong always.
template <class Belongs>
std::vector<RecordView> records_where(const Log& log, Belongs belongs)
{
    std::vector<RecordView> all;
    reserve_large(all, count_records(log));
    visit_records(log, [&](const RecordView& record) {
        if (record.process == reduced || belongs(record.process)) all.push_back(record);
    });
    return all;
}
inline std::vector<RecordView> records_of(const Log& log)
{
    return records_where(log, [](std::int64_t) { return true; });
}

// Groups records by file, and sorts them by file on the way.
std::vector<FileUse> group_by_file(const Log& log, std::vector<RecordView>& records);

}  // namespace fathom
