// The records of a log grouped by file: who moved each file's data at the application's layer and at the
// system's.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "logformat/log/large_pages.h"
#include "logformat/log/log.h"

namespace fathom {

// What the layers' records have in common.
struct RecordView {
    std::uint64_t file = 0;
    std::int64_t process = reduced;
    Layer layer = Layer::posix;
    const Transfers* transfers = nullptr;
    const Sharing* sharing = nullptr;
    const Pattern* pattern = nullptr;  // none for MPI-IO
};

// Calls visit(counters) with the counters of a record as its layer has them.
template <class Visit>
void with_counters(const RecordView& record, Visit visit)
{
    switch (record.layer) {
        case Layer::posix:
            return visit(
                static_cast<const PosixCounters&>(static_cast<const PosixRecord&>(*record.transfers)));
        case Layer::stdio:
            return visit(
                static_cast<const StdioCounters&>(static_cast<const StdioRecord&>(*record.transfers)));
        case Layer::mpiio:
            return visit(
                static_cast<const MpiioCounters&>(static_cast<const MpiioRecord&>(*record.transfers)));
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

// One file as seen by some of the layers.
struct FileView : FileSums {
    bool present = false;
    Movers users{}, readers{}, writers{}, movers{};
    ProcessShare slowest{};  // the process with most time in it
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

struct FileUse {
    std::uint64_t file = 0;
    NameKind kind = NameKind::file;
    bool by_mpiio = false;
    std::string_view path{};  // empty where the log lost the name
    std::uint64_t files = 1;  // more, and about: of several
    FileView system{};        // by POSIX and stdio
    // By MPI-IO where the file has such a record. Of the millions of files that a job may have, few do.
    std::shared_ptr<const FileView> mpiio{};

    // By MPI-IO where the file has such a record, else by POSIX and stdio.
    const FileView& application() const { return mpiio ? *mpiio : system; }
    bool counts_for_modes() const { return kind == NameKind::file; }
};

// Calls visit(record) for all records of a log, in the order of its tables.
template <class Visit>
void visit_records(const Log& log, Visit visit)
{
    for (const PosixRecord& row : log.rows<PosixRecord>())
        visit(RecordView{row.file, row.process, Layer::posix, &row, &row, &row});
    for (const StdioRecord& row : log.rows<StdioRecord>())
        visit(RecordView{row.file, row.process, Layer::stdio, &row, &row, &row});
    for (const MpiioRecord& row : log.rows<MpiioRecord>())
        visit(RecordView{row.file, row.process, Layer::mpiio, &row, &row, nullptr});
}

// All of them for which belongs(process) holds; reduced records belong always.
template <class Belongs>
std::vector<RecordView> records_where(const Log& log, Belongs belongs)
{
    std::vector<RecordView> all;
    reserve_large(all, log.rows<PosixRecord>().size() + log.rows<StdioRecord>().size() +
                           log.rows<MpiioRecord>().size());
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
