// Datasets of two runs side by side.
#include <catch2/catch.hpp>

#include "analyzer/compare/comparison.h"
#include "analyzer/document/units.h"
#include "tests/analyzer/datasets.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

DatasetLog run_with(const std::string& path, const Extents& chunk, std::uint64_t collective,
                    std::uint64_t time, std::string_view name = "/u")
{
    DatasetLog made(1, path);
    DatasetRecord& row = made.dataset(name, 0);
    set_chunks(row, extents({4000, 1024}), chunk);
    add_writes(row, 4000, 8192, time);
    add_posix_writes(row, 4096 * 1024 / chunk.extent[1], 2048, time / 2);
    row.collective_writes = collective;
    return made;
}

std::vector<std::vector<report::Cell>> rows_of(const DatasetLog& before, const DatasetLog& after,
                                               std::size_t most = 10)
{
    const Job a(before.log), b(after.log);
    const auto blocks = dataset_blocks(Run(a, "a"), Run(b, "b"), most);
    return blocks.empty() ? std::vector<std::vector<report::Cell>>()
                          : std::get<report::DataTable>(blocks.at(0)).rows;
}

}  // namespace

TEST_CASE("a dataset of two runs is one by its role, and what is different about it is named")
{
    const DatasetLog before = run_with("/run1/out.0001.h5", extents({1, 256}), 0, 8 * second),
                     after = run_with("/run2/out.0002.h5", extents({64, 1024}), 4000, second);
    const auto rows = rows_of(before, after);
    REQUIRE(rows.size() == 1);
    CHECK(report::format(rows[0][0]) == "/run#/out.#.h5:/u");
    CHECK(report::format(rows[0][1]) == "8.00 s");
    CHECK(report::format(rows[0][2]) == "1.00 s");
    CHECK(report::format(rows[0][5]) == "16,384");
    CHECK(report::format(rows[0][6]) == "4,096");
    CHECK(report::format(rows[0][7]) ==
          "chunks of 64 x 1024, was chunks of 1 x 256; collective: 100 %, was 0 %");
}

TEST_CASE("datasets that one run alone has are said to be so, and logs without any have no such section")
{
    const DatasetLog before = run_with("/out/a.h5", extents({1, 256}), 0, second),
                     after = run_with("/out/a.h5", extents({1, 256}), 0, 2 * second, "/v");
    const auto rows = rows_of(before, after);
    REQUIRE(rows.size() == 2);
    CHECK(report::format(rows[0][7]) == "only in the later run");
    CHECK(report::format(rows[1][7]) == "only in the earlier run");
    CHECK_FALSE(rows[1][2].known());
    CHECK(rows_of(before, after, 1).size() == 1);
    const DatasetLog none(1);
    CHECK(rows_of(none, none).empty());
}
