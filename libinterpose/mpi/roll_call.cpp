// Marks are empty files, named after the MPI job and the rank's number on its node. Once they are all there,
// one of the node's ranks leaves a mark for all of them where the nodes meet. Launchers are known by what
// they put into the environment.
#include "libinterpose/mpi/roll_call.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sys/socket.h>

#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/recording/world.h"
#include "libinterpose/system/own_memory.h"
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

// MPICH's launcher gives no name, but it has one process on each node that made the sockets of all ranks
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

// A job that is requeued keeps its number.
bool name_of_slurm(PathText& to)
{
    to << "slurm";
    for (const char* const name : {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"}) {
        const char* const value = std::getenv(name);
        to << "-" << std::string_view(value == nullptr ? "" : value);
    }
    return std::getenv("SLURM_STEP_ID") != nullptr;
}

int ranks_here_of_slurm()
{
    return tasks_of_node(std::getenv("SLURM_STEP_TASKS_PER_NODE"), number_in("SLURM_NODEID"));
}

// What launchers say to each process of its node: its number among those that are there, what names the job
// there, and how many ranks it has there.
struct OnNode {
    const char* local_rank;
    bool (*name)(PathText&);
    int (*ranks_here)();
};
constexpr OnNode launchers_on_nodes[] = {
    {"OMPI_COMM_WORLD_LOCAL_RANK", name_of_pmix, [] { return number_in("OMPI_COMM_WORLD_LOCAL_SIZE"); }},
    {"MPI_LOCALRANKID", name_of_hydra, [] { return number_in("MPI_LOCALNRANKS"); }},
    {"SLURM_LOCALID", name_of_slurm, ranks_here_of_slurm},
};

const OnNode* find_launcher()
{
    for (const OnNode& launcher : launchers_on_nodes)
        if (number_in(launcher.local_rank) >= 0) return &launcher;
    return nullptr;
}

// What is known of the job when MPI_Init is called. At MPI_Finalize a rank that had closed its socket, say,
// could not ask again: it would answer otherwise than the rest, which would wait for it.
struct RollCall {
    PathText marks;  // how the marks of this job's ranks on this node begin; empty: not known
    int ranks_here = -1;
};
constinit RollCall roll_call;

PathText mark(std::string_view end)
{
    PathText path;
    path << roll_call.marks.view() << end;
    return path;
}

PathText mark_of(int rank)
{
    PathText path = mark("");
    path << static_cast<std::uint64_t>(rank);
    return path;
}

// A file of that name is made; false if there is one already, too.
bool make(const PathText& path)
{
    const int fd = sys::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL);
    if (fd >= 0) sys::close(fd);
    return fd >= 0;
}

bool all_here_have_answered()
{
    for (int rank = 0; rank < roll_call.ranks_here; ++rank) {
        struct stat about {};
        if (sys::status(mark_of(rank).c_str(), about) != 0) return false;
    }
    return roll_call.ranks_here > 0;
}

PathText in_launch_folder(std::string_view name)
{
    PathText path;
    path << settings().launch_folder.view() << "/" << name;
    return path;
}

bool can_agree_with_nodes()
{
    const int fd = sys::open(settings().launch_folder.c_str(), O_RDONLY | O_DIRECTORY);
    struct statfs about {};
    const bool can = fd >= 0 && sys::file_system(fd, about) == 0 && shows_at_once(about.f_type);
    if (fd >= 0) sys::close(fd);
    return can;
}

// The ranks of all nodes that have left a mark: "rank.NUMBER.HOW_MANY".
std::uint64_t ranks_that_answered()
{
    struct Entry {
        std::uint64_t inode, offset;
        std::uint16_t size;
        std::uint8_t type;
        char name[1];
    };
    FATHOM_LARGE static constinit std::byte buffer[8192];
    std::uint64_t ranks = 0;
    const int fd = sys::open(settings().launch_folder.c_str(), O_RDONLY | O_DIRECTORY);
    if (fd < 0) return 0;
    for (long got = 0; (got = sys::entries(fd, buffer, sizeof buffer)) > 0;)
        for (long at = 0; at < got;) {
            const auto* const entry = reinterpret_cast<const Entry*>(buffer + at);
            const std::string_view name = entry->name;
            if (name.starts_with("rank."))
                ranks += static_cast<std::uint64_t>(std::atoi(entry->name + name.rfind('.') + 1));
            at += entry->size;
        }
    sys::close(fd);
    return ranks;
}

// A verdict is a symbolic link, which is made with what it says in one step: the first one holds for all,
// also for a rank that looks before every mark can be seen.
enum class Verdict { none, no, yes };

Verdict read_verdict(const PathText& path)
{
    char text[4] = {};
    const long length = sys::readlink(path.c_str(), text, sizeof text);
    if (length <= 0) return Verdict::none;
    return std::string_view(text, static_cast<std::size_t>(length)) == "yes" ? Verdict::yes : Verdict::no;
}

