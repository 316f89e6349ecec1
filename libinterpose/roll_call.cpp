// Marks are empty files, named after the MPI job and the rank's number on its node.
#include "libinterpose/roll_call.h"

#include <cstdlib>

#include "libinterpose/mpi_library.h"
#include "libinterpose/settings.h"
#include "libinterpose/sys.h"

namespace fathom {
namespace {

int number_in(const char* variable)
{
    const char* const text = std::getenv(variable);
    return text == nullptr ? -1 : std::atoi(text);
}

// Open MPI's launcher tells each process these.
constexpr const char *job_variable = "PMIX_NAMESPACE", *local_rank = "OMPI_COMM_WORLD_LOCAL_RANK",
                     *local_size = "OMPI_COMM_WORLD_LOCAL_SIZE", *programs = "OMPI_NUM_APP_CTX";

bool mark_of(int rank, PathText& path)
{
    const char* const job = std::getenv(job_variable);
    if (settings().ranks_folder.empty() || job == nullptr || rank < 0) return false;
    path.resize(0);
    path << settings().ranks_folder.view() << "/rank." << std::string_view(job) << "."
         << static_cast<std::uint64_t>(rank);
    return true;
}

bool look_for_marks()
{
    if (mpi::world.size == 1 || settings().every_rank) return true;
    const int here = number_in(local_size);
    if (here <= 0) return false;
    const bool one_node = static_cast<std::uint64_t>(here) == mpi::world.size;
    if (!one_node && !(settings().inside && number_in(programs) == 1)) return false;
    PathText path;
    for (int rank = 0; rank < here; ++rank) {
        struct stat about {};
        if (!mark_of(rank, path) || sys::status(path.c_str(), about) != 0) return false;
    }
    return true;
}

}  // namespace

void answer_roll_call()
{
    PathText path;
    if (!mark_of(number_in(local_rank), path)) return;
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
