// Columns are asked for by the members of their rows, or by names that some table must have.
#include "logformat/log/column_name.h"

#include <catch2/catch.hpp>

#include "logformat/log/lacking.h"
#include "logformat/trace/predictions.h"
#include "tests/logformat/sample.h"

using namespace fathom;
using namespace fathom::sample;

TEST_CASE("a member has the name that its table gives it")
{
    CHECK(counter_name(&Transfers::sync_time) == "sync_time");
    CHECK(counter_name(&PosixCounters::lock_time) == "lock_time");
    CHECK(counter_name(&Transfers::read_size) == "read_size");
    CHECK(column_name(&Process::host) == "host");
    CHECK(column_name(&Transfers::read_size) == "read_size_0_100");
    CHECK(column_name(&Transfers::common_size, "_1_error") == "common_size_1_error");
    CHECK_THROWS_AS(column_name(&Transfers::common_size, "_9"), std::logic_error);
    CHECK_THROWS_AS(column_name(&Transfers::reads, "_1"), std::logic_error);
    CHECK(is_any_of("writes", &Slice::reads, &Slice::writes));
    CHECK_FALSE(is_any_of("metadata", &Slice::reads, &Slice::writes));
}

TEST_CASE("every member of a row is in its table")
{
    each_row_type([](auto type, std::string_view name) {
        INFO(name);
        CHECK(size_of_fields<decltype(type)>() == sizeof type);
    });
}

TEST_CASE("every column of every table is known, and no other")
{
    each_row_type([](auto type, std::string_view name) {
        const Columns columns = columns_of<decltype(type)>();
        for (const Column& column : columns.all())
            CHECK(is_column(std::string(name) + "." + std::string(column.label())));
    });
    for (const char* const none : {"", "posix", "posix.", "posix.read", "posix.reads2", "posi.reads", "reads",
                                   "trace.start", "time_bins.sync_time", "posix.read_size"})
        CHECK_FALSE(is_column(none));
}

TEST_CASE("a log does not answer for columns that no table has")
{
    Log log;
    CHECK(log.recorded("time_bins.write_time"));
    CHECK_THROWS_AS(log.recorded("time_bins.wirte_time"), std::logic_error);
    CHECK_THROWS_AS(log.mark_lacking("time_bins.wirte_time"), std::logic_error);
    log.mark_lacking(&Slice::write_time);
    CHECK_FALSE(log.recorded(&Slice::write_time));
    CHECK_FALSE(log.recorded("time_bins.write_time"));
    CHECK(log.recorded(&Slice::read_time));
}

TEST_CASE("the columns that a log lacks are those without which it was made")
{
    Log log;
    mark_lacking<Burst>(log);
    CHECK(lacking_columns<Burst>(log) == std::vector<bool>{true, true, true});
    mark_lacking<Mount>(log, [](const Column& column) { return column.label() != "source"; });
    CHECK(lacking_columns<Mount>(log) == std::vector<bool>{false, false, true});
    CHECK(log.not_recorded == ColumnSet{"bursts.process", "bursts.start", "bursts.end", "mounts.source"});
}

TEST_CASE("predictions are of columns that some table has, from columns of the same table")
{
    for (const Prediction& prediction : predictions) {
        bool found = false;
        each_row_type([&](auto, std::string_view table) {
            const auto has = [&](std::string_view column) {
                return column.empty() || is_column(std::string(table) + "." + std::string(column));
            };
            bool all = has(prediction.column);
            for (const std::string_view term : prediction.sum_of) all = all && has(term);
            found = found || all;
        });
        INFO(prediction.column);
        CHECK(found);
    }
}
