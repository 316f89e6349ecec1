// Makes up what programs did through HDF5 and PnetCDF: datasets and files with what lies beneath.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "tests/analyzer/synthetic.h"

namespace fathom::testing {

inline Extents extents(std::initializer_list<std::uint64_t> of)
{
    Extents made;
    for (const std::uint64_t one : of) made.extent[made.rank++] = one;
    return made;
}

class DatasetLog : public Synthetic {
  public:
    std::uint64_t container = 0;

    explicit DatasetLog(std::int64_t count, std::string_view path = "/scratch/a.h5",
                        DataLibrary of = DataLibrary::hdf5)
        : library(of), path_(path)
    {
        ranks(count);
        container = file(path);
    }

    // A dataset of doubles, its calls by one process.
    DatasetRecord& dataset(std::string_view name, std::int64_t process)
    {
        DatasetRecord& row = log.rows<DatasetRecord>().emplace_back();
        const std::string path = path_ + ":" + std::string(name);
        for (const FileName& known : log.rows<FileName>())
            if (known.path == path) row.file = known.file;
        if (row.file == 0) row.file = file(path, NameKind::object);
        row.process = process;
        row.processes = 1;
        row.container = container;
        row.library = static_cast<std::uint64_t>(library);
        row.opens = 1;
        row.element_bytes = 8;
        return row;
    }
    DataFileRecord& data_file(std::int64_t process)
    {
        DataFileRecord& row = log.rows<DataFileRecord>().emplace_back();
        row.file = container;
        row.process = process;
        row.processes = 1;
        row.library = static_cast<std::uint64_t>(library);
        row.opens = row.closes = 1;
        row.driver = static_cast<std::uint64_t>(FileDriver::posix);
        return row;
    }

  private:
    DataLibrary library;
    std::string path_;
};

// So many writes of one size.
inline void add_writes(DatasetRecord& row, std::uint64_t calls, std::uint64_t size, std::uint64_t time)
{
    row.writes += calls;
    row.regular += calls;
    row.bytes_written += calls * size;
    row.write_time += time;
    row.write_size.add(size, calls);
    row.common_size.add(size, calls);
}
inline void add_reads(DatasetRecord& row, std::uint64_t calls, std::uint64_t size, std::uint64_t time)
{
    row.reads += calls;
    row.regular += calls;
    row.bytes_read += calls * size;
    row.read_time += time;
    row.read_size.add(size, calls);
    row.common_size.add(size, calls);
}
// What became of them in POSIX, in `time` of theirs.
inline void add_posix_writes(DatasetRecord& row, std::uint64_t calls, std::uint64_t size, std::uint64_t time)
{
    row.posix_writes += calls;
    row.posix_bytes_written += calls * size;
    row.posix_time += time;
    row.write_time_beneath += time;
}
inline void add_posix_reads(DatasetRecord& row, std::uint64_t calls, std::uint64_t size, std::uint64_t time)
{
    row.posix_reads += calls;
    row.posix_bytes_read += calls * size;
    row.posix_time += time;
    row.read_time_beneath += time;
}
inline void set_chunks(DatasetRecord& row, const Extents& dimensions, const Extents& chunk)
{
    row.dimensions = dimensions;
    row.chunk = chunk;
    row.layout = static_cast<std::uint64_t>(DataLayout::chunked);
    row.cache_bytes = 1 << 20;
    row.cache_slots = 521;
}

}  // namespace fathom::testing
