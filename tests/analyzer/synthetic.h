// Makes up logs for tests: processes, files and what each process did to each, with totals that agree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "logformat/duration_bins.h"
#include "logformat/log/log.h"

namespace fathom::testing {

inline constexpr std::uint64_t second = 1'000'000'000;
inline constexpr std::uint64_t job_start = 1'800'000'000 * second;
inline constexpr std::uint64_t mib = 1 << 20;

struct Io {
    std::uint64_t bytes_read = 0, bytes_written = 0;
    std::uint64_t read_time = 0, write_time = 0, metadata_time = 0;
};

class Synthetic {
  public:
    Log log;

    // Numbers are given in order from 0; returns the number.
    std::int64_t process(std::int64_t rank, std::string_view host = "node0", std::uint64_t pid = 0,
                         std::uint64_t parent = 1)
    {
        const auto number = static_cast<std::int64_t>(log.rows<Process>().size());
        Process& one = log.rows<Process>().emplace_back();
        one.process = number;
        one.rank = rank;
        one.pid = pid == 0 ? 1000 + static_cast<std::uint64_t>(number) : pid;
        one.parent = parent;
        one.start = job_start;
        one.end = job_start + 100 * second;
        one.ending = static_cast<std::uint64_t>(Ending::exited);
        one.host = log.keep(host);
        one.program = "/home/user/app";
        return number;
    }
    void ranks(std::int64_t count, std::int64_t per_node = 1000)
    {
        for (std::int64_t rank = 0; rank < count; ++rank)
            process(rank, "node" + std::to_string(rank / per_node));
    }

    std::uint64_t file(std::string_view path, NameKind kind = NameKind::file)
    {
        const std::uint64_t id = 100 + log.rows<FileName>().size();
        log.rows<FileName>().push_back({id, static_cast<std::uint64_t>(kind), log.keep(path)});
        return id;
    }

    // One process's I/O on a file: its record and its totals.
    template <class Row>
    Row& io(std::uint64_t id, std::int64_t number, const Io& done, Scope scope = Scope::direct)
    {
        Row& row = log.rows<Row>().emplace_back();
        row.file = id;
        row.process = number;
        row.processes = 1;
        row.opens = 1;
        fill(row, done);
        row.readers = done.bytes_read > 0;
        row.writers = done.bytes_written > 0;
        total(number, layer_of<Row>(), scope, done);
        return row;
    }

    // The record of a file that `processes` of them share, without totals.
    template <class Row>
    Row& reduced_io(std::uint64_t id, std::uint64_t processes, std::uint64_t readers, std::uint64_t writers,
                    const Io& done)
    {
        Row& row = log.rows<Row>().emplace_back();
        row.file = id;
        row.process = reduced;
        row.processes = processes;
        row.readers = readers;
        row.writers = writers;
        fill(row, done);
        return row;
    }

    void total(std::int64_t number, Layer layer, Scope scope, const Io& done)
    {
        Totals& totals = log.rows<Totals>().emplace_back();
        totals.process = number;
        totals.layer = static_cast<std::uint64_t>(layer);
        totals.scope = static_cast<std::uint64_t>(scope);
        totals.files = 1;
        totals.bytes_read = done.bytes_read;
        totals.bytes_written = done.bytes_written;
        totals.read_time = done.read_time;
        totals.write_time = done.write_time;
        totals.metadata_time = done.metadata_time;
    }

    void burst(std::int64_t number, double from, double to)
    {
        const auto at = [](double seconds) { return job_start + static_cast<std::uint64_t>(seconds * 1e9); };
        log.rows<Burst>().push_back({number, at(from), at(to)});
    }

    // What a process did on files in the slice that begins so many lengths after the one that job_start is
    // in.
    Slice& slice(std::int64_t number, Layer layer, std::uint64_t at, std::uint64_t length, const Io& done)
    {
        Slice& one = log.rows<Slice>().emplace_back();
        one.process = number;
        one.layer = static_cast<std::uint64_t>(layer);
        one.start = (job_start / length + at) * length;
        one.length = length;
        one.reads = done.bytes_read > 0;
        one.writes = done.bytes_written > 0;
        one.metadata = done.metadata_time > 0;
        one.bytes_read = done.bytes_read;
        one.bytes_written = done.bytes_written;
        one.read_time = done.read_time;
        one.write_time = done.write_time;
        one.metadata_time = done.metadata_time;
        return one;
    }

    // Operations of one class, by how long each took.
    void operations(Layer layer, Kind kind, std::size_t size_class,
                    const std::vector<std::uint64_t>& durations, bool streams = false)
    {
        OperationTimes& all = log.rows<OperationTimes>().emplace_back();
        all.layer = static_cast<std::uint64_t>(layer);
        all.kind = static_cast<std::uint64_t>(kind);
        all.size_class = size_class;
        all.streams = streams ? 1 : 0;
        std::map<std::size_t, std::uint64_t> histogram;
        for (const std::uint64_t duration : durations) {
            ++all.operations;
            all.time += duration;
            all.longest = std::max(all.longest, duration);
            ++histogram[bins::bin_of(duration).number()];
        }
        for (const auto& [number, count] : histogram) {
            DurationBin& bin = log.rows<DurationBin>().emplace_back();
            static_cast<OperationClass&>(bin) = all;
            bin.at_least = bins::at_least(number);
            bin.below = bin.at_least + bins::width(number);
            bin.operations = count;
        }
    }

  private:
    template <class Row>
    static constexpr Layer layer_of()
    {
        if constexpr (std::is_same_v<Row, PosixRecord>)
            return Layer::posix;
        else if constexpr (std::is_same_v<Row, StdioRecord>)
            return Layer::stdio;
        else
            return Layer::mpiio;
    }

    static void fill(Transfers& row, const Io& done)
    {
        row.reads = done.bytes_read > 0;
        row.writes = done.bytes_written > 0;
        row.bytes_read = done.bytes_read;
        row.bytes_written = done.bytes_written;
        row.read_time = done.read_time;
        row.write_time = done.write_time;
        row.metadata_time = done.metadata_time;
        if (done.bytes_read > 0) row.read_size.add(done.bytes_read);
        if (done.bytes_written > 0) row.write_size.add(done.bytes_written);
    }
};

}  // namespace fathom::testing
