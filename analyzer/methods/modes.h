// I/O modes: how the processes of a job share out files among them.
//
// Sources: Yang et al., "End-to-end I/O Monitoring on a Leading Supercomputer" (NSDI 2019), section 3.3 (N-N,
// N-1, N-M, 1-1); Carns et al. (ACM TOS 2011), section 3.1 (unique, shared and partially shared files).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fathom {

// By the number of ranks that moved data of the file: one, several but not all of the job, all of it. A file
// of a job of one process is unique.
enum class FileClass : std::uint8_t { none, unique, partly_shared, shared };
inline constexpr std::size_t file_class_count = 4;
inline constexpr std::array<std::string_view, file_class_count> file_class_names = {
    "no data", "unique", "partly shared", "shared"};
FileClass file_class(std::uint64_t movers, std::uint64_t ranks);

//   1-1  one rank alone moved the data
//   N-1  files that all ranks of the job shared
//   N-N  files of one rank each, and every rank has some
//        (files that MPI-IO gathered for one rank to write count apart from those that ranks wrote for
//        themselves)
//   N-M  aggregation: files of one rank each where only some ranks have any, and files that some of the ranks
//   shared
enum class Mode : std::uint8_t { none, one_to_one, n_to_1, n_to_n, n_to_m };
inline constexpr std::size_t mode_count = 5;
inline constexpr std::array<std::string_view, mode_count> mode_names = {"none", "1-1", "N-1", "N-N", "N-M"};

// One file in one direction: the bytes moved, the ranks that moved them, and which it was if it was one.
struct FileData {
    std::uint64_t bytes = 0;
    std::uint64_t movers = 0;
    std::int64_t only_mover = -1;
    bool aggregated = false;  // what a library above it gathered: beneath MPI-IO
};

struct FilesAndBytes {
    std::uint64_t files = 0, bytes = 0;
};

struct ModeStudy {
    std::uint64_t ranks = 0;                // N: ranks of the job
    std::uint64_t movers = 0;               // |R|: those that moved data
    std::array<std::uint64_t, 2> owners{};  // those that have files of their own; [1]: aggregated ones
    Mode mode = Mode::none;                 // the one with most bytes
    std::array<FilesAndBytes, mode_count> by_mode{};
    std::array<FilesAndBytes, file_class_count> by_class{};

    Mode mode_of(const FileData& file) const;
};

// Files without bytes are passed over.
ModeStudy study_modes(std::span<const FileData> files, std::uint64_t movers, std::uint64_t ranks);

}  // namespace fathom
