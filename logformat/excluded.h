// Which files a log leaves out unless the user includes them: the recorder obeys these lists, and every log
// says so in its facts "excluded" and "included".
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom {

// Folders whose files are not recorded: the system's own. Whole components: /usr2 is recorded.
inline constexpr std::string_view excluded_folders[] = {
    "/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/run"};
// What below those is recorded nevertheless.
inline constexpr std::string_view included_folders[] = {"/dev/shm", "/dev/urandom", "/dev/random"};
// How files below those begin that are not: the memory by which ranks of a node pass messages (UCX, MPICH,
// Open MPI). UCX fills it by writing to it.
inline constexpr std::string_view message_memory[] = {"/dev/shm/ucx_shm_posix_*", "/dev/shm/mpich_shar_*",
                                                      "/dev/shm/vader_segment.*"};

// Calls one(path) for each of those that are excluded, as the fact lists them.
template <class One>
void each_excluded(One one)
{
    for (const std::string_view folder : excluded_folders) one(folder);
    for (const std::string_view files : message_memory) one(files);
}

// Whether one of them may begin with this letter: most paths are known not to be excluded by their first.
constexpr std::uint32_t bit_of_letter(char letter)
{
    return std::uint32_t{1} << (static_cast<unsigned char>(letter) % 32);
}
inline constexpr std::uint32_t excluded_letters = [] {
    std::uint32_t letters = 0;
    for (const std::string_view folder : excluded_folders) letters |= bit_of_letter(folder[1]);
    return letters;
}();

}  // namespace fathom
