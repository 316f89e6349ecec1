// What programs asked of HDF5 and PnetCDF: files of theirs and what is in them, whoever recorded it. Logs of
// Darshan have the same in the table `libraries`, by Darshan's names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/log/log.h"

namespace fathom {

// A dataset of HDF5 or a variable of PnetCDF, over all processes.
struct DatasetUse {
    std::uint64_t file = 0;          // id of its name
    std::string_view path;           // "/scratch/a.h5:/group/u"; empty where the log lost it
    std::string_view name;           // of it in its file: "/group/u"
    std::string_view container;      // path of its file; empty: not known
    std::uint64_t objects = 1;       // more, and about: those of a file for which there was no room
    DatasetCounters sums;            //
    bool own = true;                 // false: Darshan's, which has nothing of what lies beneath
    bool collective_counted = true;  // false: `some_collective` is all that is known
    bool some_collective = false;
    std::span<const DatasetRecord* const> records;

    // False: it stands for several, of which it has the sums.
    bool is_one() const { return !name.starts_with('<'); }
    // By netCDF itself, in a file of the classic formats.
    bool is_classic() const { return sums.library == static_cast<std::uint64_t>(DataLibrary::netcdf); }
    // Of PnetCDF or netCDF, rather than a dataset of HDF5.
    bool is_variable() const { return sums.library > static_cast<std::uint64_t>(DataLibrary::hdf5); }
    std::uint64_t calls() const { return sums.reads + sums.writes; }
    std::uint64_t bytes() const { return sums.bytes_read + sums.bytes_written; }
    std::uint64_t collective() const { return sums.collective_reads + sums.collective_writes; }
    std::uint64_t time() const { return sums.read_time + sums.write_time + sums.metadata_time; }
    std::uint64_t time_beneath() const
    {
        return sums.read_time_beneath + sums.write_time_beneath + sums.metadata_time_beneath;
    }
    // Of the library itself: packing, conversion, filters, chunk cache.
    std::uint64_t own_time() const { return time() - std::min(time(), time_beneath()); }
    std::uint64_t chunk_bytes() const;  // of a chunk as it is in memory; 0: it has none, or that is not known
    std::uint64_t chunks() const;       // that it has; 0: not known
};

// A file of such a library: what was done with it, but for its datasets.
struct DataFileUse {
    std::uint64_t file = 0;
    std::string_view path;
    DataFileCounters sums;
    bool own = true;
    bool by_mpiio = false;
    std::uint64_t bytes_read = 0, bytes_written = 0;  // PnetCDF's in Darshan's logs; else 0
    std::span<const DataFileRecord* const> records;

    std::uint64_t opens() const { return sums.opens + sums.creates; }
    // Of the library itself, as of a dataset.
    std::uint64_t own_time() const
    {
        return sums.metadata_time - std::min(sums.metadata_time, sums.beneath_time);
    }
};

class Datasets {
  public:
    explicit Datasets(const Log& log);
    Datasets(const Datasets&) = delete;
    Datasets& operator=(const Datasets&) = delete;

    const std::vector<DatasetUse>& datasets() const { return datasets_; }
    const std::vector<DataFileUse>& files() const { return files_; }
    bool empty() const { return datasets_.empty() && files_.empty(); }
    const DataFileUse* file_of(std::uint64_t id) const;
    // The datasets in the file with this id.
    std::span<const DatasetUse* const> in_file(std::uint64_t id) const;

  private:
    std::deque<DatasetRecord> made_datasets_;  // of Darshan's counters
    std::deque<DataFileRecord> made_files_;
    std::vector<const DatasetRecord*> dataset_records_;
    std::vector<const DataFileRecord*> file_records_;
    std::vector<DatasetUse> datasets_;  // by id
    std::vector<const DatasetUse*> by_container_;
    std::vector<DataFileUse> files_;  // by id
};

bool has_datasets(const Log& log);

}  // namespace fathom
