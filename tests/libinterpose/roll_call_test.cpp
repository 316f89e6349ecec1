// How many ranks a node has, as Slurm tells.
#include "libinterpose/mpi/roll_call.h"

#include <catch2/catch.hpp>

using namespace fathom;

TEST_CASE("nodes agree where each sees at once what the others did")
{
    constexpr long ext4 = 0xef53, lustre = 0x0bd00bd0, nfs = 0x6969, fuse = 0x65735546;
    CHECK(shows_at_once(ext4));
    CHECK(shows_at_once(lustre));
    CHECK_FALSE(shows_at_once(nfs));
    CHECK_FALSE(shows_at_once(fuse));
    CHECK_FALSE(shows_at_once(0));
}

TEST_CASE("the tasks of a node in Slurm's list")
{
    CHECK(tasks_of_node("6", 0) == 6);
    CHECK(tasks_of_node("6", 1) == -1);
    CHECK(tasks_of_node("2(x3)", 0) == 2);
    CHECK(tasks_of_node("2(x3)", 2) == 2);
    CHECK(tasks_of_node("2(x3)", 3) == -1);
    CHECK(tasks_of_node("4,2(x2),1", 0) == 4);
    CHECK(tasks_of_node("4,2(x2),1", 2) == 2);
    CHECK(tasks_of_node("4,2(x2),1", 3) == 1);
    CHECK(tasks_of_node("4,2(x2),1", 4) == -1);
}

TEST_CASE("a list that is none has no tasks")
{
    for (const char* const list : {"", "x", "2(x", "2(x3", "2x3", ",", "2;3"}) {
        CAPTURE(list);
        CHECK(tasks_of_node(list, 5) == -1);
    }
    CHECK(tasks_of_node(nullptr, 0) == -1);
    CHECK(tasks_of_node("2", -1) == -1);
}
