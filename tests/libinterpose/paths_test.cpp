// Paths as records know them.
#include "libinterpose/recording/paths.h"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <filesystem>
#include <string>

using namespace fathom;

namespace {

std::string absolute(const char* path)
{
    const AbsolutePath text(AT_FDCWD, path);
    return text ? std::string(text.view()) : "?";
}

}  // namespace

TEST_CASE("an absolute path loses what does not change it")
{
    CHECK(absolute("/a/b") == "/a/b");
    CHECK(absolute("//a/./b/") == "/a/b");
    CHECK(absolute("/a/../b") == "/b");
    CHECK(absolute("/a/b/../../c/.") == "/c");
    CHECK(absolute("/..") == "/");
    CHECK(absolute("/") == "/");
    CHECK(absolute("/a..b/.c") == "/a..b/.c");
}

TEST_CASE("a relative path begins at the working folder")
{
    const std::string here = std::filesystem::current_path();
    CHECK(absolute("x") == here + "/x");
    CHECK(absolute("./y/../x") == here + "/x");
    CHECK(absolute("") == here);
}

TEST_CASE("a path relative to an open folder begins there")
{
    const int folder = open("/usr/lib", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const AbsolutePath in_folder(folder, "../x"), nowhere(4000, "x");
    REQUIRE(in_folder);
    CHECK(in_folder.view() == "/usr/x");
    CHECK_FALSE(nowhere);
}

TEST_CASE("exclusion goes by whole components")
{
    CHECK(is_excluded("/usr"));
    CHECK(is_excluded("/usr/lib/x"));
    CHECK_FALSE(is_excluded("/usr2/x"));
    CHECK_FALSE(is_excluded("/home/usr/x"));
    CHECK(is_excluded("/dev/null"));
    CHECK_FALSE(is_excluded("/dev/shm/x"));
    CHECK(is_excluded("/dev/shmx"));
}

TEST_CASE("a path that is longer than any is cut, not written past the end")
{
    const std::string longest(10000, 'a');
    CHECK(absolute(("/" + longest).c_str()).size() < PathText::capacity());
}
