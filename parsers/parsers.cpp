// The table of parsers.
#include "parsers/darshan/dataset.h"
#include "parsers/parser.h"
#include "parsers/strace/dataset.h"
#include "parsers/strace/line.h"

namespace fathom {
namespace {

// The magic without its version: a log of a newer Fathom is recognised, and its reader says that it is newer.
bool is_fathom_log(std::string_view first_bytes)
{
    return first_bytes.starts_with("FATHOM");
}

constexpr Parser table[] = {
    {"Fathom log", is_fathom_log, read_log, read_packed_log},
    {"Darshan log", darshan::is_darshan_log, darshan::read_darshan_log, darshan::read_darshan_log},
    {"output of strace", strace::is_strace_output, strace::read_strace_output, strace::read_strace_output},
};

}  // namespace

std::span<const Parser> parsers()
{
    return table;
}

}  // namespace fathom
