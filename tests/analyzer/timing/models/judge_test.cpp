// Which models are asked, and what is lost.
#include "analyzer/timing/models/judge.h"

#include <catch2/catch.hpp>

#include "analyzer/timing/models/served.h"

using namespace fathom;

namespace {

// A level model: its limit, and half of that as usual time.
IoModel level(const char* state, const char* operation, const char* memory, double limit)
{
    IoModel model;
    model.state = state;
    model.operation = operation;
    model.memory = memory;
    model.file = "off0";
    model.limit = {Line{limit, 0}, Line{limit, 0}};
    model.typical = {Line{limit / 2, 0}, Line{limit / 2, 0}};
    return model;
}

std::string served(Judge& judge, std::string_view memory, double duration)
{
    return judge.classes()[judge.judge("read", memory, 64, duration).served.value()].name();
}

}  // namespace

TEST_CASE("beyond all limits is uncached where nothing uncached was measured")
{
    const ModelFile file{"", {}, {level("discard", "read", "off0", 2), level("cached", "read", "off0", 8)}};
    Judge nearest(file, JudgeRule::nearest);
    CHECK(served(nearest, "", 1.9) == "discard off0");
    CHECK(served(nearest, "", 2.1) == "cached off0");
    CHECK(served(nearest, "", 8) == "cached off0");
    CHECK(served(nearest, "", 8.1) == "uncached");
    CHECK(nearest.judge("read", "", 64, 10).lost.value() == Approx(10 - 4));
}

TEST_CASE("uncached operations that were measured are a model of the nearest rule alone")
{
    const ModelFile file{
        "", {}, {level("cached", "read", "off0", 2), level("uncached", "read", "off0", 200)}};
    Judge nearest(file, JudgeRule::nearest), limit(file, JudgeRule::limit);
    CHECK(served(nearest, "", 9) == "cached off0");
    CHECK(served(nearest, "", 11) == "uncached");
    CHECK(served(nearest, "", 1e6) == "uncached");
    CHECK(served(limit, "", 2) == "cached off0");
    CHECK(served(limit, "", 2.1) == "uncached");
    REQUIRE(nearest.classes().size() == 2);
}

TEST_CASE("models of the buffer's layout are asked alone, and all of them where there are none")
{
    const ModelFile file{"",
                         {},
                         {level("discard", "read", "rnd", 4), level("cached", "read", "off0", 2),
                          level("cached", "read", "rnd", 8)}};
    Judge limit(file, JudgeRule::limit);
    CHECK(served(limit, "", 3) == "discard rnd");
    CHECK(served(limit, "off0", 3) == "uncached");
    CHECK(served(limit, "rnd", 1) == "discard rnd");
    CHECK(served(limit, "reverse", 1) == "cached off0");
    CHECK(limit.judge("read", "off0", 64, 3).lost.value() == Approx(1));
    CHECK(limit.judge("read", "", 64, 10).lost.value() == Approx(2));
}

TEST_CASE("nothing is said of operations that no model is of")
{
    ModelFile file{"", {}, {level("discard", "read", "off0", 2)}};
    file.models.front().limit.large.reset();
    Judge limit(file, JudgeRule::limit);
    CHECK(!limit.judge("write", "", 64, 1).served);
    CHECK(!limit.judge("read", "", 5000, 1).served);
    const Verdict slow = limit.judge("read", "", 64, 3);
    CHECK(limit.classes()[slow.served.value()].name() == "uncached");
    CHECK(!slow.lost);
    CHECK_THROWS(Judge(ModelFile{}, JudgeRule::nearest));
}

TEST_CASE("a state of one's own comes after cached, and what it took longer is lost")
{
    const ModelFile file{"",
                         {},
                         {level("raid", "read", "off0", 40), level("cached", "read", "off0", 8),
                          level("discard", "read", "off0", 2)}};
    Judge limit(file, JudgeRule::limit);
    REQUIRE(limit.classes().size() == 4);
    CHECK(limit.classes()[2].name() == "raid off0");
    CHECK(limit.judge("read", "", 64, 30).served == 2);
    CHECK(limit.judge("read", "", 64, 30).lost.value() == Approx(22));
}

TEST_CASE("of a class of which some operations are known by themselves, these stand for all")
{
    const ModelFile file{"", {}, {level("cached", "read", "off0", 2)}};
    Judge limit(file, JudgeRule::limit);
    TimedClass posix;
    posix.layer = "POSIX";
    posix.operation = "read";
    posix.least_bytes = posix.most_bytes = 64;
    posix.operations = 10;
    posix.durations = {1, 4};
    posix.starts = {0, 1};
    TimedClass mpiio = posix, sizes_unknown = posix;
    mpiio.layer = "MPI-IO";
    sizes_unknown.least_bytes.reset();
    sizes_unknown.most_bytes.reset();
    TimedOperations operations;
    operations.classes = {posix, mpiio, sizes_unknown};
    const Served served = served_of(operations, limit, {});
    REQUIRE(served.groups.size() == 3);
    CHECK(served.groups[0].name == "POSIX read of 64 B");
    operations.classes = {posix};
    CHECK(served_of(operations, limit, {}).groups[0].name == "read of 64 B");
    CHECK(served.groups[0].operations == std::vector<double>{5, 5});
    CHECK(served.groups[0].all_lost() == Approx(5 * 2));
    CHECK(served.groups[2].unjudged == 10);
    // MPI-IO is made of what is below it.
    CHECK(served.total().all_operations() == 10);
    CHECK(served.total().unjudged == 10);
    CHECK(served.samples.durations == std::vector<double>{1, 4});
}
