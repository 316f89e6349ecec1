#include "analyzer/job/datasets.h"

#include <catch2/catch.hpp>

#include "analyzer/document/units.h"
#include "analyzer/job/dataset_words.h"
#include "tests/analyzer/datasets.h"
#include "tests/analyzer/report_text.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Matchers::Contains;

namespace {

const report::Section* section_named(const report::Document& document, std::string_view id)
{
    for (const report::Section& section : document.sections)
        if (section.id == id) return &section;
    return nullptr;
}

const report::DataTable& table_named(const report::Document& document, std::string_view id)
{
    for (const report::Section& section : document.sections)
        for (const report::Block& block : section.blocks)
            if (const auto* const table = std::get_if<report::DataTable>(&block); table != nullptr)
                if (table->id == id) return *table;
    FAIL("no table " << id);
    throw 0;
}

std::size_t column_of(const report::DataTable& table, std::string_view id)
{
    for (std::size_t at = 0; at < table.columns.size(); ++at)
        if (table.columns[at].id == id) return at;
    FAIL("no column " << id);
    throw 0;
}

std::string cell_of(const report::DataTable& table, std::size_t row, std::string_view column)
{
    REQUIRE(row < table.rows.size());
    return report::format(table.rows[row][column_of(table, column)]);
}

// Small chunks: 4,000 writes of four chunks each.
DatasetLog small_chunks()
{
    DatasetLog made(1);
    made.io<PosixRecord>(made.container, 0, {.bytes_written = 32'000'000, .write_time = 2 * second});
    made.data_file(0).metadata_time = second / 10;
    DatasetRecord& row = made.dataset("/group/u", 0);
    set_chunks(row, extents({4000, 1024}), extents({1, 256}));
    add_writes(row, 4000, 8192, 3 * second);
    row.write_shape = {4000, extents({1, 1024})};
    add_posix_writes(row, 16'000, 2048, 2 * second);
    return made;
}

}  // namespace

TEST_CASE("a sentence says what became of a dataset's writes")
{
    const DatasetLog made = small_chunks();
    CHECK_THAT(report_text(made.log),
               Contains("Dataset /group/u of a.h5: 4,000 writes of 8 KiB to chunks of 2 KiB became "
                        "16,000 writes of 2 KiB in POSIX. Of 3.00 s in its calls, 1.00 s passed in the "
                        "library itself."));
}

TEST_CASE("sentences tell reads and writes, averages, MPI-IO between, and what no call lies beneath")
{
    DatasetLog made(1);
    DatasetRecord& row = made.dataset("/u", 0);
    add_writes(row, 10, 1000, second);
    add_writes(row, 30, 3000, second);
    row.mpiio_writes = 40;
    row.mpiio_bytes_written = 100'000;
    row.posix_writes = 20;
    row.posix_bytes_written = 200'000;
    const Datasets all(made.log);
    CHECK(what_became_of(all.datasets()[0], Direction::write) ==
          "40 writes of 2.44 KiB on average became 40 writes of 2.44 KiB in MPI-IO and 20 writes of 9.77 KiB "
          "in POSIX, 2.00 bytes for each that was asked for");
    CHECK(what_became_of(all.datasets()[0], Direction::read).empty());
    add_reads(row, 1, 4096, 1);
    const Datasets again(made.log);
    CHECK(what_became_of(again.datasets()[0], Direction::read) ==
          "1 read of 4 KiB: the library had all of it in memory");
    row.posix_bytes_read = 4096;  // a part of a request
    const Datasets together(made.log);
    CHECK(what_became_of(together.datasets()[0], Direction::read) ==
          "1 read of 4 KiB, in the same requests as those of other variables");
}

TEST_CASE("a sentence says that chunks were kept where fewer bytes were written, unless filters may be why")
{
    DatasetLog made = small_chunks();
    DatasetRecord& row = made.log.rows<DatasetRecord>()[0];
    row.posix_writes = 100;
    row.posix_bytes_written = 204'800;
    CHECK(
        what_became_of(Datasets(made.log).datasets()[0], Direction::write) ==
        "4,000 writes of 8 KiB to chunks of 2 KiB became 100 writes of 2 KiB in POSIX; the chunk cache kept "
        "the rest until its file was flushed or closed");
    row.filters = 2;
    CHECK_THAT(what_became_of(Datasets(made.log).datasets()[0], Direction::write),
               Contains("0.01 bytes for each that was asked for"));
}

TEST_CASE("a sentence says so where calls on the file itself took longer than those on its datasets")
{
    DatasetLog made = small_chunks();
    CHECK_THAT(report_text(made.log), !Contains("itself took"));
    DataFileRecord& file = made.log.rows<DataFileRecord>()[0];
    file.metadata_time = 5 * second;
    file.flush_time = 4 * second;
    file.close_time = second;
    file.flushes = 700;
    CHECK_THAT(report_text(made.log),
               Contains("Calls on /scratch/a.h5 itself took 5.00 s, of which 4.00 s passed in 700 flushes."));
}

TEST_CASE("the section goes down from a dataset to POSIX, with what each byte and call became")
{
    const DatasetLog made = small_chunks();
    const report::Document document = make_report(Job(made.log), {});
    const auto& levels = table_named(document, "library_levels");
    REQUIRE(levels.rows.size() == 2);
    CHECK(cell_of(levels, 0, "name") == "/group/u of a.h5");
    CHECK(cell_of(levels, 0, "level") == "calls");
    CHECK(cell_of(levels, 0, "calls_for_each") == "-");
    CHECK(cell_of(levels, 1, "level") == "POSIX");
    CHECK(cell_of(levels, 1, "writes") == "16,000");
    CHECK(cell_of(levels, 1, "calls_for_each") == "4.00");
    CHECK(cell_of(levels, 1, "bytes_for_each") == "1.00");
    const auto& layouts = table_named(document, "library_layouts");
    CHECK(cell_of(layouts, 0, "dimensions") == "4000 x 1024");
    CHECK(cell_of(layouts, 0, "layout") == "chunks of 1 x 256");
    CHECK(cell_of(layouts, 0, "chunk_bytes") == "2 KiB");
    CHECK(cell_of(layouts, 0, "filters") == "none");
    CHECK(cell_of(layouts, 0, "write_shape") == "1 x 1024");
    const auto& files = table_named(document, "library_file_levels");
    REQUIRE(files.rows.size() == 2);
    CHECK(cell_of(files, 0, "name") == "/scratch/a.h5");
    CHECK(cell_of(files, 0, "level") == "1 dataset");
    CHECK(cell_of(files, 0, "time") == "3.10 s");
    CHECK(cell_of(files, 1, "bytes_written") == "30.5 MiB");
    CHECK(cell_of(table_named(document, "libraries"), 1, "own_time") == "1.00 s");
}

TEST_CASE("what a file of PnetCDF has is called variables at the top of its levels")
{
    DatasetLog made(1, "/scratch/a.nc", DataLibrary::pnetcdf);
    add_writes(made.dataset("u", 0), 1, 100, second);
    add_writes(made.dataset("v", 0), 1, 100, second);
    made.io<PosixRecord>(made.container, 0, {.bytes_written = 200, .write_time = second});
    const report::Document document = make_report(Job(made.log), {});
    CHECK(cell_of(table_named(document, "library_file_levels"), 0, "level") == "2 variables");
}

TEST_CASE("the way down to POSIX begins at what the library calls it")
{
    DatasetLog variables(1, "/scratch/a.nc", DataLibrary::pnetcdf);
    add_writes(variables.dataset("u", 0), 1, 100, second);
    variables.io<PosixRecord>(variables.container, 0, {.bytes_written = 100, .write_time = second});
    const auto levels_of = [](const Log& log) {
        return table_named(make_report(Job(log), {}), "library_levels");
    };
    CHECK(levels_of(variables.log).title == "From the variable down to POSIX");
    CHECK_THAT(levels_of(variables.log).remark,
               Contains("asked of the variable") && !Contains("chunk cache"));
    DatasetLog made = small_chunks();
    CHECK(levels_of(made.log).title == "From the dataset down to POSIX");
    CHECK_THAT(levels_of(made.log).remark, Contains("chunk cache") && !Contains("nonblocking"));
}

TEST_CASE("datasets of several processes are one each, by time, and no more are shown than asked for")
{
    DatasetLog made(4);
    for (int number = 0; number < 30; ++number)
        for (std::int64_t rank = 0; rank < 4; ++rank)
            add_writes(made.dataset("/set" + std::to_string(number), rank), 1, 100,
                       second * static_cast<std::uint64_t>(number + 1));
    const report::Document document = make_report(Job(made.log), {.sections = {.files = 5}});
    const auto& table = table_named(document, "library_datasets");
    REQUIRE(table.rows.size() == 5);
    CHECK(cell_of(table, 0, "name") == "/scratch/a.h5:/set29");
    CHECK(cell_of(table, 0, "writes") == "4");
    CHECK(cell_of(table, 0, "time") == "120 s");
    CHECK_THAT(table.remark, Contains("25 more are not shown."));
}

TEST_CASE("datasets without room of their own are counted, and nothing is said of their chunks")
{
    DatasetLog made = small_chunks();
    DatasetRecord row = made.log.rows<DatasetRecord>()[0];
    row.file = made.file("/scratch/a.h5:<other datasets>", NameKind::object);
    made.log.rows<FileName>().back().files = 1000;
    made.log.rows<DatasetRecord>().push_back(row);
    const report::Document document = make_report(Job(made.log), {});
    CHECK(cell_of(table_named(document, "libraries"), 1, "number") == "1,001");
    CHECK_THAT(table_named(document, "libraries").remark, Contains("how many they are is estimated"));
    CHECK(table_named(document, "library_layouts").rows.size() == 1);
    CHECK_THAT(report_text(made.log),
               Contains("<other datasets> of a.h5: 4,000 writes of 8 KiB became 16,000 writes"));
}

TEST_CASE("collective and independent variables of PnetCDF have tables of their own")
{
    DatasetLog made(2, "/scratch/a.nc", DataLibrary::pnetcdf);
    DatasetRecord& row = made.dataset("u", 0);
    add_writes(row, 8, 1000, second);
    row.collective_writes = 6;
    row.layout = static_cast<std::uint64_t>(DataLayout::record_variable);
    DataFileRecord& file = made.data_file(0);
    file.redefinitions = 3;
    file.metadata_time = second;
    const report::Document document = make_report(Job(made.log), {});
    CHECK(cell_of(table_named(document, "library_variables"), 0, "collective") == "75 %");
    CHECK(cell_of(table_named(document, "library_files"), 0, "redefinitions") == "3");
    CHECK(called(Datasets(made.log).datasets()[0]) == "variable u of a.nc");
}

TEST_CASE("variables of netCDF's classic files have a table apart from PnetCDF's")
{
    DatasetLog made(1, "/scratch/a.nc", DataLibrary::netcdf);
    DatasetRecord& row = made.dataset("u", 0);
    row.opens = 0;
    add_writes(row, 8, 1000, second);
    const report::Document document = make_report(Job(made.log), {});
    CHECK(cell_of(table_named(document, "libraries"), 0, "library") == "netCDF variables");
    CHECK(table_named(document, "library_variables").title == "netCDF variables with most time");
    made.io<PosixRecord>(made.container, 0, {.bytes_written = 8000, .write_time = second});
    made.log.rows<Process>()[0].end = job_start + 4 * second;
    CHECK_THAT(report_text(made.log), Contains("netCDF itself took another"));
}

TEST_CASE("Darshan's counters become the same datasets, and nothing is said of what it does not have")
{
    DatasetLog made(4);
    const std::uint64_t set = made.file("/scratch/a.h5:/u", NameKind::object);
    const auto add = [&](std::string_view library, std::string_view counter, std::uint64_t file,
                         std::int64_t number, double time = 0) {
        made.log.rows<LibraryCounter>().push_back(
            {library, counter, file, library == "H5D" ? made.container : 0, reduced, number, time});
    };
    add("H5F", "OPENS", made.container, 4);
    add("H5F", "USE_MPIIO", made.container, 1);
    add("H5D", "OPENS", set, 4);
    add("H5D", "READS", set, 3);
    add("H5D", "WRITES", set, 1234);
    add("H5D", "BYTES_WRITTEN", set, 5 << 20);
    add("H5D", "DATATYPE_SIZE", set, 8);
    add("H5D", "CHUNK_SIZE_D1", set, 256);  // the fastest
    add("H5D", "CHUNK_SIZE_D2", set, 2);
    add("H5D", "USE_MPIIO_COLLECTIVE", set, 1);
    add("H5D", "WRITE_TIME", set, 0, 2.5);
    add("H5D", "READ_TIME", set, 0, -1);
    const Datasets all(made.log);
    REQUIRE(all.datasets().size() == 1);
    const DatasetUse& one = all.datasets()[0];
    CHECK(one.name == "/u");
    CHECK(one.sums.writes == 1234);
    CHECK(one.sums.write_time == 2'500'000'000);
    CHECK(one.sums.read_time == 0);
    CHECK(words_of(one.sums.chunk) == "2 x 256");
    CHECK(one.chunk_bytes() == 4096);
    CHECK_FALSE(one.own);
    CHECK(one.some_collective);
    CHECK(all.file_of(made.container)->by_mpiio);
    CHECK(what_became_of(one, Direction::write).empty());
    const report::Document document = make_report(Job(made.log), {});
    CHECK(cell_of(table_named(document, "library_datasets"), 0, "collective") == "yes");
    CHECK(cell_of(table_named(document, "library_datasets"), 0, "own_time") == "-");
    const report::Section* const section = section_named(document, "libraries");
    REQUIRE(section != nullptr);
    for (const report::Block& block : section->blocks)
        if (const auto* const table = std::get_if<report::DataTable>(&block); table != nullptr)
            CHECK(table->id != "library_levels");
}

TEST_CASE("filters, layouts and shapes have their names")
{
    DatasetCounters one;
    CHECK(filter_words(one).empty());
    one.filters = 2 + 4;
    CHECK(filter_words(one) == "deflate, shuffle");
    one.filters = 1;
    one.other_filter = 32015;
    CHECK(filter_words(one) == "filter 32015");
    one.layout = static_cast<std::uint64_t>(DataLayout::contiguous);
    CHECK(layout_words(one) == "contiguous");
    Extents many = extents({1, 2, 3, 4, 5, 6});
    many.rank = 8;
    CHECK(words_of(many) == "… x 1 x 2 x 3 x 4 x 5 x 6");
    Extents unknown;
    unknown.rank = 3;
    CHECK(words_of(unknown) == "3 dimensions");
    one.irregular = 2;
    one.whole = 5;
    CHECK(selection_words(one) == "whole, irregular");
}
