// The table of kinds of operations: what it says is said nowhere else.
#include "logformat/kinds.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "logformat/timing_rows.h"

using namespace fathom;

TEST_CASE("every kind has a name of its own and a sum that its time is in")
{
    std::set<std::string_view> names;
    for (const KindRow& row : kind_table) {
        INFO(row.name);
        CHECK(names.insert(row.name).second);
        CHECK((row.time == &Transfers::read_time || row.time == &Transfers::write_time ||
               row.time == &Transfers::metadata_time));
        CHECK(&kind_row(row.kind) == &row);
    }
}

TEST_CASE("a counter of metadata calls has their kind")
{
    for (const KindRow& row : kind_table) {
        if (!is_metadata(row.kind) || row.is.failed) continue;
        INFO(row.name);
        if (row.calls != nullptr) CHECK(kind_of(row.calls) == row.kind);
        if (row.mpiio_calls != nullptr) CHECK(kind_of(row.mpiio_calls) == row.kind);
    }
    CHECK(kind_of(&PosixCounters::creates) == Kind::other);
    CHECK(kind_of(&MpiioCounters::views) == Kind::other);
    CHECK(kind_of(static_cast<std::uint64_t MpiioCounters::*>(nullptr)) == Kind::other);
}

TEST_CASE("the time of a call that failed says the kind of failure")
{
    CHECK(failed_kind(&Transfers::read_time) == Kind::failed_read);
    CHECK(failed_kind(&Transfers::write_time) == Kind::failed_write);
    CHECK(failed_kind(&Transfers::metadata_time) == Kind::failed);
}

TEST_CASE("reads and writes alone move data, and what is no kind is taken for another call")
{
    for (const KindRow& row : kind_table)
        CHECK(moves_data(row.kind) == (row.kind == Kind::read || row.kind == Kind::write));
    const auto none = static_cast<Kind>(kind_count);
    CHECK_FALSE(moves_data(none));
    CHECK(kind_row(none).kind == Kind::other);
}

TEST_CASE("the log's own words for kinds have their numbers")
{
    std::string_view meaning;
    each_field<OperationClass>([&](const auto& field) {
        if (field.name == "kind") meaning = field.meaning;
    });
    for (const KindRow& row : kind_table) {
        if (row.kind > Kind::other) continue;  // they count as `other` there
        std::string words = std::to_string(static_cast<int>(row.kind)) + " ";
        words += row.kind == Kind::other ? "any other" : row.name;
        for (char& letter : words)
            if (letter == '_') letter = ' ';
        INFO(words);
        CHECK(meaning.find(words) != meaning.npos);
    }
}
