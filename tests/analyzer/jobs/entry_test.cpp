// What the database keeps of a log, against what the log says.
#include "analyzer/jobs/entry/entry.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <string>

#include "analyzer/jobs/entry/bins.h"
#include "tests/analyzer/datasets.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

constexpr std::uint64_t bin = second / 16;

void slice(Synthetic& made, std::int64_t process, std::uint64_t number, std::uint64_t read,
           std::uint64_t written, std::uint64_t length = bin)
{
    Slice& row = made.log.rows<Slice>().emplace_back();
    row.process = process;
    row.layer = static_cast<std::uint64_t>(Layer::posix);
    row.start = job_start + number * length;
    row.length = length;
    row.bytes_read = read;
    row.bytes_written = written;
}

}  // namespace

TEST_CASE("entry: numbers, files, modes and layers are those of the log")
{
    Synthetic made;
    made.ranks(4, 2);
    const std::uint64_t shared = made.file("/scratch/in"), own = made.file("/scratch/out");
    for (std::int64_t rank = 0; rank < 4; ++rank)
        made.io<PosixRecord>(shared, rank, {.bytes_read = 10 * mib, .read_time = second});
    auto& out = made.io<PosixRecord>(own, 2, {.bytes_written = 3 * mib, .write_time = 2 * second});
    out.creates = 1;
    out.writes = 3;
    out.sequential_writes = 2;
    out.write_size.add(mib, 3);
    out.common_size.slot[0] = {mib, 3, 0};
    const jobs::Entry entry = jobs::entry_of(Job(made.log));
    const jobs::Job& job = entry.job;
    CHECK(job.tool == "fathom");
    CHECK(job.program == "app");
    CHECK(job.processes == 4);
    CHECK(job.nodes == 2);
    CHECK(job.run == 100 * static_cast<jobs::Number>(second));
    CHECK(job.bytes_read == 40 * static_cast<jobs::Number>(mib));
    CHECK(job.bytes_written == 3 * static_cast<jobs::Number>(mib));
    CHECK(job.read_time == 4 * static_cast<jobs::Number>(second));
    CHECK(job.slowest_time == 3 * static_cast<jobs::Number>(second));
    CHECK(job.posix == 1);
    CHECK(job.mpiio == 0);
    CHECK(job.files == 2);
    CHECK(job.files_read == 1);
    CHECK(job.files_written == 1);
    CHECK(job.files_created == 1);
    CHECK(job.sequential == 2);
    CHECK(job.key_size == static_cast<jobs::Number>(mib));
    CHECK(job.key_direction == "w");
    CHECK(job.reads_mode == "N-1");
    CHECK(job.writes_mode == "1-1");
    REQUIRE(entry.sharing.size() == 2);
    CHECK(entry.sharing[0].sharing == "unique");
    CHECK(entry.sharing[0].bytes_written == 3 * static_cast<jobs::Number>(mib));
    CHECK(entry.sharing[1].sharing == "shared");
    CHECK(entry.sharing[1].files_read == 1);
    REQUIRE(entry.layers.size() == 1);
    CHECK(entry.layers[0].files == 2);
    CHECK(entry.layers[0].write_size[4] == 3);
    REQUIRE(entry.files.size() == 2);
    CHECK(entry.files[0].path == "/scratch/in");
}

TEST_CASE("entry: the key access size is the commonest of POSIX and stdio in all files together")
{
    Synthetic made;
    made.ranks(1);
    for (std::uint64_t at = 0; at < 20; ++at) {
        const std::uint64_t file = made.file("/scratch/" + std::to_string(at));
        auto& posix = made.io<PosixRecord>(file, 0, {.bytes_read = mib, .read_time = second});
        posix.common_size.slot[0] = {mib + at, 3, 0};
        posix.common_size.slot[1] = {4096, 1, 0};
        posix.read_size.add(4096, 1);
        auto& stdio = made.io<StdioRecord>(file, 0, {.bytes_written = mib, .write_time = second});
        stdio.common_size.slot[0] = {2 * mib, at == 0 ? 39U : 0U, 0};
        stdio.common_size.slot[1] = {4096, 1, 0};
    }
    const jobs::Entry entry = jobs::entry_of(Job(made.log));
    CHECK(entry.job.key_size == 4096);
    CHECK(entry.job.key_direction == "r");
}

