// The system calls that are counted, a row each.
#pragma once

#include <cstdint>
#include <string_view>

#include "logformat/counters.h"

namespace fathom::strace {

enum class Action : std::uint8_t {
    open,         // of `path` below `folder`
    close,        // of `descriptor`
    close_range,  // of several, not counted
    read,         // from `descriptor`, at `offset` where the call has one
    write,
    copy,  // from `descriptor` at `offset` to `other` at `other_offset`
    sync,
    seek,
    on_descriptor,  // `counter` of the file behind `descriptor`
    on_path,        // `counter` of the file `path`; of the folder itself where that is ""
    duplicate,      // of `descriptor`
    control,        // fcntl
    map,
    make,       // a descriptor of no file, as the result
    make_pair,  // two of them, in argument `other`
    make_node,  // `path` becomes what argument `other` says
    unseen,     // what it moves is not in the output
    chdir,      // to `path`
    fchdir,
    folder_told,  // getcwd
    fork,
    execute,  // program `path`, arguments `other`
};

inline constexpr std::int8_t none = -1;

struct CallRow {
    std::string_view name;
    Action action;
    std::int8_t descriptor = none, folder = none, path = none, offset = none;  // places of arguments
    std::int8_t other = none, other_offset = none, flags = none;
    std::uint64_t PosixCounters::*counter = nullptr;
};

// nullptr: a call that is not counted.
const CallRow* call_row(std::string_view name);

}  // namespace fathom::strace
