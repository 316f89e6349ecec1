// Whether parts are in use, as the kernel says it without a look at any process.
#include "analyzer/record/liveness.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fathom;

namespace {

constexpr std::size_t bytes = 4096;

// A folder with a part, which is open for reading and writing until somebody closes it.
struct Spool {
    Spool()
    {
        char name[] = "/dev/shm/fathom-test-XXXXXX";
        REQUIRE(mkdtemp(name) != nullptr);
        folder = name;
        fd = open((folder + "/part.1.1").c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
        REQUIRE(fd >= 0);
        REQUIRE(ftruncate(fd, bytes) == 0);
    }
    ~Spool()
    {
        if (fd >= 0) close(fd);
        std::filesystem::remove_all(folder);
    }
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;

    void* map()
    {
        void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        fd = -1;
        REQUIRE(at != MAP_FAILED);
        return at;
    }

    std::string folder;
    int fd = -1;
};

}  // namespace

TEST_CASE("a part is in use as long as anybody has it mapped")
{
    Spool spool;
    void* const at = spool.map();
    CHECK_FALSE(are_without_users({spool.folder}));
    CHECK(users_of({spool.folder}, 0).size() == 1);
    munmap(at, bytes);
    CHECK(are_without_users({spool.folder}));
    CHECK(users_of({spool.folder}, 0).empty());
    CHECK(are_without_users({}));
    CHECK_FALSE(are_without_users({spool.folder + "/nowhere"}));
}

TEST_CASE("a part is in use where a child alone has it still")
{
    Spool spool;
    void* const at = spool.map();
    int hold[2];
    REQUIRE(pipe(hold) == 0);
    const pid_t child = fork();
    if (child == 0) {
        close(hold[1]);
        char none = 0;
        _exit(read(hold[0], &none, 1) == 0 ? 0 : 1);
    }
    close(hold[0]);
    munmap(at, bytes);
    CHECK_FALSE(are_without_users({spool.folder}));
    close(hold[1]);
    REQUIRE(waitpid(child, nullptr, 0) == child);
    CHECK(are_without_users({spool.folder}));
}
