// What of files and datasets of HDF5 and PnetCDF goes into Darshan's modules.
#include <catch2/catch.hpp>
#include <map>

#include "analyzer/job/datasets.h"
#include "parsers/darshan/file.h"
#include "parsers/darshan/from_log.h"
#include "parsers/open.h"
#include "tests/analyzer/datasets.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

struct OneRecord {
    std::int64_t rank = 0;
    std::uint64_t container = 0;
    std::map<std::string, double, std::less<>> values;
};

std::map<std::string, OneRecord> records_of(const std::string& path, darshan::Module module)
{
    const darshan::File file(path);
    std::map<std::string, OneRecord> records;
    const darshan::Counters& counters = *darshan::counters_of(module);
    CHECK(file.each_record(module, [&](const darshan::CounterRecord& record) {
        OneRecord& one = records[std::string(file.name_of(record.id))];
        one.rank = record.rank;
        one.container = record.container;
        for (std::size_t at = 0; at < record.numbers.size(); ++at)
            one.values[std::string(counters.numbers[at])] = static_cast<double>(record.numbers[at]);
        for (std::size_t at = 0; at < record.times.size(); ++at)
            one.values[std::string(counters.times[at])] = record.times[at];
        return true;
    }) == "");
    return records;
}

}  // namespace

TEST_CASE("datasets of HDF5 become records of H5D, their file one of H5F")
{
    DatasetLog made(2);
    DatasetRecord& row = made.dataset("/u", 1);
    set_chunks(row, extents({10, 20}), extents({2, 5}));
    row.creates = 1;
    add_writes(row, 3, 160, 2 * second);
    row.flushes = 1;
    row.flush_time = second / 2;
    row.metadata_time = second;
    row.write_shape = {3, extents({1, 20})};
    row.first_write = job_start + 5 * second;
    row.collective_writes = 1;
    row.points = 1;
    DataFileRecord& file = made.data_file(1);
    file.creates = 1;
    file.flushes = 7;
    file.open_time = second;
    file.attribute_time = 3 * second;
    file.metadata_time = 4 * second;
    file.driver = static_cast<std::uint64_t>(FileDriver::mpiio);
    made.io<PosixRecord>(made.container, 1, {.bytes_written = 480, .write_time = second});
    const Temporary folder;
    const std::string path = folder.path("x.darshan");
    darshan::write_darshan_log(made.log, path);

    const auto files = records_of(path, darshan::Module::h5f);
    REQUIRE(files.contains("/scratch/a.h5"));
    const OneRecord& h5f = files.at("/scratch/a.h5");
    CHECK(h5f.rank == 1);
    CHECK(h5f.values.at("OPENS") == 2);
    CHECK(h5f.values.at("FLUSHES") == 7);
    CHECK(h5f.values.at("USE_MPIIO") == 1);
    CHECK(h5f.values.at("META_TIME") == 1);  // without attributes

    const auto datasets = records_of(path, darshan::Module::h5d);
    REQUIRE(datasets.contains("/scratch/a.h5:/u"));
    const OneRecord& h5d = datasets.at("/scratch/a.h5:/u");
    CHECK(darshan::File(path).name_of(h5d.container) == "/scratch/a.h5");
    CHECK(h5d.values.at("OPENS") == 2);
    CHECK(h5d.values.at("WRITES") == 3);
    CHECK(h5d.values.at("BYTES_WRITTEN") == 480);
    CHECK(h5d.values.at("REGULAR_HYPERSLAB_SELECTS") == 3);
    CHECK(h5d.values.at("POINT_SELECTS") == 1);
    CHECK(h5d.values.at("SIZE_WRITE_AGG_100_1K") == 3);
    CHECK(h5d.values.at("ACCESS1_ACCESS") == 160);
    CHECK(h5d.values.at("ACCESS1_COUNT") == 3);
    CHECK(h5d.values.at("ACCESS1_LENGTH_D5") == 1);  // the slowest
    CHECK(h5d.values.at("ACCESS1_LENGTH_D4") == 20);
    CHECK(h5d.values.at("ACCESS1_LENGTH_D1") == 0);
    CHECK(h5d.values.at("ACCESS1_STRIDE_D1") == -1);
    CHECK(h5d.values.at("CHUNK_SIZE_D1") == 5);  // the fastest
    CHECK(h5d.values.at("CHUNK_SIZE_D2") == 2);
    CHECK(h5d.values.at("DATASPACE_NDIMS") == 2);
    CHECK(h5d.values.at("DATASPACE_NPOINTS") == 200);
    CHECK(h5d.values.at("DATATYPE_SIZE") == 8);
    CHECK(h5d.values.at("USE_MPIIO_COLLECTIVE") == 1);
    CHECK(h5d.values.at("USE_DEPRECATED") == -1);
    CHECK(h5d.values.at("WRITE_TIME") == Approx(1.5));
    CHECK(h5d.values.at("META_TIME") == Approx(1.5));
    CHECK(h5d.values.at("WRITE_START_TIMESTAMP") == Approx(5));

    // And back again.
    const Log again = open_dataset(path);
    const Datasets all(again);
    REQUIRE(all.datasets().size() == 1);
    CHECK(all.datasets()[0].name == "/u");
    CHECK(all.datasets()[0].sums.writes == 3);
    CHECK(all.datasets()[0].chunk_bytes() == 80);
}

