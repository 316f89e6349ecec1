// The texts of the job's region: metadata, command line and mounts in the room that the format has for them.
#pragma once

#include <cstddef>
#include <string>

#include "parsers/darshan/records.h"

namespace fathom::darshan {

struct JobText {
    static constexpr std::size_t metadata_bytes = 1024, region_bytes = 4096, numbers = 7;
    static constexpr std::size_t command_bytes = region_bytes - numbers * 8 - metadata_bytes;

    // Line feeds in values become spaces. A command line that is too long loses its end, at most what the
    // mounts need; of these the last ones are left out.
    explicit JobText(const JobRecord& job);

    std::string metadata;            // metadata_bytes, filled up with zeros
    std::string command_and_mounts;  // with the zero at its end, at most command_bytes
    std::size_t metadata_left_out = 0, mounts_left_out = 0;
    bool command_cut = false;
};

}  // namespace fathom::darshan
