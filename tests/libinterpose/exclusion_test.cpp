// What the user leaves out and includes, as the library's settings have it. They are read from the
// environment once in a process, so this program tests one environment.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/settings.h"

using namespace fathom;

namespace {

// Before any test, as for a program that is started so.
[[maybe_unused]] const bool environment_is_set = [] {
    setenv("FATHOM_EXCLUDE", "/scratch/tmp:*.pyc:/usr2", 1);
    setenv("FATHOM_INCLUDE", "/usr/share/data:/scratch/tmp/keep:kept.pyc", 1);
    setenv("FATHOM_MEMORY", "12 MiB", 1);
    setenv("FATHOM_EVERY_RANK", "1", 1);
    return true;
}();

}  // namespace

TEST_CASE("the user's patterns leave files out besides the system's")
{
    CHECK(is_excluded("/scratch/tmp"));
    CHECK(is_excluded("/scratch/tmp/x"));
    CHECK_FALSE(is_excluded("/scratch/tmp2"));
    CHECK(is_excluded("/home/a.pyc"));
    CHECK(is_excluded("/usr2/x"));
    CHECK(is_excluded("/usr/lib/x"));
    CHECK_FALSE(is_excluded("/home/a.py"));
    CHECK_FALSE(is_excluded("/dev/shm/x"));
    CHECK_FALSE(is_excluded("/"));
}

TEST_CASE("inclusion wins over what the user leaves out, and over the system's")
{
    CHECK_FALSE(is_excluded("/usr/share/data/x"));
    CHECK(is_excluded("/usr/share/database"));
    CHECK_FALSE(is_excluded("/scratch/tmp/keep"));
    CHECK_FALSE(is_excluded("/home/kept.pyc"));
}

TEST_CASE("failed calls on what is left out are not counted either")
{
    errno = ENOENT;
    CHECK(is_excluded_failure("/scratch/tmp/none"));
    CHECK(is_excluded_failure("some/module.pyc"));
    CHECK_FALSE(is_excluded_failure("some/kept.pyc"));
    CHECK_FALSE(is_excluded_failure("some/module.py"));
}

TEST_CASE("a value that says nothing leaves the default, and a note")
{
    CHECK(settings().memory_bytes == 16384u << 10);
    CHECK(settings().every_rank);
    CHECK(settings().notes.view() ==
          "FATHOM_MEMORY is not obeyed: 12 MiB: no number of KiB from 256 to 2097152");
}
