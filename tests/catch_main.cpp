// Where Catch2 and main() are compiled, and what tests that were skipped come to.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
#include <cstdio>

#include "tests/skip.h"

namespace {

constexpr int all_skipped = 77;  // SKIP_RETURN_CODE in tests/unit_tests.cmake
std::size_t ended = 0, skipped = 0;
std::string reason;

struct Skips : Catch::TestEventListenerBase {
    using TestEventListenerBase::TestEventListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo&) override { reason.clear(); }
    void testCaseEnded(const Catch::TestCaseStats& stats) override
    {
        ++ended;
        if (reason.empty() || stats.totals.assertions.failed > 0) return;
        ++skipped;
        std::printf("%s: skipped: %s\n", stats.testInfo.name.c_str(), reason.c_str());
        std::fflush(stdout);
    }
};
CATCH_REGISTER_LISTENER(Skips)

}  // namespace

void fathom::testing::skip(const std::string& why)
{
    reason = why;
}

int main(int count, char** arguments)
{
    Catch::Session tests;
    if (const int wrong = tests.applyCommandLine(count, arguments); wrong != 0) return wrong;
    // A name that no test has is a failure: ctest takes a name with a semicolon in it for two.
    auto& warnings = tests.configData().warnings;
    warnings = static_cast<Catch::WarnAbout::What>(warnings | Catch::WarnAbout::NoTests);
    const int status = tests.run();
    return status == 0 && skipped > 0 && skipped == ended ? all_skipped : status;
}