TEST_CASE("variables of PnetCDF become records of PNETCDF_VAR, by how they were called")
{
    DatasetLog made(1, "/scratch/a.nc", DataLibrary::pnetcdf);
    DatasetRecord& row = made.dataset("u", 0);
    add_writes(row, 10, 800, second);
    row.collective_writes = 4;
    row.nonblocking_writes = 1;
    row.layout = static_cast<std::uint64_t>(DataLayout::record_variable);
    row.element_bytes = 8;
    row.dimensions = extents({10, 50});
    row.write_shape = {10, extents({2, 50})};
    DataFileRecord& file = made.data_file(0);
    file.redefinitions = 2;
    file.waits = 3;
    file.metadata_time = 2 * second;
    file.wait_time = second;
    const Temporary folder;
    const std::string path = folder.path("x.darshan");
    darshan::write_darshan_log(made.log, path);
    const OneRecord variable = records_of(path, darshan::Module::pnetcdf_var).at("/scratch/a.nc:u");
    CHECK(variable.values.at("INDEP_WRITES") == 5);
    CHECK(variable.values.at("COLL_WRITES") == 4);
    CHECK(variable.values.at("NB_WRITES") == 1);
    CHECK(variable.values.at("IS_RECORD_VAR") == 1);
    CHECK(variable.values.at("NPOINTS") == 50);           // of one record
    CHECK(variable.values.at("ACCESS1_LENGTH_D1") == 2);  // the slowest
    CHECK(variable.values.at("ACCESS1_LENGTH_D2") == 50);
    CHECK(variable.values.at("ACCESS1_LENGTH_D5") == 0);
    CHECK(variable.values.at("PUT_VAR") == -1);
    CHECK(variable.values.at("BPUT_VARN") == -1);
    CHECK(variable.values.at("MAX_READ_TIME_SIZE") == 0);
    const OneRecord of_file = records_of(path, darshan::Module::pnetcdf_file).at("/scratch/a.nc");
    CHECK(of_file.values.at("REDEFS") == 2);
    CHECK(of_file.values.at("COLL_WAITS") == 3);
    CHECK(of_file.values.at("INDEP_WAITS") == -1);
    CHECK(of_file.values.at("META_TIME") == 1);
    CHECK(of_file.values.at("WAIT_TIME") == 1);
    CHECK(records_of(path, darshan::Module::h5f).empty());
    CHECK(records_of(path, darshan::Module::h5d).empty());
}

TEST_CASE("datasets without room for a record of their own are none in Darshan's log, which says so")
{
    DatasetLog made(1);
    add_writes(made.dataset("<other datasets>", 0), 10, 800, second);
    add_writes(made.dataset("/u", 0), 1, 800, second);
    const Temporary folder;
    const std::string path = folder.path("x.darshan");
    darshan::write_darshan_log(made.log, path);
    CHECK(records_of(path, darshan::Module::h5d).size() == 1);
    CHECK(darshan::File(path).find(darshan::Module::h5d)->partial);
}
