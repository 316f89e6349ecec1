// Which files are MPI's own, and what a job is without them.
#include "analyzer/job/mpi_files.h"

#include <catch2/catch.hpp>

#include "analyzer/job/figures.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;

TEST_CASE("the folders and shared memory of MPI sessions are known by their names")
{
    for (const char* const path :
         {"/tmp/ompi.node1.0/pid.12023/1/checkpoint.1_cid-0-12028.sm", "/scratch/tmp/ompi.a-b.1000/jf.0/1",
          "/tmp/ompi.node1.0", "/tmp/openmpi-sessions-user@node_0/1/0", "/tmp/prte.node1.77.0/dvm",
          "/tmp/x/pmix_dstor_ds21_12023/smseg-1-0", "/dev/shm/open_mpi.0000",
          "/dev/shm/vader_segment.node1.0.1", "/dev/shm/mpich_shar_tmpqX1"}) {
        INFO(path);
        CHECK(is_of_mpi_session(path));
    }
    for (const char* const path : {"", "data", "/home/user/ompi.results/out", "/dev/shm/my.open_mpi.0",
                                   "/work/open_mpi.0000", "/tmp/myompi.node1.0/x", "/tmp/prte./x"}) {
        INFO(path);
        CHECK_FALSE(is_of_mpi_session(path));
    }
}

TEST_CASE("what MPI-IO puts beside a file that it opens is MPI's own, and nothing else of such a name")
{
    const auto one = [](std::string_view path, bool by_mpiio) {
        FileUse use;
        use.path = path;
        use.by_mpiio = by_mpiio;
        return use;
    };
    const MpiFiles mpis({one("/out/data", true), one("/out/x.locktest.1", true)});
    for (const char* const path : {"/out/data.locktest.2", "/out/.data.shfp.4711.12",
                                   "/out/.data.shfp.1761648892", "/out/data-4711-12.lock"}) {
        INFO(path);
        CHECK(mpis.has(one(path, false)));
    }
    for (const char* const path :
         {"/out/data", "/out/other.locktest.2", "/data.locktest.2", "/out/data.locktest.txt",
          "/out/data.shfp.1", "/out/data.lock", "/out/data-1.lock", "/out/data.1", "/out/.shfp.1"}) {
        INFO(path);
        CHECK_FALSE(mpis.has(one(path, false)));
    }
    CHECK_FALSE(mpis.has(one("/out/x.locktest.1", true)));
}

TEST_CASE("a job that only reads writes nothing, whatever its MPI writes")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t data = made.file("/out/data"), pointer = made.file("/out/.data.shfp.12.4711");
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        made.io<MpiioRecord>(data, rank, {.bytes_read = mib});
        made.io<PosixRecord>(data, rank, {.bytes_read = mib}, Scope::beneath_mpiio);
        made.total(rank, Layer::posix, Scope::direct,
                   {.bytes_read = rank == 0 ? 8U : 0U, .bytes_written = rank == 0 ? 24U : 0U});
    }
    made.reduced_io<PosixRecord>(pointer, 2, 1, 1, {.bytes_read = 8, .bytes_written = 24});
    made.io<PosixRecord>(made.file("/tmp/ompi.node0.0/pid.9/1/data.sm"), 0,
                         {.bytes_written = 40, .metadata_time = second});
    const Job job(made.log);
    CHECK(job.application_bytes(Direction::write) == 0);
    CHECK(job.application_bytes(Direction::read) == 2 * mib);
    CHECK(job.application_movers[static_cast<std::size_t>(Direction::write)] == 0);
    CHECK(modes_at(job, Level::application, Direction::write).mode == Mode::none);
    CHECK(job.ranks[0].time().total() == 0);
    CHECK(job.files.size() == 1);
    CHECK(job.of_mpi.files == 2);
    CHECK(job.of_mpi.bytes == 72);
    CHECK(job.of_mpi.time == second);
    CHECK_THAT(report_text(made.log),
               Catch::Contains("2 files of the MPI library itself, with 72 B and 1.00 s in I/O calls"));
}
