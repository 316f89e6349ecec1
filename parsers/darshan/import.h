// What goes along while a log of Darshan becomes one of ours: each file of import_*.cpp takes its part of the
// work.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "logformat/log/lacking.h"
#include "logformat/log/log.h"
#include "parsers/darshan/conversion.h"
#include "parsers/darshan/file.h"
#include "parsers/darshan/file_names.h"

namespace fathom::darshan {

// Memory that the log may take, in bytes; docs/DARSHAN.md states it.
inline constexpr std::uint64_t room_of_any_file = std::uint64_t{1} << 28, room_for_each_byte = 256;
// Process rows are made for all ranks up to so many; beyond, for those alone that records name.
inline constexpr std::int64_t most_process_rows = 1 << 20;

struct Import {
    Import(const File& from, Log& to)
        : file(from),
          log(to),
          clock(from.job()),
          names(from),
          processes(from.job().processes),
          room(room_of_any_file + room_for_each_byte * from.size())
    {}

    const File& file;
    Log& log;
    JobClock clock;
    FileNames names;
    std::int64_t processes;  // ranks of the job; 0 or less: not known
    std::uint64_t room;      // bytes left

    std::unordered_set<std::uint64_t> in_mpiio;  // Darshan's ids of files with a record there
    bool stdio_on_files = false;                 // some record of STDIO is of no standard stream
    bool mpi = false;                            // one process, and its records are reduced as MPI jobs' are

    // What DXT has of a rank.
    struct Traced {
        std::string_view host;  // kept by the log
        std::uint64_t operations = 0, burst_gap = 0;
    };
    std::map<std::int64_t, Traced> traced;
    // Ids of ours of the files that it traced, by Darshan's.
    std::shared_ptr<std::unordered_map<std::uint64_t, std::uint64_t>> traced_files =
        std::make_shared<std::unordered_map<std::uint64_t, std::uint64_t>>();
    std::set<std::int64_t> further_ranks;  // that records name and that have no row for being in the job

    // Takes memory for so many bytes of rows; false where the file cannot hold so much.
    bool take(std::uint64_t bytes)
    {
        if (bytes > room) return false;
        room -= bytes;
        return true;
    }
    // Adds a sentence on what is missing; nothing where it is empty.
    void problem(std::string_view what);
    // Says how many records of a module were left out: of ranks that the job does not have.
    void tell_of_no_rank(Module module, std::uint64_t records);

    // As below; notes ranks that need a row.
    std::optional<std::int64_t> process_of(std::int64_t rank);
};

// The process that a record of this rank is of: `reduced` for -1, but process 0 where the job has no other.
// Nothing for a rank that the job does not have.
std::optional<std::int64_t> process_of(std::int64_t rank, std::int64_t processes);

// Records of the three layers, their totals, and which columns they lack.
void import_records(Import& import);
// What HDF5 and PnetCDF counted.
void import_libraries(Import& import);
void import_layouts(Import& import);
// Histograms, slices and bursts from DXT, slices from HEATMAP.
void import_timings(Import& import);
void import_processes(Import& import);
// Facts of the job, mounts, and what the file itself says is missing from it.
void import_job(Import& import);

}  // namespace fathom::darshan
