// Finds the parser for a file by its first bytes; says what a file looks like that none of them knows.
#include "parsers/open.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parsers/parser.h"

namespace fathom {
namespace {

struct Look {
    std::string_view begins;
    std::string_view what;
};

// Files that people hand to an analyzer by mistake.
constexpr Look looks[] = {
    {"\x1f\x8b", "a gzip file; unpack it with gunzip first"},
    {"\x28\xb5\x2f\xfd", "a zstd file; unpack it with unzstd first"},
    {"BZh", "a bzip2 file; unpack it with bunzip2 first"},
    {"\x7f"
     "ELF",
     "a program; record it first: fathom record -- PROGRAM"},
    {"#!", "a script; record it first: fathom record -- SCRIPT"},
    {"%PDF", "a PDF file, perhaps a report; name the log that it was made from"},
    {"<", "an HTML or XML file, perhaps a report; name the log that it was made from"},
    {"{", "a JSON file, perhaps a report or a dump; name the log that it was made from"},
    {"# fathom dump", "a dump in text form; name the log that it was made from"},
    {"# darshan", "the text that darshan-parser prints"},
};

std::string_view look_of(std::string_view bytes)
{
    for (const Look& look : looks)
        if (bytes.starts_with(look.begins)) return look.what;
    const bool text = std::all_of(bytes.begin(), bytes.end(), [](char c) {
        return static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\r' || c == '\t';
    });
    if (text) return "a text file";
    return "binary data of a kind that Fathom does not know, or a log whose beginning is damaged";
}

}  // namespace

std::string first_bytes_of(const std::string& path)
{
    // Opening a FIFO would wait for its writer; O_NONBLOCK lets us look and refuse.
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        throw LogError(fmt::format("{}: cannot open: {}; check the path", path, std::strerror(errno)));
    std::string bytes(first_bytes_shown, '\0');
    std::string trouble;
    struct stat about {};
    ssize_t got = 0;
    if (fstat(fd, &about) != 0)
        trouble = std::strerror(errno);
    else if (S_ISDIR(about.st_mode))
        trouble = "this is a folder; name a log file in it";
    else if (!S_ISREG(about.st_mode))
        trouble = "this is not a regular file; save the log to a file first";
    else if ((got = pread(fd, bytes.data(), bytes.size(), 0)) < 0)
        trouble = std::strerror(errno);
    else if (got == 0)
        trouble = "the file is empty: it holds no log; record the program again";
    close(fd);
    if (!trouble.empty()) throw LogError(fmt::format("{}: {}", path, trouble));
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
}

Log open_dataset(const std::string& path, const Tick& tick)
{
    const std::string bytes = first_bytes_of(path);
    std::string known;
    for (const Parser& parser : parsers()) {
        if (parser.recognises(bytes)) return parser.read(path, tick);
        known += known.empty() ? "" : ", ";
        known += parser.name;
    }
    throw LogError(fmt::format("{}: this looks like {}; fathom reads: {}", path, look_of(bytes), known));
}

}  // namespace fathom
