// Groups records by file id and counts the distinct processes behind each file.
#include "analyzer/job/files.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace fathom {
namespace {

// Counts distinct processes; a reduced record brings only a number, so the larger of the two is what is
// certain.
class Distinct {
  public:
    void add(std::int64_t process, const Movers& together)
    {
        if (process != reduced)
            processes_.push_back(process);
        else if (together.count > reduced_.count)
            reduced_ = together;
    }
    Movers result()
    {
        std::sort(processes_.begin(), processes_.end());
        processes_.erase(std::unique(processes_.begin(), processes_.end()), processes_.end());
        const std::uint64_t known = processes_.size();
        return {std::max(known, reduced_.count), known > 0 ? processes_.front() : reduced_.one,
                reduced_.at_most && reduced_.count > known};
    }

  private:
    std::vector<std::int64_t> processes_;
    Movers reduced_;
};

// Who moved `bytes` of a reduced record, where the log counts neither readers nor writers: one rank, where
// the slowest or the fastest moved all that was moved; else all that opened the file, at most.
Movers movers_by_extremes(const Sharing& sharing, std::uint64_t bytes, std::uint64_t all_bytes)
{
    for (const ProcessShare* const one : {static_cast<const ProcessShare*>(&sharing.slowest),
                                          static_cast<const ProcessShare*>(&sharing.fastest)})
        if (one->process >= 0 && one->bytes == all_bytes) return {1, one->process, false};
    const std::uint64_t number = std::max<std::uint64_t>(sharing.processes, 1);
    // Each moved as much as the others.
    const bool equal = bytes == all_bytes && sharing.bytes.n > 1 && sharing.bytes.squares == 0 &&
                       sharing.slowest.process >= 0 && sharing.slowest.bytes * number == all_bytes;
    return {number, sharing.slowest.process, number > 1 && !equal};
}

// `counted`: readers or writers, 0 where they are not recorded although there are some. A reduced record
// names but the slowest of its processes: the likely one where only one moved data.
Movers movers_of(const Sharing& sharing, std::uint64_t counted, std::uint64_t bytes, std::uint64_t all_bytes)
{
    if (counted > 0) return {counted, sharing.slowest.process, false};
    return movers_by_extremes(sharing, bytes, all_bytes);
}

// Of one process, as most files are.
FileView view_of_one(const RecordView& record)
{
    FileView view;
    view.present = true;
    merge_same(static_cast<FileSums&>(view), record);
    view.process = record.process;
    return view;
}

FileView view_of(std::span<const RecordView> records)
{
    if (records.size() == 1 && records[0].process != reduced) return view_of_one(records[0]);
    FileView view;
    FileUsers by;
    Distinct users, readers, writers, movers;
    std::map<std::int64_t, ProcessShare> by_process;
    for (const RecordView& record : records) {
        view.present = true;
        merge_same(static_cast<FileSums&>(view), record);
        const Sharing sharing = record.process == reduced ? record.as<Sharing>() : Sharing{};
        const std::uint64_t read = record[&Transfers::bytes_read],
                            written = record[&Transfers::bytes_written], bytes = read + written;
        users.add(record.process,
                  {std::max<std::uint64_t>(sharing.processes, 1), sharing.slowest.process, false});
        if (read > 0) readers.add(record.process, movers_of(sharing, sharing.readers, read, bytes));
        if (written > 0) writers.add(record.process, movers_of(sharing, sharing.writers, written, bytes));
        if (bytes > 0)
            movers.add(record.process,
                       movers_of(sharing, std::max(sharing.readers, sharing.writers), bytes, bytes));
        if (record.process == reduced) {
            if (sharing.slowest.process >= 0 && sharing.slowest.time >= by.slowest.time)
                by.slowest = sharing.slowest;
            continue;
        }
        ProcessShare& share = by_process[record.process];
        share.process = record.process;
        share.time += record.time();
        share.bytes += bytes;
    }
    for (const auto& [process, share] : by_process)
        if (by.slowest.process < 0 || share.time > by.slowest.time) by.slowest = share;
    by.users = users.result();
    by.readers = readers.result();
    by.writers = writers.result();
    by.movers = movers.result();
    view.several = std::make_shared<const FileUsers>(by);
    return view;
}

// Of records that are sorted by file.
std::size_t files_among(const std::vector<RecordView>& records)
{
    std::size_t files = 0;
    for (std::size_t at = 0; at < records.size(); ++at)
        files += at == 0 || records[at].file != records[at - 1].file;
    return files;
}

// Where something of a file is.
struct Place {
    std::uint64_t file = 0;
    std::size_t at = 0;
};

// By file, in the order in which they come within one: keys alone are sorted, since what they stand for is
// much larger.
template <class FileOf>
std::vector<Place> places_by_file(std::size_t count, FileOf file_of)
{
    std::vector<Place> places;
    reserve_large(places, count);
    for (std::size_t at = 0; at < count; ++at) places.push_back({file_of(at), at});
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.file != b.file ? a.file < b.file : a.at < b.at;
    });
    return places;
}

// They come by layer, MPI-IO last: so that a file's records split in two runs.
void sort_by_file(std::vector<RecordView>& records)
{
    const std::vector<Place> places =
        places_by_file(records.size(), [&](std::size_t at) { return records[at].file; });
    std::vector<RecordView> sorted;
    reserve_large(sorted, records.size());
    for (const Place& place : places) sorted.push_back(records[place.at]);
    records = std::move(sorted);
}

}  // namespace

std::vector<FileUse> group_by_file(const Log& log, std::vector<RecordView>& records)
{
    // By id, as the files come: a table to look them up in would take more memory than the names.
    const auto& rows = log.rows<FileName>();
    const std::vector<Place> names =
        places_by_file(rows.size(), [&](std::size_t at) { return rows[at].file; });
    auto name = names.begin();
    sort_by_file(records);
    std::vector<FileUse> files;
    reserve_large(files, files_among(records));
    const std::span<const RecordView> all(records);
    for (std::size_t from = 0; from < all.size();) {
        std::size_t mpiio = from, to = from;
        while (to < all.size() && all[to].file == all[from].file) {
            if (all[to].layer != Layer::mpiio) mpiio = to + 1;
            ++to;
        }
        FileUse use{.file = all[from].file};
        while (name != names.end() && name->file < use.file) ++name;
        if (name != names.end() && name->file == use.file) {
            // Several processes may bring a name each; the kinds merge to the largest, as the schema says.
            FileName merged = rows[name->at];
            while (++name != names.end() && name->file == use.file) merge(merged, rows[name->at]);
            use.path = merged.path;
            use.kind = static_cast<NameKind>(merged.kind);
            use.files = std::max<std::uint64_t>(merged.files, 1);
        }
        if (from < mpiio) use.system = view_of(all.subspan(from, mpiio - from));
        use.by_mpiio = mpiio < to;
        if (use.by_mpiio)
            use.mpiio = std::make_shared<const FileView>(view_of(all.subspan(mpiio, to - mpiio)));
        files.push_back(std::move(use));
        from = to;
    }
    return files;
}

}  // namespace fathom
