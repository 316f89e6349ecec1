// Catch2's main, and the end of the drawing libraries for leak checkers.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "analyzer/report/release.h"

int main(int argc, char** argv)
{
    const int failed = Catch::Session().run(argc, argv);
    fathom::report::release_drawing();
    return failed;
}