// Where a file system has no links, or may not be written, no rank can leave a verdict, or this one has left
// no mark. After any other failure there may be a verdict that cannot be seen from here yet, which the others
// follow.
bool is_final(long error)
{
    for (const int final : {EPERM, EOPNOTSUPP, ENOSYS, EINVAL, EROFS, EACCES, ENAMETOOLONG})
        if (error == -final) return true;
    return false;
}

Verdict settle(const PathText& path, bool complete)
{
    constexpr int most_tries = 1000;
    constexpr long between_tries_ns = 20'000'000;
    for (int tries = 0; tries < most_tries; ++tries) {
        const long failed = sys::symlink(complete ? "yes" : "no", path.c_str());
        if (failed == 0) return complete ? Verdict::yes : Verdict::no;
        const Verdict known = read_verdict(path);
        if (known != Verdict::none || is_final(failed)) return known;
        sys::rest(between_tries_ns);
    }
    return Verdict::none;
}

Verdict verdict_of_nodes()
{
    const PathText path = in_launch_folder("verdict");
    const Verdict known = read_verdict(path);
    return known != Verdict::none ? known : settle(path, ranks_that_answered() == world.size);
}

// Where the launch has other nodes, one rank asks for all of this one.
bool look_for_marks()
{
    const bool has_nodes = !settings().launch_folder.empty();
    if (settings().every_rank || (world.size == 1 && !has_nodes)) return true;
    if (roll_call.marks.empty() || roll_call.ranks_here <= 0) return false;
    const bool one_node = static_cast<std::uint64_t>(roll_call.ranks_here) == world.size;
    if (!one_node && !has_nodes) return false;
    const PathText path = mark("verdict");
    const int fd = sys::open(settings().ranks_folder.c_str(), O_RDONLY | O_DIRECTORY);
    if (fd >= 0) sys::lock(fd);
    Verdict verdict = read_verdict(path);
    if (verdict == Verdict::none) {
        const bool complete = one_node ? all_here_have_answered() : verdict_of_nodes() == Verdict::yes;
        verdict = settle(path, complete);
        if (verdict == Verdict::none && complete) verdict = Verdict::yes;
    }
    if (fd >= 0) sys::close(fd);
    return verdict == Verdict::yes;
}

}  // namespace

bool shows_at_once(long type)
{
    constexpr long all[] = {
        0xef53,     0x58465342, 0x9123683e,
        0x2fc12fc1, 0x01021994, 0x794c7630,  // ext4 XFS btrfs ZFS tmpfs overlay
        0x0bd00bd0, 0x47504653, 0x00c36400,
        0x19830326, 0x01161970, 0x7461636f,  // Lustre GPFS Ceph BeeGFS GFS2 OCFS2
    };
    return std::find(std::begin(all), std::end(all), type) != std::end(all);
}

int tasks_of_node(const char* tasks, int node)
{
    if (tasks == nullptr || node < 0) return -1;
    while (*tasks != '\0') {
        char* end = nullptr;
        const long count = std::strtol(tasks, &end, 10);
        long nodes = 1;
        if (end == tasks) return -1;
        if (std::strncmp(end, "(x", 2) == 0) {
            nodes = std::strtol(end + 2, &end, 10);
            if (*end++ != ')') return -1;
        }
        if (node < nodes) return static_cast<int>(count);
        node -= static_cast<int>(nodes);
        if (*end != ',') return -1;
        tasks = end + 1;
    }
    return -1;
}

void answer_roll_call()
{
    const OnNode* const launcher = find_launcher();
    PathText name;
    if (launcher == nullptr || settings().ranks_folder.empty() || !launcher->name(name)) return;
    roll_call.marks.resize(0);
    roll_call.marks << settings().ranks_folder.view() << "/rank." << name.view() << ".";
    roll_call.ranks_here = launcher->ranks_here();
    // A second MPI program of one launch: the marks do not say who is in it.
    if (!make(mark_of(number_in(launcher->local_rank)))) return roll_call.marks.resize(0);
    const bool one_node = static_cast<std::uint64_t>(roll_call.ranks_here) == settings().task.count;
    if (settings().launch_folder.empty() || one_node || !all_here_have_answered() || !make(mark("counted")))
        return;
    if (!can_agree_with_nodes()) return;  // then the marks are too few, and all nodes know
    PathText node = in_launch_folder("rank.");
    node << static_cast<std::uint64_t>(settings().task.number) << "."
         << static_cast<std::uint64_t>(roll_call.ranks_here);
    make(node);
}

bool every_rank_is_recorded()
{
    static constinit bool answer = false;
    if (!sys::forbidden()) answer = look_for_marks();
    return answer;
}

}  // namespace fathom
