// How files are spread over the servers of a Lustre file system: asked for once, when this process first
// opens a file there.
#pragma once

#include <cstdint>
#include <sys/stat.h>

#include "logformat/part/part.h"

namespace fathom {

// The kernel numbers devices in 32 bits.
inline std::uint32_t device_of(const struct stat& about)
{
    return static_cast<std::uint32_t>(about.st_dev);
}

// This process has opened a file that it had not opened before. Asks the kernel of what type the file system
// is, once for each device, and of the file's layout where it is Lustre.
void note_first_open(int fd, NameChunk& file);

}  // namespace fathom
