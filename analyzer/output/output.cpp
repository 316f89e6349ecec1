// Writes results with plain system calls, so that every failure is seen and named.
#include "analyzer/output/output.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/output/pager.h"
#include "logformat/log/new_file.h"

namespace fathom {
namespace {

constexpr std::size_t buffer_bytes = 256u << 10;

// 0, or errno.
int write_all(int fd, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

int write_pieces(int fd, const std::function<void(const PieceSink&)>& make)
{
    int why = 0;
    std::string buffer;
    make([&](std::string_view piece) {
        buffer += piece;
        if (buffer.size() < buffer_bytes) return;
        if (why == 0) why = write_all(fd, buffer);
        buffer.clear();
    });
    return why != 0 ? why : write_all(fd, buffer);
}

[[noreturn]] void fail(const std::string& path, const char* what, int why)
{
    const char* remedy = "choose another place with -o";
    if (why == ENOSPC || why == EDQUOT) remedy = "free some space, or choose another place with -o";
    const std::size_t slash = path.find_last_of('/');
    if (why == ENOENT && slash != std::string::npos && access(path.substr(0, slash + 1).c_str(), F_OK) != 0)
        remedy = "create the folder first";
    throw std::runtime_error(fmt::format("{}: cannot {}: {}; {}", path, what, std::strerror(why), remedy));
}

}  // namespace

StandardOutput::StandardOutput() : page_(terminal_lines())
{
    std::signal(SIGPIPE, SIG_IGN);
}

StandardOutput::~StandardOutput() = default;

void StandardOutput::write(std::string_view text)
{
    buffer_ += text;
    if (page_ > 0) lines_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (buffer_.size() >= buffer_bytes) flush();
}

// Text that is flushed before it is as long as a page is shown as it comes: there may be no end of it.
void StandardOutput::page_if_long()
{
    if (lines_ >= page_)
        if (const std::string wanted = pager_wanted(); !wanted.empty())
            pager_ = std::make_unique<Pager>(wanted);
    page_ = 0;
}

void StandardOutput::flush()
{
    if (page_ > 0) page_if_long();
    const bool paged = pager_ && pager_->fd() >= 0;
    const int why = closed_ ? 0 : write_all(paged ? pager_->fd() : STDOUT_FILENO, buffer_);
    buffer_.clear();
    if (why == EPIPE)
        closed_ = true;
    else if (why != 0)
        throw std::runtime_error(
            fmt::format("standard output: cannot write: {}; write to a file instead", std::strerror(why)));
}

void save(const std::string& path, std::string_view content)
{
    save(path, [&](const PieceSink& sink) { sink(content); });
}

void save(const std::string& path, const std::function<void(const PieceSink&)>& make)
{
    if (const std::string trouble = trouble_with_owner(path); !trouble.empty())
        throw std::runtime_error(fmt::format("{}: {}", path, trouble));
    struct stat there {};
    const bool exists = stat(path.c_str(), &there) == 0;
    if (exists && S_ISDIR(there.st_mode))
        throw std::runtime_error(path + ": this is a folder; name a file in it");
    // A device or a pipe (/dev/stdout, a process substitution) is written as it is: there is nothing to
    // replace.
    const bool replace = !exists || S_ISREG(there.st_mode);
    int why = 0;
    if (replace) {
        const Place place = place_of(path);
        if (!place.trouble.empty()) throw std::runtime_error(fmt::format("{}: {}", path, place.trouble));
        NewFile file(place.path);
        if (file.fd() < 0) fail(path, "create the file", file.error());
        why = write_pieces(file.fd(), make);
        if (why == 0) why = file.finish();
    } else {
        const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0) fail(path, "open the file", errno);
        // It was no regular file; one that is there now was put there by somebody else.
        why = fstat(fd, &there) == 0 && S_ISREG(there.st_mode) ? EBUSY : write_pieces(fd, make);
        if (close(fd) != 0 && why == 0) why = errno;
    }
    if (why != 0) fail(path, "write", why);
}

}  // namespace fathom
