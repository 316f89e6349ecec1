// Marks are empty files, named after the MPI job and the rank's number on its node. Launchers are known by what
// they put into the environment.
#include "libinterpose/roll_call.h"

#include <cstdlib>
#include <sys/socket.h>

#include "libinterpose/mpi_library.h"
#include "libinterpose/settings.h"
#include "libinterpose/sys.h"

namespace fathom {
namespace {

int number_in(const char* variable)
{
    const char* const text = variable == nullptr ? nullptr : std::getenv(variable);
    return text == nullptr ? -1 : std::atoi(text);
}

// The start of a process, in ticks since the node's, from /proc: with its number, what names it for ever.
std::uint64_t start_of(long process)
{
    PathText path;
    path << "/proc/" << static_cast<std::uint64_t>(process) << "/stat";
    const int fd = sys::open(path.c_str(), O_RDONLY);
    const long got = fd < 0 ? 0 : sys::read(fd, path.data(), PathText::capacity() - 1);
    if (fd >= 0) sys::close(fd);
    path.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    std::string_view words = path.view();
    words.remove_prefix(std::min(words.rfind(')') + 1, words.size()));  // the name may hold anything
    for (int word = 3; word <= 22; ++word) words.remove_prefix(std::min(words.find(' ') + 1, words.size()));
    std::uint64_t ticks = 0;
    for (const char letter : words.substr(0, words.find(' ')))
        ticks = ticks * 10 + static_cast<std::uint64_t>(letter - '0');
    return ticks;
}

// What names the job on this node; false where that is not known.
bool name_of_pmix(PathText& to)
{
    const char* const name = std::getenv("PMIX_NAMESPACE");
    if (name == nullptr) return false;
    to << std::string_view(name);
    return true;
}

// MPICH's launcher tells no name, but it has one process on each node that made the sockets of all ranks there.
bool name_of_hydra(PathText& to)
{
    ucred maker{};
    socklen_t size = sizeof maker;
    const int fd = number_in("PMI_FD");
    if (fd < 0 || sys::call(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, sys::address(&maker),
                            sys::address(&size)) != 0)
        return false;
    const std::uint64_t start = maker.pid > 0 ? start_of(maker.pid) : 0;
    if (start == 0) return false;
    to << "hydra-" << static_cast<std::uint64_t>(maker.pid) << "-" << start;
    return true;
}

// What launchers tell each process, by variables: its number among those of its node, how many these are, and
// how many programs the job is made of.
struct Launcher {
    const char *local_rank, *local_size, *programs;
    bool (*name)(PathText&);
};
constexpr Launcher launchers[] = {
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_NUM_APP_CTX", name_of_pmix},
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS", nullptr, name_of_hydra},
};

const Launcher* find_launcher()
{
    for (const Launcher& launcher : launchers)
        if (number_in(launcher.local_rank) >= 0) return &launcher;
    return nullptr;
}

bool mark_of(const Launcher& launcher, int rank, PathText& path)
{
    if (settings().ranks_folder.empty() || rank < 0) return false;
    path.resize(0);
    path << settings().ranks_folder.view() << "/rank.";
    if (!launcher.name(path)) return false;
    path << "." << static_cast<std::uint64_t>(rank);
    return true;
}

bool look_for_marks()
{
    if (mpi::world.size == 1 || settings().every_rank) return true;
    const Launcher* const launcher = find_launcher();
    const int here = launcher == nullptr ? -1 : number_in(launcher->local_size);
    if (here <= 0) return false;
    const bool one_node = static_cast<std::uint64_t>(here) == mpi::world.size;
    if (!one_node && !(settings().inside && number_in(launcher->programs) == 1)) return false;
    PathText path;
    for (int rank = 0; rank < here; ++rank) {
        struct stat about {};
        if (!mark_of(*launcher, rank, path) || sys::status(path.c_str(), about) != 0) return false;
    }
    return true;
}

}  // namespace

void answer_roll_call()
{
    const Launcher* const launcher = find_launcher();
    PathText path;
    if (launcher == nullptr || !mark_of(*launcher, number_in(launcher->local_rank), path)) return;
    const int fd = sys::open(path.c_str(), O_WRONLY | O_CREAT);
    if (fd >= 0) sys::close(fd);
}

bool every_rank_is_recorded()
{
    static constinit bool answer = false;
    if (!sys::forbidden()) answer = look_for_marks();
    return answer;
}

}  // namespace fathom
