// Makes rows of a part, file by file, so that whoever wants them needs no memory for all of them at once.
#pragma once

#include <cstdint>
#include <span>

#include "logformat/part/part.h"
#include "logformat/part/part_times.h"
#include "logformat/part/part_trace.h"

namespace fathom {

// A file as one process used it: the records of the layers that saw it.
struct FileRecords {
    FileName name;
    bool in[layers] = {};
    PosixRecord posix;
    StdioRecord stdio;
    MpiioRecord mpiio;
    bool has_data_file = false, has_dataset = false;
    DataFileRecord data_file;
    DatasetRecord dataset;
};

// What a record of one process says of sharing follows from its counters.
template <class Counters>
void share_alone(Record<Counters>& record, std::int64_t process);

class PartReader {
  public:
    // Makes the rows of the process, its bursts, layouts, hints, failed paths and collective calls at once.
    // All that is given stays alive with the reader.
    PartReader(std::span<const std::byte> part, const ClockMap& clock, std::int64_t number, PartRows& rows);

    // False when memory ran out.
    bool good() const { return pieces_.good() && timings_good_ && rows_.good(); }

    // Goes from file to file, in the order of their first use. False after the last.
    bool next(FileRecords& file);

    // Makes the rows of the totals, once all files were given.
    void make_totals();

  private:
    // One counters chunk, sorted by where its file's name is in the part: files are then read in the order in
    // which they lie in memory, which is several times as fast as any other.
    enum class Whose : std::uint8_t { posix, stdio, mpiio, data_file, dataset };
    struct Piece {
        std::uint32_t name, chunk;
        Whose whose;
    };

    // Counters to which others were just being added, as they had been before.
    struct Before {
        std::uint32_t chunk;
        Whose whose;
        const void* counters;
    };

    void see_start(std::uint64_t ticks);
    void add_thread(const ThreadChunk& thread, Process& process);
    void add_deaths(const DeathsChunk& deaths, std::uint64_t parent);
    void add_starts(const StartsChunk& starts, std::uint64_t by);
    void add_layout(const LayoutChunk& layout);
    void add_hints(const NameChunk& name);
    void add_failures(const FailuresChunk& chunk, Process& process);
    void add_statements(const StatementsChunk& chunk, Process& process);
    void add_collectives(const CollectivesChunk& chunk);
    void add_piece(const CountersChunk& chunk);
    void add_before(const CountersChunk& chunk);
    template <class Counters>
    void add_before_of(const CountersChunk& chunk);
    const void* before_of(const Piece& piece);
    void sort_pieces();
    const CountersChunk& chunk_of(const Piece& piece) const;
    template <class Counters>
    void make_record(Record<Counters>& record, const FileName& file, std::span<const Piece> pieces,
                     Scope scope);
    // The same of what counts in no layer.
    template <class Counters>
    void make_library_record(Record<Counters>& record, const FileName& file, std::span<const Piece> pieces);
    std::uint64_t files_of(const NameChunk& name) const;

    std::span<const std::byte> part_;
    const ClockMap& clock_;
    std::int64_t number_;
    PartRows& rows_;
    Bytes pieces_, befores_;
    bool timings_good_ = true;
    std::size_t at_ = 0;
    Totals totals_[layers][3]{};
    std::uint64_t first_seen_ = 0, last_seen_ = 0;  // in a call; 0: in none
};

}  // namespace fathom
