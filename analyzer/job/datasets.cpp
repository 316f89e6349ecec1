// Groups records by name, and adds them up.
#include "analyzer/job/datasets.h"

#include <algorithm>
#include <unordered_map>

#include "analyzer/job/library_counters.h"

namespace fathom {
namespace {

struct Names {
    explicit Names(const Log& log)
    {
        for (const FileName& name : log.rows<FileName>()) {
            known.try_emplace(name.file, &name);
            if (name.kind == static_cast<std::uint64_t>(NameKind::file))
                files.try_emplace(name.path, name.file);
        }
    }
    // The file that an object is in, by its name, "/scratch/a.h5:/group/u"; 0: not known.
    std::uint64_t container_of(std::string_view object) const
    {
        for (std::size_t at = object.find(':'); at != std::string_view::npos; at = object.find(':', at + 1))
            if (const auto found = files.find(object.substr(0, at)); found != files.end())
                return found->second;
        return 0;
    }
    std::string_view path_of(std::uint64_t file) const
    {
        const auto found = known.find(file);
        return found == known.end() ? std::string_view() : found->second->path;
    }

    std::unordered_map<std::uint64_t, const FileName*> known;
    std::unordered_map<std::string_view, std::uint64_t> files;  // by path
};

// The product of extents; 0 where not all of them are known.
std::uint64_t product(const Extents& of)
{
    if (of.rank == 0 || of.rank > Extents::most) return 0;
    std::uint64_t all = 1;
    for (std::size_t at = 0; at < of.rank; ++at)
        if (__builtin_mul_overflow(all, of.extent[at], &all)) return 0;
    return all;
}

template <class Record>
std::vector<const Record*> by_file(const Log& log, const std::deque<Record>& made)
{
    std::vector<const Record*> records;
    records.reserve(log.rows<Record>().size() + made.size());
    for (const Record& record : log.rows<Record>()) records.push_back(&record);
    for (const Record& record : made) records.push_back(&record);
    std::stable_sort(records.begin(), records.end(),
                     [](const Record* a, const Record* b) { return a->file < b->file; });
    return records;
}

// Calls visit(records of one file).
template <class Record, class Visit>
void each_group(const std::vector<const Record*>& records, Visit visit)
{
    for (std::size_t from = 0, to = 0; from < records.size(); from = to) {
        while (to < records.size() && records[to]->file == records[from]->file) ++to;
        visit(std::span<const Record* const>(records).subspan(from, to - from));
    }
}

bool is_pnetcdf(std::uint64_t library)
{
    return library == static_cast<std::uint64_t>(DataLibrary::pnetcdf);
}

}  // namespace

std::uint64_t DatasetUse::chunk_bytes() const
{
    return is_one() ? product(sums.chunk) * sums.element_bytes : 0;
}

std::uint64_t DatasetUse::chunks() const
{
    const Extents &all = sums.dimensions, &chunk = sums.chunk;
    if (!is_one() || all.rank == 0 || all.rank != chunk.rank || all.rank > Extents::most) return 0;
    std::uint64_t chunks = 1;
    for (std::size_t at = 0; at < all.rank; ++at) {
        if (chunk.extent[at] == 0) return 0;
        const std::uint64_t along =
            all.extent[at] / chunk.extent[at] + (all.extent[at] % chunk.extent[at] != 0);
        if (__builtin_mul_overflow(chunks, along, &chunks)) return 0;
    }
    return chunks;
}

Datasets::Datasets(const Log& log)
{
    DarshanObjects darshan = objects_of_darshan(log);
    made_datasets_ = std::move(darshan.datasets);
    made_files_ = std::move(darshan.files);
    dataset_records_ = by_file(log, made_datasets_);
    file_records_ = by_file(log, made_files_);
    if (dataset_records_.empty() && file_records_.empty())
        return;  // as of most: a million names take a while
    const Names names(log);
    const bool from_rows = log.rows<LibraryCounter>().empty();
    each_group(dataset_records_, [&](std::span<const DatasetRecord* const> records) {
        DatasetUse& use = datasets_.emplace_back();
        use.file = records.front()->file;
        use.records = records;
        use.sums = *records.front();
        for (const DatasetRecord* const record : records.subspan(1))
            merge<DatasetCounters>(use.sums, static_cast<const DatasetCounters&>(*record));
        const auto name = names.known.find(use.file);
        if (name != names.known.end()) {
            use.path = name->second->path;
            use.objects = std::max<std::uint64_t>(name->second->files, 1);
        }
        if (use.sums.container == 0) use.sums.container = names.container_of(use.path);
        use.container = names.path_of(use.sums.container);
        const std::size_t from = use.container.size();
        use.name = !use.container.empty() && use.path.size() > from + 1 &&
                           use.path.starts_with(use.container) && use.path[from] == ':'
                       ? use.path.substr(from + 1)
                       : use.path;
        const auto told = darshan.told.find(use.file);
        use.own = from_rows || told == darshan.told.end();
        use.collective_counted = use.own || is_pnetcdf(use.sums.library);
        use.some_collective = use.collective() > 0 || (!use.own && told->second.collective);
    });
    each_group(file_records_, [&](std::span<const DataFileRecord* const> records) {
        DataFileUse& use = files_.emplace_back();
        use.file = records.front()->file;
        use.records = records;
        use.sums = *records.front();
        for (const DataFileRecord* const record : records.subspan(1))
            merge<DataFileCounters>(use.sums, static_cast<const DataFileCounters&>(*record));
        use.path = names.path_of(use.file);
        const auto told = darshan.told.find(use.file);
        use.own = from_rows || told == darshan.told.end();
        if (!use.own) {
            use.bytes_read = told->second.bytes_read;
            use.bytes_written = told->second.bytes_written;
        }
        use.by_mpiio = use.sums.driver == static_cast<std::uint64_t>(FileDriver::mpiio) ||
                       use.sums.collective_opens > 0 || is_pnetcdf(use.sums.library);
    });
    for (DatasetUse& use : datasets_)
        if (const DataFileUse* const file = file_of(use.sums.container);
            file != nullptr && use.sums.cache_bytes == 0)
            use.sums.cache_bytes = file->sums.cache_bytes;
    for (const DatasetUse& use : datasets_) by_container_.push_back(&use);
    std::stable_sort(
        by_container_.begin(), by_container_.end(),
        [](const DatasetUse* a, const DatasetUse* b) { return a->sums.container < b->sums.container; });
}

const DataFileUse* Datasets::file_of(std::uint64_t id) const
{
    const auto found =
        std::lower_bound(files_.begin(), files_.end(), id,
                         [](const DataFileUse& use, std::uint64_t file) { return use.file < file; });
    return found != files_.end() && found->file == id ? &*found : nullptr;
}

std::span<const DatasetUse* const> Datasets::in_file(std::uint64_t id) const
{
    const auto found = std::ranges::equal_range(by_container_, id, {},
                                                [](const DatasetUse* use) { return use->sums.container; });
    return {found.begin(), found.end()};
}

bool has_datasets(const Log& log)
{
    return !log.rows<LibraryCounter>().empty() || !log.rows<DataFileRecord>().empty() ||
           !log.rows<DatasetRecord>().empty();
}

}  // namespace fathom
