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

struct Told {
    std::vector<std::vector<report::Cell>> rows;
    std::vector<std::string> different;
};

Told told_of(const DatasetLog& before, const DatasetLog& after, std::size_t most = 10)
{
    const Job a(before.log), b(after.log);
    Told told;
    for (const report::Block& block : dataset_blocks(Run(a, "a"), Run(b, "b"), most)) {
        if (const auto* const table = std::get_if<report::DataTable>(&block)) told.rows = table->rows;
        if (const auto* const entries = std::get_if<report::Entries>(&block))
            for (const report::Entry& entry : entries->entries)
                told.different.push_back(entry.label + ": " + report::format(entry.value));
    }
    return told;
}

}  // namespace

TEST_CASE("a dataset of two runs is one by its role, and what is different about it is named")
{
    const DatasetLog before = run_with("/run1/out.0001.h5", extents({1, 256}), 0, 8 * second),
                     after = run_with("/run2/out.0002.h5", extents({64, 1024}), 4000, second);
    const Told told = told_of(before, after);
    const auto& rows = told.rows;
    REQUIRE(rows.size() == 1);
    CHECK(report::format(rows[0][0]) == "/run#/out.#.h5:/u");
    CHECK(report::format(rows[0][1]) == "8.00 s");
    CHECK(report::format(rows[0][2]) == "1.00 s");
    CHECK(report::format(rows[0][5]) == "16,384");
    CHECK(report::format(rows[0][6]) == "4,096");
    CHECK(told.different ==
          std::vector<std::string>{
              "/run#/out.#.h5:/u: chunks of 64 x 1024, was chunks of 1 x 256; collective: 100 %, was 0 %"});
}

TEST_CASE("datasets that one run alone has are said to be so, and logs without any have no such section")
{
    const DatasetLog before = run_with("/out/a.h5", extents({1, 256}), 0, second),
                     after = run_with("/out/a.h5", extents({1, 256}), 0, 2 * second, "/v");
    const Told told = told_of(before, after);
    const auto& rows = told.rows;
    REQUIRE(rows.size() == 2);
    CHECK(told.different == std::vector<std::string>{"/out/a.h5:/v: only in the later run",
                                                     "/out/a.h5:/u: only in the earlier run"});
    CHECK_FALSE(rows[1][2].known());
    CHECK(told_of(before, after, 1).rows.size() == 1);
    const DatasetLog none(1);
    CHECK(told_of(none, none).rows.empty());
}
