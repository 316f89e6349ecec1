// What records add up to: every counter that a record has is in the sum, by its own rule.
#include <catch2/catch.hpp>

#include "analyzer/job/counter_sums.h"
#include "analyzer/job/layer_sums.h"
#include "analyzer/job/slices.h"
#include "tests/logformat/sample.h"

using namespace fathom;
using namespace fathom::sample;

namespace {

// Two records with every counter set.
template <class Row>
struct TwoRecords {
    Log log;

    TwoRecords()
    {
        for (const std::uint64_t number : {1, 2}) {
            Row row = distinct_row<Row>(number, log);
            row.file = number;
            row.process = 0;
            log.rows<Row>().push_back(row);
            log.rows<FileName>().push_back({.file = number, .path = "/data"});
        }
    }
    const Row& one() const { return log.rows<Row>()[0]; }
    const Row& other() const { return log.rows<Row>()[1]; }
};

// No counter is lost.
template <class Counters, class Row>
void expect_sum(const Counters& sum, const TwoRecords<Row>& of)
{
    const Columns columns = columns_of<Counters>();
    for (const Column& column : columns.all()) {
        INFO(column.label());
        CHECK(load<std::uint64_t>(&sum, column) > 0);
        if (column.rule == Rule::own) continue;
        auto expected = load<std::uint64_t>(static_cast<const Counters*>(&of.one()), column);
        merge_value(expected, load<std::uint64_t>(static_cast<const Counters*>(&of.other()), column),
                    column.rule);
        CHECK(load<std::uint64_t>(&sum, column) == expected);
    }
}

template <class Counters>
void check_layer(Counters CounterSums::*layer)
{
    TwoRecords<Record<Counters>> made;
    std::vector<RecordView> records = records_of(made.log);
    const std::vector<FileUse> files = group_by_file(made.log, records);
    expect_sum(sums_by_layer(records, files).*layer, made);

    CounterSums sums;
    for (const RecordView& record : records) sums.add(record);
    expect_sum(sums.*layer, made);
    const Layer number = records.front().layer;
    CHECK(&sums.transfers(number) == &(sums.*layer));
    if constexpr (std::is_base_of_v<Pattern, Counters>)
        CHECK(sums.pattern(number) == &(sums.*layer));
    else
        CHECK(sums.pattern(number) == nullptr);
}

}  // namespace

TEST_CASE("sums of a layer lose no counter")
{
    SECTION("POSIX")
    {
        check_layer(&CounterSums::posix);
    }
    SECTION("stdio")
    {
        check_layer(&CounterSums::stdio);
    }
    SECTION("MPI-IO")
    {
        check_layer(&CounterSums::mpiio);
    }
}

TEST_CASE("a file keeps what its records count under the same names")
{
    TwoRecords<PosixRecord> made;
    std::vector<RecordView> records = records_of(made.log);
    const std::vector<FileUse> files = group_by_file(made.log, records);
    REQUIRE(files.size() == 2);
    const Columns kept = columns_of<FileSums>(), counted = columns_of<PosixRecord>();
    for (const Column& column : kept.all()) {
        INFO(column.label());
        bool found = false;
        for (const Column& from : counted.all())
            if (from.label() == column.label()) {
                found = true;
                CHECK(load<std::uint64_t>(static_cast<const FileSums*>(&files[0].system), column) ==
                      load<std::uint64_t>(&made.one(), from));
            }
        CHECK(found);
    }
}

TEST_CASE("sums that have a table of their own lose no member")
{
    CHECK(size_of_fields<FileSums>() == sizeof(FileSums));
    CHECK(size_of_fields<Activity>() == sizeof(Activity));
}
