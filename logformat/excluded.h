// Which files a log leaves out: the recorder obeys these lists, and every log says so in its fact "excluded".
#pragma once

#include <string_view>

namespace fathom {

// Folders whose files are not recorded: the system's own. Whole components: /usr2 is recorded.
inline constexpr std::string_view excluded_folders[] = {
    "/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/run"};
// Folders below those that are recorded nevertheless.
inline constexpr std::string_view included_folders[] = {"/dev/shm"};

}  // namespace fathom
