// Rows for Open MPI, PRRTE, PMIx, MPICH, Intel MPI, Cray MPICH, MVAPICH2, UCX, PSM and ROMIO.
#include "analyzer/job/mpi_files.h"

#include <algorithm>
#include <string>

namespace fathom {
namespace {

// Folders whose names begin so and end in a digit, wherever they lie: /tmp/ompi.node1.1000/pid.4711.
constexpr std::string_view session_folders[] = {"ompi.", "openmpi-sessions-", "prte.", "prterun.",
                                                "pmix_dstor_"};

// Names in /dev/shm begin so.
constexpr std::string_view shared_memory[] = {
    "open_mpi.", "vader_segment.",       "sm_segment.",    "mpich_shar_", "Intel_MPI_",  "ib_shmem-",
    "ib_pool-",  "cray-shared-mem-coll", "ucx_shm_posix_", "psm2_shm.",   "slot_shmem-", "psm_shm."};

// Files that are called after one that MPI-IO opens: "data.locktest.3" and ".data.shfp.4711.12" beside
// "data".
struct Companion {
    std::string_view before, behind;  // what stands before the file's name, and behind it, with a number
};
constexpr Companion companions[] = {{"", ".locktest."}, {".", ".shfp."}};

bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

bool is_session_folder(std::string_view name)
{
    return !name.empty() && is_digit(name.back()) &&
           std::any_of(std::begin(session_folders), std::end(session_folders),
                       [&](std::string_view begin) { return name.starts_with(begin); });
}

bool is_shared_memory(std::string_view path)
{
    constexpr std::string_view folder = "/dev/shm/";
    return path.starts_with(folder) &&
           std::any_of(std::begin(shared_memory), std::end(shared_memory),
                       [&](std::string_view begin) { return path.substr(folder.size()).starts_with(begin); });
}

std::string_view without_number(std::string_view name)
{
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    return digits > 0 && digits < name.size() && name[digits - 1] == '-' ? name.substr(0, digits - 1)
                                                                         : std::string_view{};
}

// The name of the file that one is a companion of; empty where it is none.
std::string_view owner_of(std::string_view name)
{
    for (const Companion& one : companions) {
        const std::size_t at = name.rfind(one.behind);
        if (at == std::string_view::npos || at <= one.before.size() || !name.starts_with(one.before))
            continue;
        if (name.substr(at + one.behind.size()).find_first_not_of("0123456789.-") == std::string_view::npos)
            return name.substr(one.before.size(), at - one.before.size());
    }
    // Open MPI's locked file: "data-JOB-PID.lock".
    constexpr std::string_view lock = ".lock";
    if (name.ends_with(lock))
        return without_number(without_number(name.substr(0, name.size() - lock.size())));
    return {};
}

}  // namespace

bool is_of_mpi_session(std::string_view path)
{
    if (is_shared_memory(path)) return true;
    for (std::size_t at = path.find('/'); at != std::string_view::npos;) {
        const std::size_t next = path.find('/', at + 1);
        if (is_session_folder(path.substr(at + 1, next == std::string_view::npos ? next : next - at - 1)))
            return true;
        at = next;
    }
    return false;
}

MpiFiles::MpiFiles(const std::vector<FileUse>& files)
{
    for (const FileUse& use : files)
        if (use.by_mpiio) opened_by_mpiio_.insert(use.path);
}

bool MpiFiles::has(const FileUse& use) const
{
    if (use.by_mpiio) return false;
    if (is_of_mpi_session(use.path)) return true;
    if (opened_by_mpiio_.empty()) return false;
    const std::size_t slash = use.path.rfind('/');
    if (slash == std::string_view::npos) return false;
    const std::string_view owner = owner_of(use.path.substr(slash + 1));
    if (owner.empty()) return false;
    return opened_by_mpiio_.contains(std::string(use.path.substr(0, slash + 1)).append(owner));
}

}  // namespace fathom
