// For tests that cannot run where they are: ctest shows them as skipped, and lists them at its end.
#pragma once

#include <string>

namespace fathom::testing {

// Says why nothing was checked; the test returns then. A program of tests that were all skipped exits with
// 77, unless one failed (catch_main.cpp). A test that checks one thing and would skip another is two tests.
void skip(const std::string& why);

}  // namespace fathom::testing
