// Finds the parser for a file by its first bytes; says what a file looks like that none of them knows.
#include "parsers/open.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
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
    {"SQLite format 3", "a database of SQLite; one of jobs is named by --db: fathom jobs list --db FILE"},
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

namespace {

// A file without a name, where there is room for it.
int nameless_file()
{
    const char* const folder = std::getenv("TMPDIR");
    const int fd = open(folder != nullptr ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return fd >= 0 ? fd : memfd_create("log", MFD_CLOEXEC);
}

// Parsers read here and there in a file, so that a pipe's content is kept in one. Its path, as long as this
// process lives.
std::string keep_standard_input()
{
    if (isatty(STDIN_FILENO) != 0)
        throw LogError("standard input: this is a terminal; send a log to it: fathom report - < app.fathom");
    const int fd = nameless_file();
    std::array<char, 1 << 16> some;
    ssize_t got = fd < 0 ? -1 : 1;
    while (got > 0) {
        got = read(STDIN_FILENO, some.data(), some.size());
        if (got < 0 && errno == EINTR) got = 1;
        for (ssize_t done = 0, wrote = 0; got > 0 && done < got; done += wrote)
            if (wrote = write(fd, some.data() + done, static_cast<std::size_t>(got - done)); wrote < 0)
                got = -1;
    }
    if (got < 0) throw LogError(fmt::format("standard input: cannot keep it: {}", std::strerror(errno)));
    return fmt::format("/proc/self/fd/{}", fd);
}

using Read = Log (*Parser::*)(const std::string&, const Tick&);

Log open_by(Read read, const std::string& path, const Tick& tick);

Log open_standard_input(Read read, const Tick& tick)
{
    static const std::string kept = keep_standard_input();
    try {
        return open_by(read, kept, tick);
    } catch (const LogError& error) {
        std::string text = error.what();
        for (std::size_t at = text.find(kept); at != std::string::npos; at = text.find(kept))
            text.replace(at, kept.size(), "standard input");
        throw LogError(text);
    }
}

Log open_by(Read read, const std::string& path, const Tick& tick)
{
    if (path == "-") return open_standard_input(read, tick);
    const std::string bytes = first_bytes_of(path);
    std::string known;
    for (const Parser& parser : parsers()) {
        if (parser.recognises(bytes)) return (parser.*read)(path, tick);
        known += known.empty() ? "" : ", ";
        known += parser.name;
    }
    throw LogError(fmt::format("{}: this looks like {}; fathom reads: {}", path, look_of(bytes), known));
}

}  // namespace

std::string_view kind_of_log(const std::string& path)
try {
    const std::string bytes = first_bytes_of(path);
    for (const Parser& parser : parsers())
        if (parser.recognises(bytes)) return parser.name;
    return "";
} catch (const LogError&) {
    return "";
}

Log open_dataset(const std::string& path, const Tick& tick)
{
    return open_by(&Parser::read, path, tick);
}

Log open_packed(const std::string& path, const Tick& tick)
{
    return open_by(&Parser::read_packed, path, tick);
}

}  // namespace fathom
