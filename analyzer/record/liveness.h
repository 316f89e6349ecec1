// Which processes of this node still live, as /proc tells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace fathom {

struct PartFile;

enum class Life {
    ended,
    lives,
    unsure,  // it belongs to another PID namespace (a container), where its id is not ours to judge
};

// Whether the process of a part may still write to it. A header is enough.
Life life_of(const PartFile& part);

// The clock tick since the start of the node at which a process began; nothing if there is no such process.
std::optional<std::uint64_t> start_tick_of(pid_t pid);

// A text that names one process for as long as the node runs, and whether the process that it names lives.
std::string identity_of(pid_t pid);
Life life_of_identity(std::string_view identity);

}  // namespace fathom