TEST_CASE("entry: times are those of the log, to the nanosecond")
{
    Synthetic made;
    made.ranks(1);
    const std::uint64_t run = 135'283'614'525;  // as a double of seconds it is a little less
    made.log.rows<Process>()[0].end = made.log.rows<Process>()[0].start + run;
    made.io<PosixRecord>(made.file("/scratch/in"), 0, {.bytes_read = 123'457, .read_time = 515'312'484});
    const jobs::Entry entry = jobs::entry_of(Job(made.log));
    CHECK(entry.job.run == static_cast<jobs::Number>(run));
    CHECK(entry.job.slowest_time == 515'312'484);
}

TEST_CASE("entry: a log of nothing gives a row without numbers")
{
    const Synthetic made;
    const jobs::Entry entry = jobs::entry_of(Job(made.log));
    CHECK(entry.job.recorded == 1);
    CHECK(entry.job.processes == 0);
    CHECK_FALSE(entry.job.slowest_time);
    CHECK(entry.layers.empty());
    CHECK(entry.details.bins.empty());
}

TEST_CASE("bins: of all ranks together, and how many of them read and wrote")
{
    Synthetic made;
    made.ranks(3);
    slice(made, 0, 0, 5, 0);
    slice(made, 1, 0, 7, 1);
    slice(made, 1, 0, 1, 0);
    slice(made, 2, 9, 0, 4);
    const jobs::Bins bins = jobs::bins_of(Job(made.log));
    REQUIRE(bins.length == bin);
    REQUIRE(bins.bins.size() == 2);
    CHECK(bins.bins[0].number == job_start / bin);
    CHECK(bins.bins[0].bytes_read == 13);
    CHECK(bins.bins[0].readers == 2);
    CHECK(bins.bins[0].writers == 1);
    CHECK(bins.bins[1].number == job_start / bin + 9);
    CHECK(bins.bins[1].bytes_written == 4);
    const auto again = jobs::unpack(jobs::pack(bins.bins));
    REQUIRE(again.size() == 2);
    CHECK(again[1].number == bins.bins[1].number);
    CHECK(again[1].writers == 1);
}

TEST_CASE("bins: a process that waits for a sync counts as one that writes, where it moves nothing too")
{
    Synthetic made;
    made.ranks(2);
    slice(made, 0, 3, 0, 8);
    slice(made, 1, 3, 0, 0);
    slice(made, 1, 4, 0, 0);
    slice(made, 0, 5, 0, 0);
    auto& slices = made.log.rows<Slice>();
    slices[1].write_time = 5;
    slices[2].read_time = 5;
    const jobs::Bins bins = jobs::bins_of(Job(made.log));
    REQUIRE(bins.bins.size() == 2);  // where nobody was in a read, write or sync there is none
    CHECK(bins.bins[0].bytes_written == 8);
    CHECK(bins.bins[0].writers == 2);
    CHECK(bins.bins[1].readers == 1);
    CHECK(bins.bins[1].writers == 0);
}

TEST_CASE("entry: mounts have their source, and jobs the names of their nodes")
{
    Synthetic made;
    made.ranks(3, 2);
    const std::uint64_t file = made.file("/scratch/x");
    made.io<PosixRecord>(file, 0, {.bytes_written = 5});
    made.log.rows<Mount>().push_back({"/scratch", "lustre", "10.0.0.1@tcp:/scratch"});
    const jobs::Entry entry = jobs::entry_of(Job(made.log));
    CHECK(entry.environment.node_names == "node0, node1");
    REQUIRE(entry.mounts.size() == 1);
    CHECK(entry.mounts[0].source == "10.0.0.1@tcp:/scratch");
    Synthetic large;
    large.ranks(200, 1);
    CHECK(jobs::entry_of(Job(large.log)).environment.node_names.empty());
}

TEST_CASE("bins: a long job has longer ones, on the same grid, and no byte is lost")
{
    Synthetic made;
    made.ranks(1);
    for (std::uint64_t at = 0; at < 5000; ++at) slice(made, 0, at, 1, 2);
    const jobs::Bins bins = jobs::bins_of(Job(made.log));
    CHECK(bins.length == 8 * bin);
    CHECK(bins.bins.size() <= jobs::most_bins);
    CHECK(std::accumulate(bins.bins.begin(), bins.bins.end(), std::uint64_t{0},
                          [](std::uint64_t sum, const jobs::Bin& one) {
                              return sum + one.bytes_read + one.bytes_written;
                          }) == 15000);
    CHECK(jobs::unpack(jobs::pack(bins.bins)).size() == bins.bins.size());
}

TEST_CASE("bins: what is damaged is an error, and no more")
{
    CHECK(jobs::unpack("").empty());
    for (const char* const text : {"x", "AAAA", "eJwDAAAAAAE=", "eJwzVDA0MVEwBAAFuAFt"}) try {
            jobs::unpack(text);
        } catch (const std::runtime_error& error) {
            CHECK(std::string(error.what()) == "the time bins of a job are damaged");
        }
}

TEST_CASE("entry: what a job ran with and on is what its log says")
{
    Synthetic made;
    made.ranks(4, 2);
    for (Process& process : made.log.rows<Process>()) process.build = "5eb1";
    made.log.add_fact("mpi", "Open MPI 4.1.4");
    made.log.add_fact("kernel", "6.1.0-13-amd64");
    made.log.add_fact("recorder", "9.8.7");
    const std::uint64_t in = made.file("/scratch/in"), out = made.file("/scratch/out"),
                        unused = made.file("/scratch/unused");
    made.log.rows<Mount>().push_back({"/scratch", "lustre", "10.0.0.1@tcp:/scratch"});
    made.log.rows<Mount>().push_back({"/", "ext4", "/dev/sda1"});
    auto& read = made.io<PosixRecord>(in, 0, {.bytes_read = 10 * mib, .read_time = second});
    read.opens = 3;
    read.stats = 40;
    read.closes = 2;
    auto& written = made.io<PosixRecord>(out, 1, {.bytes_written = 20 * mib, .write_time = second});
    written.unlinks = 5;
    const auto layout = [&](std::uint64_t file, std::uint64_t servers) {
        Layout& row = made.log.rows<Layout>().emplace_back();
        row.file = file;
        row.stripe_size = mib;
        row.stripe_count = servers;
    };
    layout(in, 1);
    layout(out, 4);
    layout(unused, 9);
    const jobs::Environment found = jobs::entry_of(Job(made.log)).environment;
    CHECK(found.mpi == "Open MPI 4.1.4");
    CHECK(found.kernel == "6.1.0-13-amd64");
    CHECK(found.build == "5eb1");
    CHECK(found.recorder == "Fathom 9.8.7");
    CHECK(found.striping == "4 servers, 1 MiB each; 1 server, 1 MiB each");
    CHECK(found.storage == "lustre 10.0.0.1@tcp:/scratch");
    CHECK(found.metadata_calls >= 50);
    CHECK(found.node_names.find(", ") != std::string::npos);
}

TEST_CASE("entry: HDF5 and PnetCDF were used where they were called, or loaded in logs without their tables")
{
    const auto flags = [](const DatasetLog& made) {
        const jobs::Job job = jobs::entry_of(Job(made.log)).job;
        return std::pair(job.hdf5, job.pnetcdf);
    };
    DatasetLog made(1);
    made.log.rows<Process>()[0].libraries = "libc libhdf5 libpnetcdf";
    CHECK(flags(made) == std::pair<jobs::Number, jobs::Number>(0, 0));
    made.dataset("/u", 0);
    CHECK(flags(made) == std::pair<jobs::Number, jobs::Number>(1, 0));
    DatasetLog netcdf(1, "/scratch/a.nc", DataLibrary::pnetcdf);
    netcdf.data_file(0);
    CHECK(flags(netcdf) == std::pair<jobs::Number, jobs::Number>(0, 1));
    DatasetLog older(1);
    older.log.rows<Process>()[0].libraries = "libc libhdf5";
    older.log.mark_lacking("data_files.library");
    CHECK(flags(older) == std::pair<jobs::Number, jobs::Number>(1, 0));
}
