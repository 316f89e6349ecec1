// The inverse of report::escaped().
#include "analyzer/jobs/store/paths.h"

#include <algorithm>
#include <charconv>

#include "analyzer/document/printable.h"

namespace fathom::jobs {
namespace {

void append_utf8(std::string& text, unsigned code)
{
    const auto byte = [&](unsigned value) { text += static_cast<char>(value); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xc0 | code >> 6);
        byte(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        byte(0xe0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    } else {
        byte(0xf0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3f));
        byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    }
}

}  // namespace

std::string stored_path(const std::string& path)
{
    return report::escaped(path);
}

std::string path_of_stored(std::string_view stored)
{
    std::string path;
    for (std::size_t at = 0; at < stored.size(); ++at) {
        if (stored[at] != '\\' || at + 1 == stored.size()) {
            path += stored[at];
            continue;
        }
        const char kind = stored[++at];
        unsigned code = 0;
        if (kind == 'x' && at + 2 < stored.size()) {
            std::from_chars(stored.data() + at + 1, stored.data() + at + 3, code, 16);
            path += static_cast<char>(code);
            at += 2;
        } else if (kind == 'u' && at + 1 < stored.size()) {
            const std::size_t end = std::min(stored.find('}', at), stored.size() - 1);
            std::from_chars(stored.data() + at + 2, stored.data() + end, code, 16);
            append_utf8(path, code);
            at = end;
        } else {
            path += kind == 'n' ? '\n' : kind == 't' ? '\t' : kind == 'r' ? '\r' : kind;
        }
    }
    return path;
}

}  // namespace fathom::jobs
