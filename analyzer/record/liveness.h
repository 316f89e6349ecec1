// Which processes of this node still live, as /proc shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace fathom {

struct PartFile;

enum class Life {
    ended,
    lives,
    unsure,  // somebody may still write, but not the process of that number: it is in another PID namespace
             // (a container), or what it forked has its memory
};

// Whether the process of a part may still write to it. A header is enough.
Life life_of(const PartFile& part);

// A process that has parts of a spool mapped: its own, or its parent's if it was forked and has not recorded
// anything yet.
struct User {
    pid_t pid = 0;
    pid_t own_number = 0;  // in its own PID namespace: the numbers in a container are others there than here
    std::string spool;
    std::vector<std::string> parts;  // their file names
    std::string name() const;        // "sleep (pid 123)"
};

// All users of these spools among the processes that began at this tick or later. Looks at every process.
std::vector<User> users_of(const std::vector<std::string>& spools, std::uint64_t first_tick);
// True if the kernel says that nobody has any part of these spools mapped, without a look at any process.
// False where it cannot say so, or where there are so many parts that looking takes longer.
bool are_without_users(const std::vector<std::string>& spools);
// What a process has mapped of them now.
User user_now(const std::vector<std::string>& spools, pid_t pid);

// True if the part's process is among them.
bool is_used(const PartFile& part, const std::vector<User>& users);

// The clock tick since the start of the node at which a process began; nothing if there is no such process.
std::optional<std::uint64_t> start_tick_of(pid_t pid);

// A text that names one process for as long as the node runs, and whether the process that it names lives.
std::string identity_of(pid_t pid);
Life life_of_identity(std::string_view identity);
// The tick at which it began; 0 where it says none.
std::uint64_t tick_of_identity(std::string_view identity);

}  // namespace fathom
