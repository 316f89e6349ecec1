// Fuzzes the reader of Darshan's logs. Checksums of zlib would keep a mutation at the door, so the first byte
// says what the rest is: 'F' a file as it stands; any other: a file whose header is made to say that nothing
// in it is packed.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "logformat/log/trace.h"
#include "parsers/darshan/dataset.h"

namespace {

using namespace fathom;

constexpr std::size_t compression_at = 16;
constexpr unsigned char not_packed = 2;

void read(const std::string& path)
{
    try {
        const Log log = darshan::read_darshan_log(path);
        if (has_trace(log)) static_cast<void>(for_each_traced(log, [](const TraceEvent&) {}));
    } catch (const LogError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    if (size <= compression_at + 1) return 0;
    static const int fd = memfd_create("log", 0);
    static const std::string path = fmt::format("/proc/self/fd/{}", fd);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, data + 1, size - 1, 0) != static_cast<ssize_t>(size - 1))
        return 0;
    if (data[0] != 'F' && pwrite(fd, &not_packed, 1, compression_at) != 1) return 0;
    read(path);
    return 0;
}
