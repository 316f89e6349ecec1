// Fuzzes the reader of parts, which a wild write of the program may have damaged. Its memory is bounded by
// the part's size. Parts for the first corpus:
//   LD_PRELOAD=libfathom.so FATHOM_SPOOL=FOLDER FATHOM_TRACE=yes PROGRAM, and the first 64 KiB of what is in
//   FOLDER.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "logformat/part/part.h"

using namespace fathom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < sizeof(PartHeader)) return 0;
    std::vector<std::uint64_t> copy(size / sizeof(std::uint64_t));
    std::memcpy(copy.data(), data, copy.size() * sizeof copy[0]);
    auto* const header = reinterpret_cast<PartHeader*>(copy.data());
    header->magic = part_magic;
    header->layout = part_layout();
    const auto part = std::as_bytes(std::span(copy));
    PartRows rows;
    read_part(part, {header->start_ticks, header->start_ns, 1}, 0, rows);
    std::size_t bytes = 0;
    for (const Bytes* const table :
         {&rows.processes,   &rows.totals,       &rows.bursts,      &rows.names,  &rows.layouts,
          &rows.hints,       &rows.posix,        &rows.stdio,       &rows.mpiio,  &rows.deaths,
          &rows.starts,      &rows.operations,   &rows.durations,   &rows.slices, &rows.trace_shapes,
          &rows.trace,       &rows.trace_places, &rows.trace_times, &rows.runs,   &rows.failed_paths,
          &rows.failed_sums, &rows.collectives})
        bytes += table->size();
    if (bytes > 4 * size + (std::size_t{64} << 20)) std::abort();
    return 0;
}
