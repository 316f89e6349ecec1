// Writes a log to a file: whole, or not at all.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "logformat/encode.h"
#include "logformat/log.h"

namespace fathom {

void write_log(const Log& log, const std::string& path)
{
    Bytes bytes;
    Encoder encoder(bytes);
    encoder.begin();
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        encoder.rows(std::span<const Row>(log.rows<Row>()));
    });
    encoder.end(encoder.blocks());
    if (!encoder.good()) throw LogError(path + ": no memory left to write the log");

    const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
    const auto fail = [&](const char* what) {
        const std::string why = std::strerror(errno);
        unlink(temporary.c_str());
        throw LogError(fmt::format("{}: cannot {} the log: {}", path, what, why));
    };
    const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) fail("create");
    auto rest = bytes.view();
    while (!rest.empty()) {
        const ssize_t written = write(fd, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            const int why = written == 0 ? ENOSPC : errno;
            close(fd);
            errno = why;
            fail("write");
        }
        rest = rest.subspan(static_cast<std::size_t>(written));
    }
    const bool flushed = fsync(fd) == 0 || errno == EINVAL;
    const int why = errno;
    if (close(fd) != 0 || !flushed) {
        if (!flushed) errno = why;
        fail("flush");
    }
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail("rename");
}

}  // namespace fathom
