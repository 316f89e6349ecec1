#include "parsers/series/unpack.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <zlib.h>

#include "logformat/log/log.h"

namespace fathom::series {
namespace {

using Unpacker = std::unique_ptr<gzFile_s, int (*)(gzFile)>;

Unpacker open_packed(const std::string& path)
{
    errno = 0;
    Unpacker file(gzopen(path.c_str(), "rbe"), &gzclose_r);
    if (!file) throw LogError(fmt::format("cannot be read: {}", std::strerror(errno == 0 ? ENOMEM : errno)));
    gzbuffer(file.get(), 1 << 18);
    return file;
}

// Appends up to `most` bytes; false: there is no more.
bool append(const Unpacker& file, std::size_t most, std::string& text)
{
    const std::size_t had = text.size();
    text.resize(had + most);
    const int got = gzread(file.get(), text.data() + had, static_cast<unsigned>(most));
    text.resize(had + static_cast<std::size_t>(std::max(got, 0)));
    int code = Z_OK;
    const char* const why = gzerror(file.get(), &code);
    // What was cut short ends in the middle.
    if (code != Z_OK && code != Z_STREAM_END)
        throw LogError(code == Z_ERRNO ? fmt::format("cannot be read: {}", std::strerror(errno))
                                       : fmt::format("its gzip is damaged: {}", why));
    return got > 0;
}

// Of a header's field: octal digits.
std::size_t octal_in(std::string_view field)
{
    std::size_t value = 0;
    for (const char letter : field) {
        if (letter == ' ' && value == 0) continue;
        if (letter < '0' || letter > '7') break;
        value = value * 8 + static_cast<std::size_t>(letter - '0');
    }
    return value;
}

std::string text_field(std::string_view field)
{
    return std::string(field.substr(0, field.find('\0')));
}

constexpr std::size_t tar_block = 512;

}  // namespace

std::string first_bytes_of(const std::string& path, std::size_t most)
{
    const Unpacker file = open_packed(path);
    std::string text;
    try {
        append(file, most, text);
    } catch (const LogError&) {  // reading all of it will say so
    }
    return text;
}

std::string content_of(const std::string& path)
{
    constexpr std::size_t at_once = std::size_t{8} << 20;
    const Unpacker file = open_packed(path);
    std::string text;
    std::error_code unknown;
    if (const auto size = std::filesystem::file_size(path, unknown); gzdirect(file.get()) != 0 && !unknown)
        text.reserve(std::min<std::uintmax_t>(size, most_unpacked) + at_once);
    while (append(file, at_once, text))
        if (text.size() > most_unpacked)
            throw LogError(fmt::format("more than {} GiB once unpacked: split it", most_unpacked >> 30));
    return text;
}

bool is_tar(std::string_view content)
{
    constexpr std::size_t magic_at = 257;
    return content.size() >= tar_block && content.substr(magic_at, 5) == "ustar";
}

void each_in_tar(std::string_view content, const std::function<void(const Member&)>& take)
{
    constexpr std::size_t size_at = 124, time_at = 136, type_at = 156, prefix_at = 345;
    std::string long_name;
    while (content.size() >= tar_block && content[0] != '\0') {
        const std::string_view header = content.substr(0, tar_block);
        const std::size_t size = octal_in(header.substr(size_at, 12));
        content.remove_prefix(tar_block);
        if (size > content.size()) throw LogError("the archive is cut short");
        const std::string_view body = content.substr(0, size);
        content.remove_prefix(std::min(content.size(), (size + tar_block - 1) / tar_block * tar_block));
        const char type = header[type_at];
        if (type == 'L') {  // the name of the next one, where it is longer than a field
            long_name = text_field(body);
            continue;
        }
        std::string name = text_field(header.substr(0, 100));
        if (const std::string prefix = text_field(header.substr(prefix_at, 155));
            !prefix.empty() && header[263] == '0')
            name = prefix + "/" + name;
        if (!long_name.empty()) name = std::exchange(long_name, {});
        if (type == '0' || type == '\0')
            take({name, body, static_cast<std::int64_t>(octal_in(header.substr(time_at, 12)))});
    }
}

}  // namespace fathom::series
