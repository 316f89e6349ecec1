// This process's place among MPI's ranks: all that recording knows of MPI.
#pragma once

#include <cstdint>

namespace fathom {

// In MPI_COMM_WORLD: -1 of 0 before MPI_Init and in processes without MPI.
struct World {
    std::int64_t rank = -1;
    std::uint64_t size = 0;
    long pid = 0;           // a forked child of a rank is no rank
    bool gathered = false;  // MPI_Finalize has written the log
};
extern World world;

}  // namespace fathom
