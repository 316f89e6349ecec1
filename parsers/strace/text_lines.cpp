// zlib reads what is packed and what is not.
#include "parsers/strace/text_lines.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include "logformat/log/log.h"

namespace fathom::strace {
namespace {

constexpr std::size_t piece = std::size_t{1} << 17;

gzFile zlib_file(void* file)
{
    return static_cast<gzFile>(file);
}

}  // namespace

TextLines::TextLines(const std::string& path) : buffer_(TextLines::longest + piece)
{
    struct stat about {};
    if (stat(path.c_str(), &about) == 0) size_ = static_cast<std::uint64_t>(about.st_size);
    file_ = gzopen(path.c_str(), "rb");
    if (file_ == nullptr)
        throw LogError(fmt::format("{}: cannot open: {}; check the path", path, std::strerror(errno)));
    gzbuffer(zlib_file(file_), piece);
}

TextLines::~TextLines()
{
    gzclose(zlib_file(file_));
}

std::uint64_t TextLines::bytes_read() const
{
    const auto at = gzoffset(zlib_file(file_));
    return at < 0 ? size_ : std::min(static_cast<std::uint64_t>(at), size_);
}

bool TextLines::fill()
{
    if (at_end_) return false;
    if (from_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + from_, to_ - from_);
        to_ -= from_;
        from_ = 0;
    }
    const int got = gzread(zlib_file(file_), buffer_.data() + to_, static_cast<unsigned>(piece));
    int error = Z_OK;
    const char* const message = gzerror(zlib_file(file_), &error);
    if (got < 0 || error < 0) {
        at_end_ = true;
        problem_ = fmt::format("the packed file breaks off or is damaged ({}); what follows is missing",
                               message == nullptr ? "" : message);
    }
    if (got <= 0) at_end_ = true;
    if (got > 0) to_ += static_cast<std::size_t>(got);
    return got > 0;
}

bool TextLines::next(std::string_view& line)
{
    constexpr std::string_view before = "strace: Process ", after = " attached";
    if (!next_of_file(line)) return false;
    const auto broken_at = [&] {
        const std::size_t at = line.ends_with(after) ? line.rfind(before) : 0;
        return at == std::string_view::npos ? 0 : at;
    };
    std::size_t at = broken_at();
    if (at == 0) return true;
    whole_.clear();
    while (at != 0 && whole_.size() < longest) {
        whole_ += line.substr(0, at);
        if (!next_of_file(line)) break;
        at = broken_at();
        if (at == 0) whole_ += line;
    }
    line = whole_;
    return true;
}

bool TextLines::next_of_file(std::string_view& line)
{
    bool passing_over = false;
    for (std::size_t looked = 0;;) {
        const char* const begin = buffer_.data() + from_;
        const std::size_t size = to_ - from_;
        const auto* const end = static_cast<const char*>(std::memchr(begin + looked, '\n', size - looked));
        ended_ = end != nullptr;
        if (end != nullptr || (at_end_ && size > 0)) {
            line = {begin, end != nullptr ? static_cast<std::size_t>(end - begin) : size};
            from_ += line.size() + (end != nullptr ? 1 : 0);
            ++number_;
            if (!passing_over && line.size() < longest) return true;
            ++too_long_;
            passing_over = false;
            looked = 0;
            continue;
        }
        looked = size;
        if (size >= longest) {
            from_ = to_ = looked = 0;
            passing_over = true;
        }
        if (!fill() && to_ == from_) {
            if (passing_over) ++too_long_;
            return false;
        }
    }
}

}  // namespace fathom::strace
