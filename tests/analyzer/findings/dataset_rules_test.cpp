// Faults in how programs use HDF5 and PnetCDF, at both sides of the thresholds.
#include "tests/analyzer/datasets.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Matchers::Contains;

namespace {

void set_time(Log& log, std::uint64_t length)
{
    for (Process& process : log.rows<Process>()) process.end = process.start + length;
}

// 4,000 writes of 8 KiB; 3 s in them, 2 s of it beneath.
DatasetLog written_in_chunks(std::uint64_t chunk_values, std::uint64_t beneath)
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    made.log.rows<Process>()[0].libraries = "libc libhdf5_serial libhdf5";
    const std::uint64_t bytes = 4000 * 8192;
    made.io<PosixRecord>(made.container, 0, {.bytes_written = bytes, .write_time = 2 * second});
    DatasetRecord& row = made.dataset("/u", 0);
    set_chunks(row, extents({4000, 1024}), extents({1, chunk_values}));
    add_writes(row, 4000, 8192, 3 * second);
    row.write_shape = {4000, extents({1, 1024})};
    add_posix_writes(row, beneath, bytes / beneath, 2 * second);
    return made;
}

}  // namespace

TEST_CASE("chunks so small that each write becomes several are found, with other chunks to copy")
{
    const DatasetLog made = written_in_chunks(256, 16'000);
    const report::Finding finding = finding_of(made.log, "small_chunks");
    CHECK(finding.title ==
          "dataset /u of a.h5: 4,000 writes of 8 KiB to chunks of 2 KiB became 16,000 writes of 2 KiB "
          "in POSIX");
    // 31 MiB take 15 ms in requests of 2 GiB/s, and as long to be copied.
    CHECK(cost_of(finding) == Approx(3 - 2 * 31.25 / 2048).epsilon(0.001));
    CHECK_THAT(lines_of(finding), Contains("hsize_t chunk[] = {128, 1024};") &&
                                      Contains("H5Pset_chunk(dataset_creation, 2, chunk);") &&
                                      Contains("h5repack -l DATASET:CHUNK=128x1024 FILE NEW"));
}

TEST_CASE("chunks as large as what is written, few of them, or large ones, are not too small")
{
    CHECK(finds(written_in_chunks(256, 16'000).log, "small_chunks"));
    CHECK_FALSE(finds(written_in_chunks(1024, 4000).log, "small_chunks"));
    CHECK_FALSE(finds(written_in_chunks(8192, 16'000).log, "small_chunks"));  // of 64 KiB
    DatasetLog few = written_in_chunks(256, 16'000);
    few.log.rows<DatasetRecord>()[0].posix_writes = 999;
    few.log.rows<DatasetRecord>()[0].writes = 100;
    CHECK_FALSE(finds(few.log, "small_chunks"));
    few.log.rows<DatasetRecord>()[0].posix_writes = 1000;
    CHECK(finds(few.log, "small_chunks"));
}

TEST_CASE(
    "chunks that collective calls move together are found by their number, at least for the library's own "
    "time")
{
    DatasetLog made = written_in_chunks(256, 999);
    DatasetRecord& row = made.log.rows<DatasetRecord>()[0];
    row.posix_writes = 10;
    row.writes = row.collective_writes = 100;
    row.bytes_written = 1000 * 2048;
    const report::Finding finding = finding_of(made.log, "small_chunks");
    CHECK(finding.title == "dataset /u of a.h5: 1,000 chunks of 2 KiB in 100 collective calls");
    CHECK(cost_of(finding) == Approx(3).epsilon(0.001));
    CHECK(*finding.cost_least == Approx(1).epsilon(0.001));
    row.bytes_written -= 1;
    CHECK_FALSE(finds(made.log, "small_chunks"));
}

TEST_CASE("larger chunks stay near a MiB, however much is written at a time, and are advised in Python too")
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    Process& process = made.log.rows<Process>()[0];
    process.program = "/usr/bin/python3";
    process.libraries = "libpython3 libhdf5";
    DatasetRecord& row = made.dataset("/u", 0);
    set_chunks(row, extents({1 << 20}), extents({64}));
    add_writes(row, 1, 8 * mib, 3 * second);
    row.write_shape = {1, extents({1 << 20})};
    add_posix_writes(row, 16'384, 512, 2 * second);
    made.io<PosixRecord>(made.container, 0, {.bytes_written = 8 * mib, .write_time = 2 * second});
    const report::Finding finding = finding_of(made.log, "small_chunks");
    CHECK_THAT(lines_of(finding), Contains("chunks=(131072,))") && Contains("DATASET:CHUNK=131072 "));
}

TEST_CASE("filters take as long with larger chunks")
{
    DatasetLog made = written_in_chunks(256, 16'000);
    CHECK_FALSE(finding_of(made.log, "small_chunks").cost_least);
    made.log.rows<DatasetRecord>()[0].filters = 2;
    const report::Finding finding = finding_of(made.log, "small_chunks");
    // From the quickest level of deflate, 12 ns a byte, to no more than the library's own time.
    CHECK(cost_of(finding) == Approx(3 - 12e-9 * 31.25 * mib - 31.25 / 2048).epsilon(0.001));
    CHECK(finding.cost_least == Approx(2 - 31.25 / 2048).epsilon(0.001));
}

namespace {

// 1,024 rows of 64 KiB are read from chunks of 1 MiB, 64 by 2,048: four beside each other, and 64 in all.
DatasetLog read_by_rows(std::uint64_t chunks_read, std::uint64_t filters = 2)
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    made.log.rows<Process>()[0].libraries = "libc libhdf5_serial libhdf5";
    made.io<PosixRecord>(made.container, 0, {.bytes_read = chunks_read * 100'000, .read_time = 1 * second});
    DatasetRecord& row = made.dataset("/t", 0);
    set_chunks(row, extents({1024, 8192}), extents({64, 2048}));
    row.filters = filters;
    add_reads(row, 1024, 65'536, 5 * second);
    row.read_shape = {1024, extents({1, 8192})};
    add_posix_reads(row, chunks_read, filters == 0 ? 1 << 20 : 100'000, 1 * second);
    return made;
}

}  // namespace

TEST_CASE("chunks that are read and decompressed again are found, with the cache that would hold them")
{
    const DatasetLog made = read_by_rows(4096);
    const report::Finding finding = finding_of(made.log, "chunks_again");
    CHECK(finding.title ==
          "dataset /t of a.h5: chunks of 1 MiB read and decompressed 64 times on average, at least");
    CHECK(cost_of(finding) == Approx((5 - 64.0 / 2048) * 63 / 64).epsilon(0.001));
    CHECK_THAT(finding.why, Contains("Calls go across the chunks"));
    CHECK_THAT(lines_of(finding), Contains("H5Pset_chunk_cache(dataset_access, 12421, 6 << 20, 1.0);"));
}

TEST_CASE("chunks: twenty of each process may be HDF5's own tables")
{
    DatasetLog made = read_by_rows(4096);
    DatasetRecord& row = made.log.rows<DatasetRecord>()[0];
    row.processes = 32;  // of 64 chunks, which each reads twice
    CHECK(finds(made.log, "chunks_again"));
    row.processes = 33;
    CHECK_FALSE(finds(made.log, "chunks_again"));
}

TEST_CASE("chunks that are read again since their dataset is opened for each call want it kept open")
{
    DatasetLog made = read_by_rows(4096);
    DatasetRecord& row = made.log.rows<DatasetRecord>()[0];
    row.cache_bytes = 4 << 20;  // holds what one call touches
    row.opens = 512;
    CHECK_THAT(finding_of(made.log, "chunks_again").why, !Contains("closed"));
    row.opens = 513;
    const report::Finding finding = finding_of(made.log, "chunks_again");
    CHECK_THAT(finding.why, Contains("closed after each access"));
    CHECK_THAT(lines_of(finding), Contains("before the loop") && !Contains("H5Pset_chunk_cache"));
    row.cache_bytes = (4 << 20) - 1;
    CHECK_THAT(lines_of(finding_of(made.log, "chunks_again")), Contains("H5Pset_chunk_cache"));
}

TEST_CASE("a chunk that is larger than the cache is said to be so")
{
    DatasetLog made = read_by_rows(4096);
    made.log.rows<DatasetRecord>()[0].cache_bytes = 1 << 19;
    CHECK_THAT(finding_of(made.log, "chunks_again").why, Contains("does not fit into the chunk cache"));
}

TEST_CASE(
    "chunks that pass once or so, parts of chunks without filters, and chunks of many processes are no fault")
{
    CHECK_FALSE(finds(read_by_rows(64).log, "chunks_again"));
    CHECK_FALSE(finds(read_by_rows(127).log, "chunks_again"));
    CHECK(finds(read_by_rows(200).log, "chunks_again"));
    CHECK(finds(read_by_rows(4096, 0).log, "chunks_again"));
    DatasetLog parts = read_by_rows(4096, 0);
    parts.log.rows<DatasetRecord>()[0].posix_bytes_read = 64 * mib;
    CHECK_FALSE(finds(parts.log, "chunks_again"));
    DatasetLog of_many = read_by_rows(4096);
    of_many.log.rows<DatasetRecord>()[0].process = reduced;
    of_many.log.rows<DatasetRecord>()[0].processes = 64;
    CHECK_FALSE(finds(of_many.log, "chunks_again"));
}

TEST_CASE("what a program reads several times, chunk by chunk, is not the chunk cache's")
{
    DatasetLog made = read_by_rows(256);
    CHECK(finds(made.log, "chunks_again"));
    made.log.rows<DatasetRecord>()[0].bytes_read = 4 * 64 * mib;
    CHECK_FALSE(finds(made.log, "chunks_again"));
}

TEST_CASE("a chunk that is compressed and written for each row is found, too")
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    DatasetRecord& row = made.dataset("/t", 0);
    set_chunks(row, extents({1024, 8192}), extents({64, 2048}));
    row.filters = 2;
    add_writes(row, 1024, 65'536, 5 * second);
    row.write_shape = {1024, extents({1, 8192})};
    add_posix_writes(row, 4096, 100'000, second);
    CHECK(finding_of(made.log, "chunks_again").title ==
          "dataset /t of a.h5: chunks of 1 MiB compressed and written 64 times on average, at least");
}

namespace {

// 4,096 small chunks, each read so many times, in 5 s.
DatasetLog small_read_again(std::uint64_t times)
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    DatasetRecord& row = made.dataset("/u", 0);
    set_chunks(row, extents({4096, 64, 64}), extents({1, 64, 64}));
    add_reads(row, times, 4096 * 8, 5 * second);
    row.read_shape = {times, extents({4096, 1, 1})};
    add_posix_reads(row, times * 4096, 32'768, 4 * second);
    made.io<PosixRecord>(made.container, 0, {.bytes_read = times * 4096 * 32'768, .read_time = 7 * second});
    return made;
}

}  // namespace

TEST_CASE("small chunks that pass several times are told once: by their size, or by the cache that would do")
{
    const auto twice = found_in(small_read_again(2).log), often = found_in(small_read_again(8).log);
    CHECK(of_rule(twice, "small_chunks") != nullptr);
    CHECK(of_rule(twice, "chunks_again") == nullptr);
    CHECK(of_rule(often, "small_chunks") == nullptr);
    CHECK(of_rule(often, "chunks_again") != nullptr);
    // Of different datasets they are different faults.
    DatasetLog two = small_read_again(2);
    DatasetRecord& row = two.dataset("/t", 0);
    set_chunks(row, extents({4096, 2048}), extents({64, 2048}));
    add_reads(row, 4096, 16'384, 4 * second);
    row.read_shape = {4096, extents({1, 2048})};
    add_posix_reads(row, 4096, 1 << 20, 3 * second);
    const auto both = found_in(two.log);
    CHECK(of_rule(both, "small_chunks") != nullptr);
    CHECK(of_rule(both, "chunks_again") != nullptr);
}

TEST_CASE("chunks that are read whole for a small part, across many of them")
{
    // A series at one point: from each of 1,024 chunks, a map each, 8 bytes.
    struct Series {
        std::uint64_t chunks = 1024, filters = 2, length = 1024, across = 4;
    };
    const auto made = [](const Series& of) {
        DatasetLog log(1);
        set_time(log.log, 10 * second);
        log.log.rows<Process>()[0].libraries = "libc libhdf5";
        log.io<PosixRecord>(log.container, 0, {.bytes_read = of.chunks * 30'000, .read_time = second});
        DatasetRecord& row = log.dataset("/t", 0);
        set_chunks(row, extents({1024, 64, 128}), extents({1, 64, 128}));
        row.element_bytes = 8;
        row.filters = of.filters;
        add_reads(row, of.length / of.across, of.across * 8, 5 * second);
        row.read_shape = {of.length / of.across, extents({of.across, 1, 1})};
        add_posix_reads(row, of.chunks, of.filters == 0 ? 64 << 10 : 30'000, second);
        return log;
    };
    const report::Finding one = finding_of(made({}).log, "unfit_chunks");
    CHECK(one.title ==
          "dataset /t of a.h5: chunks of 64 KiB read and decompressed for less than 1 % of what they hold");
    CHECK(cost_of(one) == Approx(5).epsilon(0.001));
    CHECK_THAT(lines_of(one), Contains("h5repack -l DATASET:CHUNK=EXTENTS"));
    CHECK_FALSE(finds(made({}).log, "chunks_again"));
    CHECK(finds(made({.filters = 0}).log, "unfit_chunks"));
    CHECK(finds(made({.chunks = 256}).log, "unfit_chunks"));
    CHECK_FALSE(finds(made({.chunks = 255}).log, "unfit_chunks"));  // not 16 MiB
    CHECK_FALSE(finds(made({.across = 2}).log, "unfit_chunks"));
    CHECK_FALSE(finds(made({.chunks = 2048}).log, "unfit_chunks"));  // more than once
    CHECK(finds(made({.length = 2 * mib}).log, "unfit_chunks"));
    CHECK_FALSE(finds(made({.length = 2 * mib + 4}).log, "unfit_chunks"));  // a quarter of it
}

namespace {

// 100 MiB of fill values in the create of a dataset, and as much written over them.
DatasetLog filled(std::uint64_t in_create, std::uint64_t in_writes)
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    made.log.rows<Process>()[0].libraries = "libc libhdf5";
    PosixRecord& file = made.io<PosixRecord>(
        made.container, 0, {.bytes_written = 200 * mib, .write_time = in_create + in_writes});
    file.highest_written = 100 * mib;
    file.first_write = job_start;
    file.last_write = job_start + in_create + in_writes;
    DatasetRecord& row = made.dataset("/u", 0);
    row.layout = static_cast<std::uint64_t>(DataLayout::contiguous);
    add_writes(row, 100, mib, in_writes);
    row.posix_writes = 200;
    row.posix_bytes_written = 200 * mib;
    row.metadata_time = row.metadata_time_beneath = in_create;
    row.write_time_beneath = in_writes;
    return made;
}

}  // namespace

TEST_CASE("fill values that are written over are HDF5's to leave out, and cost the quicker of both passes")
{
    const report::Finding one = finding_of(filled(4 * second, 2 * second).log, "fill_values");
    CHECK(one.title ==
          "100 MiB of fill values that HDF5 wrote, most into dataset /u of a.h5, and the program "
          "wrote over");
    CHECK(cost_of(one) == Approx(2));
    CHECK_THAT(lines_of(one), Contains("H5Pset_fill_time(dataset_creation, H5D_FILL_TIME_NEVER);"));
    CHECK(cost_of(filled(2 * second, 4 * second).log, "fill_values") == Approx(2));
    // In the first write: their share.
    CHECK(cost_of(filled(0, 6 * second).log, "fill_values") == Approx(3));
    DatasetLog by_program = filled(0, 6 * second);
    by_program.log.rows<DatasetRecord>()[0].bytes_written = 200 * mib;
    CHECK_FALSE(finds(by_program.log, "fill_values"));
    CHECK(finds(by_program.log, "written_again"));
    CHECK_FALSE(finds(filled(0, 6 * second).log, "written_again"));
    DatasetLog once = filled(4 * second, 2 * second);
    once.log.rows<PosixRecord>()[0].highest_written = 200 * mib;
    CHECK_FALSE(finds(once.log, "fill_values"));
}

TEST_CASE("fill values of HDF5 that is linked statically: what ranks write twice through MPI-IO")
{
    const auto made = [](std::uint64_t written, std::string_view libraries, std::string_view path = "/a.h5") {
        Synthetic log;
        log.ranks(2);
        const std::uint64_t file = log.file(path);
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            log.log.rows<Process>()[static_cast<std::size_t>(rank)].libraries = libraries;
            MpiioRecord& row = log.io<MpiioRecord>(
                file, rank,
                {.bytes_written = written / 2, .write_time = 10 * second, .metadata_time = 30 * second});
            row.writes = row.collective_writes = 2;
        }
        PosixRecord& beneath = log.io<PosixRecord>(file, 0, {.bytes_written = written, .write_time = second},
                                                   Scope::beneath_mpiio);
        beneath.creates = 1;
        beneath.highest_written = 100 * mib;
        return log;
    };
    const report::Finding one = finding_of(made(200 * mib, "libc libhdf5.a").log, "fill_values");
    CHECK(one.title == "100 MiB of fill values that HDF5 wrote, and the program wrote over");
    CHECK(cost_of(one) == Approx(20));
    CHECK_THAT(one.cost_basis, Contains("linked statically"));
    CHECK(finds(made(150 * mib, "libc libhdf5.a").log, "fill_values"));
    CHECK_FALSE(finds(made(149 * mib, "libc libhdf5.a").log, "fill_values"));
    CHECK_FALSE(finds(made(211 * mib, "libc libhdf5.a").log, "fill_values"));
    CHECK_FALSE(finds(made(200 * mib, "libc").log, "fill_values"));
    CHECK_FALSE(finds(made(200 * mib, "libc libhdf5.a", "/a.dat").log, "fill_values"));
}

TEST_CASE("fill values that ranks write together as they make a dataset cost what making it takes in MPI-IO")
{
    const auto made = [](std::uint64_t written, std::uint64_t filters) {
        DatasetLog log(2);
        set_time(log.log, 10 * second);
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            log.log.rows<Process>()[static_cast<std::size_t>(rank)].libraries = "libc libhdf5";
            log.io<MpiioRecord>(log.container, rank, {.bytes_written = written, .write_time = 4 * second})
                .writes = 20;
            DatasetRecord& row = log.dataset("/u", rank);
            row.layout = static_cast<std::uint64_t>(DataLayout::chunked);
            row.creates = 1;
            row.filters = filters;
            add_writes(row, 10, 10 * mib, second);
            row.mpiio_bytes_written = written;
            row.metadata_time = row.metadata_time_beneath = 3 * second;
        }
        return log;
    };
    CHECK(cost_of(made(200 * mib, 0).log, "fill_values") == Approx(3));
    CHECK(finds(made(150 * mib, 0).log, "fill_values"));
    CHECK_FALSE(finds(made(150 * mib - 1, 0).log, "fill_values"));
    CHECK_FALSE(finds(made(200 * mib, 1).log, "fill_values"));
    // One in one piece is filled by one rank, for which the other waits.
    DatasetLog one_piece = made(200 * mib, 0);
    for (DatasetRecord& row : one_piece.log.rows<DatasetRecord>())
        row.layout = static_cast<std::uint64_t>(DataLayout::contiguous);
    CHECK(cost_of(one_piece.log, "fill_values") == Approx(4));  // 3 + 3 s, of 4 s in I/O
}

namespace {

DatasetLog flushed(std::uint64_t flushes, std::uint64_t bytes_between)
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    DatasetRecord& row = made.dataset("/u", 0);
    add_writes(row, flushes, bytes_between, second / 100);
    DataFileRecord& file = made.data_file(0);
    file.flushes = flushes;
    file.flush_time = file.metadata_time = 4 * second;
    file.beneath_time = second;
    made.io<PosixRecord>(made.container, 0, {.bytes_written = mib, .write_time = second});
    return made;
}

}  // namespace

TEST_CASE("a flush after every step is found, and the last one is needed")
{
    const DatasetLog made = flushed(100, 1 << 20);
    const report::Finding finding = finding_of(made.log, "library_flushes");
    CHECK(finding.title == "100 flushes by HDF5, one after every 1 MiB written");
    CHECK(cost_of(finding) == Approx(4 * 0.99));
}

TEST_CASE("few flushes, or much between them, are no fault")
{
    CHECK_FALSE(finds(flushed(19, 1 << 20).log, "library_flushes"));
    CHECK(finds(flushed(20, 1 << 20).log, "library_flushes"));
    CHECK_FALSE(finds(flushed(20, 16 << 20).log, "library_flushes"));
}

TEST_CASE("flushes of datasets count like those of their file")
{
    DatasetLog made = flushed(100, 1 << 20);
    made.log.rows<DataFileRecord>()[0].flushes = 0;
    CHECK_FALSE(finds(made.log, "library_flushes"));
    made.log.rows<DatasetRecord>()[0].flushes = 100;
    made.log.rows<DatasetRecord>()[0].flush_time = 2 * second;
    made.log.rows<DatasetRecord>()[0].write_time += 2 * second;
    CHECK(cost_of(made.log, "library_flushes") == Approx(2 * 0.99));
}

TEST_CASE("attributes by the thousand are found, from a thousand on")
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    DataFileRecord& file = made.data_file(0);
    file.attribute_writes = 999;
    file.attribute_time = file.metadata_time = 3 * second;
    CHECK_FALSE(finds(made.log, "many_attributes"));
    file.attribute_reads = 1;
    CHECK(cost_of(made.log, "many_attributes") == Approx(3));
    file.process = reduced;
    file.processes = 2;  // 500 each
    CHECK_FALSE(finds(made.log, "many_attributes"));
    file.process = 0;
    file.processes = 1;
    file.library = static_cast<std::uint64_t>(DataLibrary::pnetcdf);
    CHECK_FALSE(finds(made.log, "many_attributes"));
    // What h5py does around each is 5 times what HDF5 does in a write.
    DatasetLog by_h5py(1);
    set_time(by_h5py.log, 10 * second);
    by_h5py.log.rows<Process>()[0].program = "/usr/bin/python3";
    by_h5py.log.rows<Process>()[0].libraries = "libpython3 libhdf5";
    DataFileRecord& attributes = by_h5py.data_file(0);
    attributes.attribute_writes = 10'000;
    attributes.attribute_time = attributes.metadata_time = second / 10;
    CHECK(cost_of(by_h5py.log, "many_attributes") == Approx(0.1 + 5 * 0.1));
}

TEST_CASE("attributes of datasets that should be one are part of that")
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    DataFileRecord& file = made.data_file(0);
    file.attribute_writes = 1000;
    file.attribute_time = file.metadata_time = 3 * second;
    CHECK(finds(made.log, "many_attributes"));
    for (int at = 0; at < 500; ++at) {
        DatasetRecord& row = made.dataset("/t" + std::to_string(at), 0);
        row.opens = 0;
        row.creates = 1;
        row.metadata_time = second / 100;
    }
    CHECK_FALSE(finds(made.log, "many_attributes"));
    CHECK(cost_of(made.log, "many_datasets") == Approx(5 + 3).epsilon(0.01));
}

TEST_CASE("filters that leave the data as large as they were are found")
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    DatasetRecord& row = made.dataset("/n", 0);
    set_chunks(row, extents({4096, 1024}), extents({128, 1024}));
    row.filters = 2;
    add_writes(row, 32, mib, 3 * second);
    add_posix_writes(row, 32, mib - 1000, second);
    const report::Finding finding = finding_of(made.log, "costly_filters");
    CHECK(finding.title == "dataset /n of a.h5: deflate made 32 MiB into 32.0 MiB");
    CHECK(cost_of(finding) == Approx(2 - 32.0 / 2048).epsilon(0.001));
    row.posix_bytes_written = 20 * mib;
    CHECK_FALSE(finds(made.log, "costly_filters"));
    row.posix_bytes_written = 64 * mib;  // written twice: nothing is known of what one is made into
    CHECK_FALSE(finds(made.log, "costly_filters"));
    row.posix_bytes_written = 32 * mib;
    CHECK(finds(made.log, "costly_filters"));
    row.filters = 4 + 8;  // shuffle and a checksum save nothing by themselves
    CHECK_FALSE(finds(made.log, "costly_filters"));
}

TEST_CASE("slow levels of deflate are found, where they make the data smaller")
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    DatasetRecord& row = made.dataset("/n", 0);
    row.filters = 2;
    row.deflate_level = 9;
    add_writes(row, 32, mib, 3 * second);
    add_posix_writes(row, 8, mib, second);
    const report::Finding finding = finding_of(made.log, "deflate_level");
    CHECK(finding.title == "dataset /n of a.h5: 32 MiB compressed with deflate's level 9");
    const double taken = 2 - 32.0 / 2048 - 24.0 / 2048;
    CHECK(cost_of(finding) == Approx(0.85 * taken).epsilon(0.001));
    CHECK(*finding.cost_least == Approx(0.4 * taken).epsilon(0.001));
    row.deflate_level = 7;
    CHECK(finds(made.log, "deflate_level"));
    // What a flush of the file writes, as by netCDF-4.
    row.posix_bytes_written = row.posix_writes = row.write_time_beneath = 0;
    row.write_time = 0;
    DataFileRecord& file = made.data_file(0);
    file.flush_time = file.metadata_time = 3 * second;
    file.beneath_time = second;
    file.posix_bytes_written = 8 * mib;
    CHECK(cost_of(made.log, "deflate_level") == Approx(0.85 * taken).epsilon(0.001));
    made.log.rows<DataFileRecord>().clear();
    row.write_time = 3 * second;
    row.write_time_beneath = second;
    row.deflate_level = 6;
    CHECK_FALSE(finds(made.log, "deflate_level"));
    row.deflate_level = 9;
    row.posix_bytes_written = 26 * mib;  // a finding of its own
    CHECK_FALSE(finds(made.log, "deflate_level"));
    CHECK(finds(made.log, "costly_filters"));
    set_chunks(row, extents({32 * mib}), extents({4096}));
    row.element_bytes = 1;
    CHECK(finds(made.log, "costly_filters"));
    row.chunk = extents({4095});  // what they take is no matter of the filter
    CHECK_FALSE(finds(made.log, "costly_filters"));
}

TEST_CASE("values that HDF5 takes long to convert are found, copies and filters are not")
{
    DatasetLog made(1);
    set_time(made.log, 10 * second);
    made.log.rows<Process>()[0].libraries = "libc libgfortran libhdf5";
    DatasetRecord& row = made.dataset("/u", 0);
    row.library = static_cast<std::uint64_t>(DataLibrary::hdf5);
    row.element_bytes = 4;
    row.regular = 60;
    add_writes(row, 60, 2 * mib, 3 * second);
    add_posix_writes(row, 240, mib / 2, second / 2);
    const report::Finding finding = finding_of(made.log, "converted_values");
    CHECK(finding.title ==
          "dataset /u of a.h5: HDF5 itself took 79.5 ns for each value written: it may convert them");
    CHECK(cost_of(finding) == Approx(2.5 - 120.0 / 2048).epsilon(0.001));
    CHECK_THAT(finding.advice.front().text, Contains("h5dcreate_f"));
    const auto without = [&](auto change) {
        const DatasetRecord before = row;
        change();
        CHECK_FALSE(finds(made.log, "converted_values"));
        row = before;
        CHECK(finds(made.log, "converted_values"));
    };
    without([&] { row.write_time = second + second / 5; });  // 5.6 ns a byte
    without([&] { row.filters = 2; });
    without([&] { row.element_bytes = 16; });  // as of values of variable length
    without([&] { row.writes = 60 * 64 + 1; });
    without([&] { row.collective_writes = 60; });
    without([&] { row.points = 60; });
    without([&] { set_chunks(row, extents({60, 524288}), extents({1, 1024})); });
    without([&] { row.library = static_cast<std::uint64_t>(DataLibrary::pnetcdf); });
}

namespace {

DatasetLog independent(std::int64_t ranks, std::uint64_t collective)
{
    DatasetLog made(ranks);
    set_time(made.log, 10 * second);
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        MpiioRecord& mpiio = made.io<MpiioRecord>(made.container, rank,
                                                  {.bytes_written = 1000 * 8192, .write_time = 3 * second});
        mpiio.writes = 1000;
        DatasetRecord& row = made.dataset("/u", rank);
        add_writes(row, 1000, 8192, 3 * second);
        row.collective_writes = collective;
        row.mpiio_writes = 1000;
        row.mpiio_bytes_written = 1000 * 8192;
        row.mpiio_time = row.write_time_beneath = 3 * second;
    }
    return made;
}

}  // namespace

TEST_CASE("independent writes of a shared dataset are found, and not as independent MPI-IO too")
{
    const DatasetLog made = independent(4, 0);
    const auto found = found_in(made.log);
    CHECK(of_rule(found, "no_collectives") == nullptr);
    const report::Finding* const finding = of_rule(found, "independent_datasets");
    REQUIRE(finding != nullptr);
    CHECK(finding->title == "dataset /u of a.h5: 4,000 independent writes of 8 KiB on average");
    CHECK(cost_of(*finding) == Approx(3 - 1000 * 8192 / 1048576.0 / 2048).epsilon(0.01));
    CHECK_FALSE(finding->cost_least);
    CHECK_THAT(lines_of(*finding), Contains("H5Dwrite("));
    // Together they wait as long for a slow link.
    DatasetLog far_away = independent(4, 0);
    far_away.log.rows<Mount>().push_back({"/", "nfs", "server"});
    CHECK(*finding_of(far_away.log, "independent_datasets").cost_least ==
          Approx(3 - 4000 * 8192 / 1048576.0 / 50).epsilon(0.01));
    for (DatasetRecord& row : far_away.log.rows<DatasetRecord>()) row.write_time_beneath /= 5;
    CHECK_FALSE(finds(far_away.log, "independent_datasets"));
}

TEST_CASE("independent reads: the advice reads")
{
    DatasetLog made = independent(4, 0);
    for (MpiioRecord& row : made.log.rows<MpiioRecord>()) {
        std::swap(row.reads, row.writes);
        std::swap(row.bytes_read, row.bytes_written);
        std::swap(row.read_time, row.write_time);
    }
    for (DatasetRecord& row : made.log.rows<DatasetRecord>()) {
        std::swap(row.reads, row.writes);
        std::swap(row.bytes_read, row.bytes_written);
        std::swap(row.read_time, row.write_time);
        std::swap(row.read_time_beneath, row.write_time_beneath);
        std::swap(row.mpiio_reads, row.mpiio_writes);
    }
    for (Process& process : made.log.rows<Process>()) process.libraries = "libc libhdf5";
    CHECK_THAT(lines_of(finding_of(made.log, "independent_datasets")),
               Contains("H5Dread(") && !Contains("H5Dwrite"));
    for (Process& process : made.log.rows<Process>()) process.program = "/usr/bin/python3";
    for (Process& process : made.log.rows<Process>()) process.libraries = "libc libpython3 h5py libhdf5";
    CHECK_THAT(lines_of(finding_of(made.log, "independent_datasets")),
               Contains("    part = dataset[first::step]\n"));
}

TEST_CASE("collective writes, and a dataset of one rank, are no independent ones")
{
    CHECK_FALSE(finds(independent(4, 1000).log, "independent_datasets"));
    CHECK_FALSE(finds(independent(1, 0).log, "independent_datasets"));
    DatasetLog one_writes = independent(4, 0);
    for (DatasetRecord& row : one_writes.log.rows<DatasetRecord>())
        if (row.process != 0) row.writes = 0;
    CHECK_FALSE(finds(one_writes.log, "independent_datasets"));
}

namespace {

constexpr std::uint64_t fixed_version = 1'014'003, ignoring_version = 1'010'008;

// So many ranks open 100 datasets of a file 20 times each, 1 ms beneath each, and 1 s of groups and
// attributes.
DatasetLog opened_by(std::int64_t ranks, std::uint64_t version = fixed_version)
{
    DatasetLog made(ranks);
    set_time(made.log, 10 * second);
    for (Process& process : made.log.rows<Process>()) process.libraries = "libc libhdf5";
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        MpiioRecord& mpiio =
            made.io<MpiioRecord>(made.container, rank, {.bytes_read = 3000 * 512, .read_time = 3 * second});
        mpiio.reads = 3000;
        mpiio.metadata_time = second / 2;
        for (int at = 0; at < 100; ++at) {
            DatasetRecord& row = made.dataset("/u" + std::to_string(at), rank);
            row.opens = 20;
            row.metadata_time = row.metadata_time_beneath = row.mpiio_time = second / 50;
            row.mpiio_reads = 20;
        }
        DataFileRecord& file = made.data_file(rank);
        file.version = version;
        file.driver = static_cast<std::uint64_t>(FileDriver::mpiio);
        file.collective_opens = 1;
        file.mpiio_reads = 1000;
        file.mpiio_time = file.beneath_time = file.metadata_time = second * 3 / 2;
    }
    return made;
}

void set_collective(DatasetLog& made)
{
    for (DataFileRecord& row : made.log.rows<DataFileRecord>()) row.collective_metadata = 1;
}

}  // namespace

TEST_CASE("ranks that each read what describes the objects of a file are found, with the time of all but one")
{
    const DatasetLog made = opened_by(4);
    const auto found = found_in(made.log);
    CHECK(of_rule(found, "no_collectives") == nullptr);
    const report::Finding* const finding = of_rule(found, "metadata_by_all");
    REQUIRE(finding != nullptr);
    CHECK(finding->title ==
          "8,000 datasets, groups and attributes of HDF5 opened by ranks that each read for themselves what "
          "describes them");
    // 2 s beneath the datasets, and 1.5 s beneath the file, of which half a second is not in reads.
    CHECK(cost_of(*finding) == Approx(3 * 0.75).epsilon(0.01));
    CHECK_THAT(lines_of(*finding), Contains("H5Pset_all_coll_metadata_ops(file_access, true);") &&
                                       Contains("H5Pset_coll_metadata_write(file_access, true);"));
    CHECK(cost_of(opened_by(2).log, "metadata_by_all") == Approx(3 * 0.5).epsilon(0.01));
}

TEST_CASE(
    "one rank, files read collectively, without MPI-IO, or by one rank alone, have no metadata read by all")
{
    CHECK_FALSE(finds(opened_by(1).log, "metadata_by_all"));
    DatasetLog together = opened_by(4);
    set_collective(together);
    CHECK_FALSE(finds(together.log, "metadata_by_all"));
    DatasetLog by_posix = opened_by(4);
    for (DataFileRecord& row : by_posix.log.rows<DataFileRecord>()) row.collective_opens = 0;
    CHECK_FALSE(finds(by_posix.log, "metadata_by_all"));
    DatasetLog one_reads = opened_by(4);
    for (MpiioRecord& row : one_reads.log.rows<MpiioRecord>())
        if (row.process != 0) row.reads = row.bytes_read = row.readers = 0;
    CHECK_FALSE(finds(one_reads.log, "metadata_by_all"));
}

TEST_CASE("metadata read by all are found from 200 objects opened on, and what making a dataset took is none")
{
    const auto opened_times = [](std::uint64_t opens, std::uint64_t attributes) {
        DatasetLog made = opened_by(2);
        for (DatasetRecord& row : made.log.rows<DatasetRecord>()) row.opens = 0;
        made.log.rows<DatasetRecord>()[0].opens = opens;
        made.log.rows<DataFileRecord>()[0].attribute_opens = attributes;
        return made;
    };
    CHECK_FALSE(finds(opened_times(100, 99).log, "metadata_by_all"));
    CHECK(finds(opened_times(100, 100).log, "metadata_by_all"));
    DatasetLog made = opened_by(4);
    for (DatasetRecord& row : made.log.rows<DatasetRecord>()) row.creates = row.mpiio_writes = 1;
    CHECK(cost_of(made.log, "metadata_by_all") == Approx(0.75).epsilon(0.01));
}

TEST_CASE("versions of HDF5 that ignore the property of a file are told apart, and get that of each object")
{
    for (const std::uint64_t version : {1'010'005, 1'010'008, 1'012'000, 1'012'001}) {
        DatasetLog made = opened_by(4, version);
        set_collective(made);
        CHECK(finds(made.log, "metadata_by_all"));
    }
    for (const std::uint64_t version : {1'010'004, 1'010'009, 1'012'002}) {
        DatasetLog made = opened_by(4, version);
        set_collective(made);
        CHECK_FALSE(finds(made.log, "metadata_by_all"));
    }
    const report::Finding finding = finding_of(opened_by(4, ignoring_version).log, "metadata_by_all");
    CHECK_THAT(lines_of(finding), Contains("H5Dopen2(file, name, dataset_access);"));
}

TEST_CASE("data that PnetCDF moved because a header grew are found")
{
    DatasetLog made(1, "/scratch/a.nc", DataLibrary::pnetcdf);
    set_time(made.log, 10 * second);
    DataFileRecord& file = made.data_file(0);
    file.redefinitions = 2;
    file.header_bytes = 2000;
    file.metadata_time = 4 * second;
    file.open_time = second / 2;
    file.close_time = second / 2;
    file.mpiio_bytes_read = file.mpiio_bytes_written = 64 * mib;
    CHECK(cost_of(made.log, "moved_header") == Approx(3));
    file.redefinitions = 0;
    CHECK_FALSE(finds(made.log, "moved_header"));
    file.redefinitions = 2;
    file.waits = 1;  // which may have read for nonblocking calls
    CHECK_FALSE(finds(made.log, "moved_header"));
    file.waits = 0;
    file.mpiio_bytes_read = mib / 2;
    CHECK_FALSE(finds(made.log, "moved_header"));
}

TEST_CASE("time in a library counts beside a rank's I/O, on the slowest rank")
{
    DatasetLog made(2);
    set_time(made.log, 10 * second);
    for (const std::int64_t rank : {0, 1}) {
        DataFileRecord& file = made.data_file(rank);
        file.attribute_writes = 1000;
        file.attribute_time = file.metadata_time = rank == 0 ? 3 * second : second;
    }
    // The other rank had I/O of its own for 2 s: 3 s are left of its 3.
    made.io<PosixRecord>(made.file("/own"), 1, {.bytes_read = mib, .read_time = 2 * second});
    CHECK(cost_of(made.log, "many_attributes") == Approx(1));
}

TEST_CASE("requests of HDF5 that begin inside a block get its alignment as advice, unless it is set")
{
    DatasetLog made(1);
    made.log.rows<Process>()[0].libraries = "libc libhdf5";
    PosixRecord& row =
        made.io<PosixRecord>(made.container, 0, {.bytes_written = 100 * mib, .write_time = 50 * second});
    row.writes = row.sequential_writes = 100;
    row.file_alignment = 1 << 20;
    row.file_unaligned = 100;
    DataFileRecord& file = made.data_file(0);
    CHECK_THAT(lines_of(finding_of(made.log, "misaligned")),
               Contains("H5Pset_alignment(file_access, 64 << 10, 1048576);"));
    file.alignment = 1 << 20;
    CHECK_THAT(lines_of(finding_of(made.log, "misaligned")), !Contains("H5Pset_alignment"));
}

TEST_CASE("values written to a dataset one by one are found, also where HDF5 collects them")
{
    const auto log_with = [](std::uint64_t calls, std::uint64_t size,
                             std::string_view libraries = "libc libhdf5") {
        DatasetLog made(1);
        set_time(made.log, 10 * second);
        made.log.rows<Process>()[0].libraries = libraries;
        add_writes(made.dataset("/u", 0), calls, size, second);
        return made;
    };
    const report::Finding finding = finding_of(log_with(100'000, 64).log, "small_selections");
    CHECK(finding.title == "dataset /u of a.h5: 100,000 writes of 64 B each");
    // And half a microsecond for choosing each selection.
    CHECK(cost_of(finding) == Approx(1 - 6.4e6 / 2048 / (1 << 20) + 100e3 * 0.5e-6));
    CHECK_THAT(lines_of(finding), Contains("H5Dwrite(dataset"));
    CHECK(finds(log_with(1000, 8191).log, "small_selections"));
    CHECK_FALSE(finds(log_with(999, 8191).log, "small_selections"));
    CHECK_FALSE(finds(log_with(1000, 8192).log, "small_selections"));
    // h5py makes selections, types and spaces around each, which takes longer where HDF5 itself does; no
    // longer than there is between the first and the last of them.
    DatasetLog python = log_with(100'000, 64, "libc libpython3 libhdf5");
    python.log.rows<Process>()[0].program = "/usr/bin/python3";
    DatasetRecord& by_rows = python.log.rows<DatasetRecord>()[0];
    const report::Finding by_python = finding_of(python.log, "small_selections");
    CHECK(cost_of(by_python) == Approx(1 + 4.5 * 2).epsilon(0.01));
    by_rows.write_time_beneath = by_rows.write_time / 10 * 8;
    CHECK(cost_of(python.log, "small_selections") == Approx(0.2 + 18 * 0.2).epsilon(0.01));
    by_rows.write_time_beneath = by_rows.write_time / 100 * 95;
    CHECK(cost_of(python.log, "small_selections") == Approx(0.05 + 2).epsilon(0.01));
    by_rows.first_write = second;
    by_rows.last_write = 3 * second;
    CHECK(cost_of(python.log, "small_selections") == Approx(0.05 + (3 - 1 - 1)).epsilon(0.01));
    CHECK_THAT(lines_of(by_python), Contains("dataset[...] = array"));
    DatasetLog together = log_with(100'000, 64);
    together.log.rows<DatasetRecord>()[0].collective_writes = 100'000;
    CHECK_FALSE(finds(together.log, "small_selections"));
}

TEST_CASE("values written one by one to a variable of a classic NetCDF file are found")
{
    DatasetLog made(1, "/scratch/a.nc", DataLibrary::netcdf);
    set_time(made.log, 10 * second);
    made.log.rows<Process>()[0].libraries = "libc libnetcdf";
    DatasetRecord& row = made.dataset("u", 0);
    row.opens = 0;
    add_writes(row, 5'000'000, 8, second);
    const report::Finding one = finding_of(made.log, "small_selections");
    CHECK(one.title == "variable u of a.nc: 5,000,000 writes of 8 B each");
    // And a tenth of a microsecond for Fortran's arrays of places.
    CHECK(cost_of(one) == Approx(1.5 - 40e6 / 2048 / (1 << 20)));
    CHECK_THAT(lines_of(one), Catch::StartsWith("nc_put_vara_double"));
    row.posix_writes = 5'000'000;  // without its buffer
    CHECK_THAT(lines_of(finding_of(made.log, "small_selections")),
               Catch::StartsWith("nc_create(path, NC_CLOBBER"));
}

TEST_CASE("large parts of variables that netCDF's buffer moves in small blocks are found")
{
    const auto made_of = [](std::uint64_t part, std::uint64_t block) {
        DatasetLog made(1, "/scratch/a.nc", DataLibrary::netcdf);
        set_time(made.log, 10 * second);
        made.log.rows<Process>()[0].libraries = "libc libnetcdf";
        made.log.rows<Mount>().push_back({"/", "nfs", "server"});
        add_writes(made.dataset("u", 0), 64 * mib / part, part, 4 * second);
        PosixRecord& row = made.io<PosixRecord>(
            made.container, 0,
            {.bytes_written = 64 * mib, .read_time = 2 * second, .write_time = 2 * second});
        row.writes = row.consecutive_writes = 64 * mib / block;
        row.write_size.count[SizeHistogram::class_of(block)] = row.writes;
        return made;
    };
    const report::Finding one = finding_of(made_of(mib, 8 << 10).log, "netcdf_buffer");
    CHECK_THAT(one.title, Contains("8,192 requests of 8 KiB by netCDF's buffer"));
    // A link of 50 MiB/s takes 1.28 s of it in any case.
    CHECK(cost_of(one) == Approx(4 - 64.0 / 2048 - 1.28).epsilon(0.01));
    CHECK_THAT(lines_of(one), Contains("nc__create(path"));
    CHECK_FALSE(finds(made_of(mib, 8 << 10).log, "small_requests"));
    CHECK(finds(made_of(256 << 10, 16 << 10).log, "netcdf_buffer"));
    CHECK_FALSE(finds(made_of(128 << 10, 16 << 10).log, "netcdf_buffer"));
    CHECK_FALSE(finds(made_of(mib, 32 << 10).log, "netcdf_buffer"));
}

TEST_CASE("flushes that each write a row and note their number are the fault, not the rows and the notes")
{
    const auto log_with = [](std::uint64_t attributes, std::uint64_t rows, std::string_view program) {
        DatasetLog made(1);
        set_time(made.log, 10 * second);
        Process& process = made.log.rows<Process>()[0];
        process.program = program;
        process.libraries = "libc libhdf5";
        add_writes(made.dataset("/table", 0), rows, 14, second);
        DataFileRecord& file = made.data_file(0);
        file.flushes = 10'000;
        file.flush_time = 4 * second;
        file.attribute_writes = attributes;
        file.attribute_time = second;
        file.metadata_time = 5 * second;
        made.io<PosixRecord>(made.container, 0, {.bytes_written = mib, .write_time = second});
        return made;
    };
    const DatasetLog made = log_with(10'000, 10'000, "/usr/bin/python3");
    const report::Finding one = finding_of(made.log, "library_flushes");
    CHECK(cost_of(one) == Approx(6 + 10'000 * 5e-6).epsilon(1e-3));
    CHECK(one.confidence == report::Confidence::medium);
    CHECK_THAT(lines_of(one), Contains("table.flush()"));
    CHECK_FALSE(finds(made.log, "many_attributes"));
    CHECK_FALSE(finds(made.log, "small_selections"));
    CHECK(cost_of(log_with(10'000, 10'000, "/home/user/app").log, "library_flushes") ==
          Approx(6).epsilon(1e-3));
    // Attributes, or rows, for other reasons.
    for (const DatasetLog& other :
         {log_with(11'001, 10'000, "/usr/bin/python3"), log_with(10'000, 11'001, "/usr/bin/python3")}) {
        CHECK(finding_of(other.log, "library_flushes").confidence == report::Confidence::high);
        CHECK(finds(other.log, "many_attributes"));
    }
}

TEST_CASE("chunks of HDF5 that is linked statically: written twice and more, and read back or flushed")
{
    struct Case {
        std::uint64_t written = 40 * mib, read = 39 * mib, requests = 40;
        std::string_view path = "/run/u.h5", libraries = "libc libhdf5.a";
    };
    const auto made = [](const Case& of) {
        Synthetic job;
        job.process(-1);
        Process& process = job.log.rows<Process>().front();
        process.libraries = of.libraries;
        process.cpu_time = 4 * second;
        process.end = job_start + 5 * second;
        PosixRecord& row = job.io<PosixRecord>(job.file(of.path), 0,
                                               {.bytes_read = of.read,
                                                .bytes_written = of.written,
                                                .read_time = second / 10,
                                                .write_time = second / 10});
        row.opens = 1;
        row.held_time = 3 * second;
        row.reads = row.writes = of.requests;
        row.highest_written = row.highest_read = 10 * mib;
        return job;
    };
    // 30 of 40 MiB, of the time in calls and of what was computed.
    const report::Finding again = finding_of(made({}).log, "unseen_chunks");
    CHECK(again.title == "30 MiB of chunks of HDF5 read, changed and written again");
    CHECK(again.cost_least == Approx(0.75 * 0.2));
    CHECK(cost_of(again) == Approx(0.75 * 3).epsilon(0.01));
    CHECK_THAT(lines_of(again), Contains("H5Pset_chunk_cache"));
    const report::Finding flushed = finding_of(made({.read = 0}).log, "unseen_chunks");
    CHECK(flushed.title == "30 MiB of chunks of HDF5 written again");
    CHECK_THAT(lines_of(flushed), Contains("H5Fflush"));

    CHECK_FALSE(finds(made({.written = 20 * mib - 1}).log, "unseen_chunks"));
    CHECK_FALSE(finds(made({.read = 14 * mib}).log, "unseen_chunks"));  // neither
    CHECK_FALSE(finds(made({.requests = 19}).log, "unseen_chunks"));
    CHECK_FALSE(finds(made({.requests = 5121}).log, "unseen_chunks"));  // of less than 8 KiB
    CHECK_FALSE(finds(made({.path = "/run/u.dat"}).log, "unseen_chunks"));
    CHECK_FALSE(finds(made({.libraries = "libc"}).log, "unseen_chunks"));
}

TEST_CASE("fill values of classic NetCDF: as much as its variables have was written beside them, and read")
{
    const auto made_of = [](std::uint64_t beside, std::uint64_t read) {
        DatasetLog made(1, "/scratch/a.nc", DataLibrary::netcdf);
        set_time(made.log, 10 * second);
        made.log.rows<Process>()[0].libraries = "libc libnetcdf";
        add_writes(made.dataset("u", 0), 64, mib, 2 * second);
        PosixRecord& row = made.io<PosixRecord>(made.container, 0,
                                                {.bytes_read = read * mib,
                                                 .bytes_written = (64 + beside) * mib,
                                                 .read_time = second,
                                                 .write_time = 3 * second});
        row.creates = 5;
        row.reads = row.writes = 16'384;
        row.highest_read = row.highest_written = 64 * mib / 5;
        row.last_write = job_start + 10 * second;
        return made;
    };
    const report::Finding one = finding_of(made_of(64, 64).log, "fill_values");
    CHECK(one.title == "64 MiB of fill values that NetCDF wrote, and the program wrote over");
    CHECK(cost_of(one) == Approx(2));
    for (const auto& [beside, read] : {std::pair{31, 31}, {71, 64}, {64, 31}, {64, 71}})
        CHECK_FALSE(finds(made_of(static_cast<std::uint64_t>(beside), static_cast<std::uint64_t>(read)).log,
                          "fill_values"));
}
