// Plain system calls: a round reads hundreds of files.
#include "analyzer/monitor/text_file.h"

#include <algorithm>
#include <charconv>
#include <dirent.h>
#include <fcntl.h>
#include <limits>
#include <unistd.h>

namespace fathom::monitor {
namespace {

constexpr std::size_t first_room = 16384, most_room = std::size_t{16} << 20;

}  // namespace

std::string_view TextFile::read(const std::string& path)
{
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return {};
    if (text_.size() < first_room) text_.resize(first_room);
    std::size_t used = 0;
    for (;;) {
        const ssize_t got = ::read(fd, text_.data() + used, text_.size() - used);
        if (got <= 0) break;
        used += static_cast<std::size_t>(got);
        if (used < text_.size()) continue;
        if (used >= most_room) break;
        text_.resize(text_.size() * 2);
    }
    close(fd);
    return std::string_view(text_).substr(0, used);
}

std::string_view take_line(std::string_view& text)
{
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::string_view take_word(std::string_view& line)
{
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    return word;
}

std::uint64_t number_of(std::string_view word)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : value;
}

std::uint64_t take_number(std::string_view& line)
{
    return number_of(take_word(line));
}

std::vector<std::string> names_in(const std::string& folder)
{
    std::vector<std::string> names;
    DIR* const open_folder = opendir(folder.c_str());
    if (open_folder == nullptr) return names;
    while (const dirent* const entry = readdir(open_folder))
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    closedir(open_folder);
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace fathom::monitor
