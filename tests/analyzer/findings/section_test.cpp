// What the section of findings says beside them, and what there is to do with which library.
#include "analyzer/findings/section.h"

#include <catch2/catch.hpp>

#include "analyzer/document/renderers/renderers.h"
#include "analyzer/findings/remedy.h"
#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/imported_calls.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

std::string section_of(const Log& log)
{
    report::Document document;
    document.sections.push_back({"findings", "Findings", findings_section(Job(log))});
    return report::renderer_of_format("text")->render(document, {400, true});
}

}  // namespace

TEST_CASE("remedies: what an MPI library understands, and what is not known is not said")
{
    const auto job_with = [](std::string_view library) {
        Synthetic made;
        made.ranks(2, 1);
        if (!library.empty()) made.log.add_fact("mpi", library);
        return std::move(made.log);
    };
    const auto kind = [&](std::string_view library) { return mpi_of(Job(job_with(library))); };
    CHECK(kind("Open MPI v4.1.4") == MpiKind::open_mpi);
    for (const char* const romio :
         {"MPICH Version: 4.0.2", "Intel(R) MPI Library 2021", "MVAPICH2 2.3", "CRAY MPICH version 8"})
        CHECK(kind(romio) == MpiKind::romio);
    CHECK(kind("Another MPI") == MpiKind::unknown);
    CHECK(kind("") == MpiKind::unknown);
    const Log open_mpi = job_with("Open MPI v4.1.4"), romio = job_with("MPICH Version: 4.0.2"),
              none = job_with("");
    CHECK_THAT(collective_buffering(Job(open_mpi)).front(), Contains("^ompio"));
    CHECK(collective_buffering(Job(none)).empty());
    Log alone = job_with("Open MPI v4.1.4");
    alone.rows<Process>().pop_back();
    CHECK(collective_buffering(Job(alone)).empty());  // its ranks share the cores that would copy
    CHECK(aggregator_count(Job(romio), 7).front() == "printf 'cb_nodes 7\\ncb_config_list *:1\\n' > hints");
    CHECK(aggregator_count(Job(none), 7).empty());
    const char* const on_each_node = "srun --ntasks-per-node=1 cp FILE /tmp/";
    CHECK(started_as_here(Job(open_mpi), on_each_node) == "mpirun --map-by ppr:1:node cp FILE /tmp/");
    CHECK(started_as_here(Job(romio), on_each_node) == "mpiexec -n 2 -ppn 1 cp FILE /tmp/");
    CHECK(started_as_here(Job(none), on_each_node) == on_each_node);
    CHECK(started_as_here(Job(open_mpi), "cp FILE /tmp/") == "cp FILE /tmp/");
    CHECK(started_as_here(Job(open_mpi), "export A=1") == "export A=1    # and mpirun -x A");
    CHECK(started_as_here(Job(open_mpi), "export A=1    # or so") == "export A=1    # or so, and mpirun -x A");
    CHECK(started_as_here(Job(open_mpi), "export OMPI_MCA_io=^ompio") == "export OMPI_MCA_io=^ompio");
    CHECK(started_as_here(Job(romio), "export A=1") == "export A=1");
    Log of_slurm = job_with("Open MPI v4.1.4");
    of_slurm.add_fact("batch_system", "Slurm");
    CHECK(started_as_here(Job(of_slurm), on_each_node) == on_each_node);
    CHECK(lustre_stripes("", 4).empty());
    CHECK(folder_of("/a/b/c") == "/a/b");
    CHECK(folder_of("/a").empty());
    CHECK(folder_of("a").empty());
}

TEST_CASE("section: how many findings, and what could not be looked for")
{
    Synthetic well;
    well.ranks(2);
    large(well, well.file("/own"), 0);
    CHECK_THAT(section_of(well.log), Contains("no known problem cost 4 % of the run or more") &&
                                         !Contains("Not looked for") &&
                                         !Contains("the times of operations by size"));
    well.log.problems.push_back("a block is gone");
    CHECK_THAT(section_of(well.log), Contains("in what could be read of the log"));
    well.log.rows<OperationTimes>().clear();
    CHECK_THAT(section_of(well.log), Contains("the times of operations by size"));
    CHECK_THAT(section_of(Log()), !Contains("the times of operations by size"));
    Imported imported = with_small(10);
    CHECK_THAT(section_of(imported.log),
               Contains("numbers for it: frequent syncs, waiting for locks, bursts "
                        "of writes, too few aggregators for the nodes, "
                        "slow servers, unequal servers, writes into blocks that have to be read first, "
                        "states written again and again, files copied rather than renamed."));
    CHECK_THAT(section_of(imported.log), Contains("the costliest first"));
    imported.log.not_recorded.erase("posix.sync_time");
    imported.slice(0, Layer::posix, 0, second, {.bytes_written = 1});
    imported.log.rows<Layout>().emplace_back();
    for (Process& process : imported.log.rows<Process>()) process.host = "node";
    CHECK_THAT(section_of(imported.log),
               Contains("numbers for it: waiting for locks, writes into blocks that have to be read first, "
                        "states written again and again, files copied rather than renamed."));
    imported.log.not_recorded.insert("time_bins.write_time");
    CHECK_THAT(section_of(imported.log),
               Contains("numbers for it: waiting for locks, bursts of writes, "
                        "writes into blocks that have to be read first, "
                        "states written again and again, files copied rather than renamed."));
}

TEST_CASE("section: where I/O matters and no rule explains half of it, the largest part is named")
{
    const auto largest_of = [](std::uint64_t seconds) {
        Synthetic made;
        made.ranks(2);
        for (std::int64_t rank = 0; rank < 2; ++rank)
            made.io<PosixRecord>(
                made.file("/slow" + std::to_string(rank)), rank,
                {.bytes_read = mib, .read_time = seconds * second + static_cast<std::uint64_t>(rank)});
        return section_of(made.log);
    };
    CHECK_THAT(largest_of(20), Contains("largest part of the I/O  20.0 s") &&
                                   Contains("reads (read, pread") && Contains("most in /slow1") &&
                                   Contains("rank 1 longest"));
    CHECK_THAT(largest_of(9), !Contains("largest part"));  // of 100 s
    // Of a file that they share, the log may not have each one's.
    Synthetic shared;
    shared.ranks(2);
    shared.reduced_io<PosixRecord>(shared.file("/slow"), 2, 2, 0,
                                   {.bytes_read = mib, .read_time = 60 * second});
    for (std::int64_t rank = 0; rank < 2; ++rank)
        shared.total(rank, Layer::posix, Scope::direct, {.bytes_read = mib / 2, .read_time = 30 * second});
    CHECK_THAT(section_of(shared.log), Contains("largest part of the I/O  30.0 s") && !Contains("longest"));
}

TEST_CASE("section: calls that move no data are named, with the time that is that of files")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row =
        made.io<PosixRecord>(made.file("/scratch/<files that were not opened>", NameKind::by_path), 0,
                             {.bytes_read = mib, .metadata_time = 40 * second});
    row.renames = 3;
    row.unlinks = 12;
    made.operations(Layer::posix, Kind::other, 0, std::vector<std::uint64_t>(15, second));
    CHECK_THAT(
        section_of(made.log),
        Contains("most of it in 15 calls (12 of unlink and remove, 3 of rename), 15.0 s, most in files "
                 "below /scratch/ that were not opened"));
    made.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(50, second));  // of folders too
    CHECK_THAT(section_of(made.log), Contains("50 calls (stat), most in"));
}
