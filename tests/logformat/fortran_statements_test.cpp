// Statements by the lines of the source, in a few places.
#include "logformat/fortran_statements.h"

#include <catch2/catch.hpp>
#include <memory>

using namespace fathom;

TEST_CASE("Fortran's statements: sums of all, and the line with most time however many lines there are")
{
    const auto all = std::make_unique<FortranStatements>();
    const char* const path = "/home/user/code/with/a/long/path/to/the/source/of/the/solver.f90";
    for (std::uint32_t round = 0; round < 100; ++round) {
        for (std::uint32_t line = 1; line <= 200; ++line) all->add(path, line, true, 1);
        all->add(path, 1000, false, 500);
    }
    CHECK(all->formatted.statements == 20'000);
    CHECK(all->formatted.time == 20'000);
    CHECK(all->unformatted.statements == 100);
    CHECK(all->unformatted.time == 50'000);
    const StatementLine& most = all->longest();
    CHECK(most.line == 1000);
    CHECK(most.time == 50'000);
    CHECK(most.statements == 100);
    CHECK(most.file().size() == StatementLine::most_of_path);
    CHECK(most.file().ends_with("/the/source/of/the/solver.f90"));
}

TEST_CASE("Fortran's statements without a source are in the sums alone")
{
    const auto all = std::make_unique<FortranStatements>();
    all->add(nullptr, 3, false, 7);
    CHECK(all->unformatted.time == 7);
    CHECK(all->longest().time == 0);
    CHECK(all->longest().file().empty());
}
