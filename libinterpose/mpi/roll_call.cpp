// Marks are empty files, named after the MPI job and the rank's number on its node. Launchers are known by
// what they put into the environment.
#include "libinterpose/mpi/roll_call.h"

#include <cstdlib>
#include <sys/socket.h>

#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/recording/world.h"
#include "libinterpose/system/sys.h"

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

// MPICH's launcher tells no name, but it has one process on each node that made the sockets of all ranks
// there.
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

// Slurm tells how many tasks a step has, not how many of them are on this node: enough where it is the only
// one. A job that is requeued keeps its number.
bool name_of_slurm(PathText& to)
{
    if (number_in("SLURM_STEP_NUM_NODES") != 1) return false;
    to << "slurm";
    for (const char* const name : {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"}) {
        const char* const value = std::getenv(name);
        to << "-" << std::string_view(value == nullptr ? "" : value);
    }
    return std::getenv("SLURM_STEP_ID") != nullptr;
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
    {"SLURM_LOCALID", "SLURM_STEP_NUM_TASKS", nullptr, name_of_slurm},
};

const Launcher* find_launcher()
{
    for (const Launcher& launcher : launchers)
        if (number_in(launcher.local_rank) >= 0) return &launcher;
    return nullptr;
}

// What is known of the job when MPI_Init is called. At MPI_Finalize a rank that had closed its socket, say,
// could not ask again: it would answer otherwise than the rest, which would wait for it.
struct RollCall {
    PathText marks;  // how the marks of this job's ranks on this node begin; empty: not known
    int local_size = -1, programs = -1;
};
constinit RollCall roll_call;

const char* mark_of(int rank, PathText& path)
{
    path.resize(0);
    path << roll_call.marks.view() << static_cast<std::uint64_t>(rank);
    return path.c_str();
}

bool look_for_marks()
{
    if (world.size == 1 || settings().every_rank) return true;
    if (roll_call.marks.empty() || roll_call.local_size <= 0) return false;
    const bool one_node = static_cast<std::uint64_t>(roll_call.local_size) == world.size;
    if (!one_node && !(settings().inside && roll_call.programs == 1)) return false;
    PathText path;
    for (int rank = 0; rank < roll_call.local_size; ++rank) {
        struct stat about {};
        if (sys::status(mark_of(rank, path), about) != 0) return false;
    }
    return true;
}

}  // namespace

void answer_roll_call()
{
    const Launcher* const launcher = find_launcher();
    PathText path;
    if (launcher == nullptr || settings().ranks_folder.empty() || !launcher->name(path)) return;
    roll_call.marks.resize(0);
    roll_call.marks << settings().ranks_folder.view() << "/rank." << path.view() << ".";
    roll_call.local_size = number_in(launcher->local_size);
    roll_call.programs = number_in(launcher->programs);
    const int fd = sys::open(mark_of(number_in(launcher->local_rank), path), O_WRONLY | O_CREAT);
    if (fd >= 0) sys::close(fd);
}

bool every_rank_is_recorded()
{
    static constinit bool answer = false;
    if (!sys::forbidden()) answer = look_for_marks();
    return answer;
}

}  // namespace fathom
