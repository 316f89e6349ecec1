// Traces and slices come out of a log as tables and as a Chrome trace, whole and in order.
#include <catch2/catch.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/wait.h>

#include "analyzer/dump/dump.h"
#include "tests/analyzer/synthetic.h"
#include "tests/analyzer/temporary.h"
#include "tests/logformat/trace_sample.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

std::string dumped(std::vector<std::string> (*dump)(const Log&, std::string_view, const Sink&),
                   const Log& log, std::string_view file = "")
{
    std::string all;
    CHECK(dump(log, file, [&](std::string_view piece) {
              all += piece;
              return true;
          }).empty());
    return all;
}

std::string slices_of(const Log& log)
{
    std::string all;
    dump_slices(log, [&](std::string_view piece) {
        all += piece;
        return true;
    });
    return all;
}

// Rank 0 opens, writes and closes; rank 1 reads through MPI-IO, which reads through POSIX; one without a rank
// has two threads.
Synthetic traced_log()
{
    Synthetic made;
    made.ranks(2);
    made.process(-1);
    const std::uint64_t out = made.file("/out/a,\"b\"\n"), in = made.file("/in/data");
    const auto at = [](std::uint64_t us) { return job_start + second + us * 1000; };
    sample::TracedThread zero(made.log, 0, 0, 500), one(made.log, 1, 0, 600);
    zero.add({out, Layer::posix, Kind::open, no_offset, 0, at(0), at(10)});
    zero.add({out, Layer::posix, Kind::write, 4096, 1000, at(20), at(1020)});
    zero.add({out, Layer::posix, Kind::close, no_offset, 0, at(1020), at(1021)});
    zero.end();
    one.add({in, Layer::posix, Kind::read, 0, 512, at(105), at(140)});
    one.add({in, Layer::posix, Kind::read, 512, 512, at(141), at(190)});
    one.add({in, Layer::mpiio, Kind::read, 0, 1024, at(100), at(200)});
    one.end();
    for (const std::uint64_t thread : {0, 1}) {
        sample::TracedThread two(made.log, 2, thread, 700 + thread);
        two.add({in, Layer::stdio, static_cast<Kind>(30), 7, 9, at(0), at(1)});
        two.end();
    }
    return made;
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = text.find('\n', from);
        REQUIRE(end != std::string::npos);
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

}  // namespace

TEST_CASE("a trace is a table with a line for each operation")
{
    const std::vector<std::string> lines = lines_of(dumped(dump_trace, traced_log().log));
    REQUIRE(lines.size() == 9);
    CHECK(lines[0] == "process,rank,thread,layer,kind,path,offset,size,start,duration");
    CHECK_THAT(lines[1], Contains(R"(0,0,500,posix,open,"/out/a,""b""\n",,0,1.000000000,0.00001)"));
    CHECK_THAT(lines[2], Contains(R"(0,0,500,posix,write,"/out/a,""b""\n",4096,1000,1.0000)"));
    CHECK_THAT(lines[3], Contains("close"));
    CHECK_THAT(lines[4], Contains("1,1,600,posix,read,/in/data,0,512,1.000105000,0.00003"));
    CHECK_THAT(lines[6], Contains("1,1,600,mpiio,read,/in/data,0,1024,1.00009"));
    CHECK_THAT(lines[7], Contains("2,-1,700,stdio,unknown,/in/data,7,9,"));
    CHECK_THAT(lines[8], Contains("2,-1,701,"));
}

TEST_CASE("the trace of some files only")
{
    const Synthetic made = traced_log();
    CHECK(lines_of(dumped(dump_trace, made.log, "/out")).size() == 4);
    CHECK(lines_of(dumped(dump_trace, made.log, "/nowhere")).size() == 1);
    CHECK(nlohmann::json::parse(dumped(dump_chrome_trace, made.log, "/out")).at("traceEvents").size() == 5);
}

TEST_CASE("a Chrome trace names processes and threads and nests only what was nested")
{
    const auto trace = nlohmann::json::parse(dumped(dump_chrome_trace, traced_log().log));
    std::set<std::string> names;
    std::vector<nlohmann::json> rank1;
    for (const auto& event : trace.at("traceEvents")) {
        if (event.at("ph") == "M")
            names.insert(event.at("args").at("name"));
        else if (event.at("pid") == 2)
            rank1.push_back(event);
    }
    CHECK(names == std::set<std::string>{"rank 0 on node0: /home/user/app", "rank 1 on node0: /home/user/app",
                                         "process 2 on node0: /home/user/app", "thread 500", "thread 600",
                                         "thread 700", "thread 701"});
    REQUIRE(rank1.size() == 3);
    const auto start = [&](std::size_t at) { return rank1[at].at("ts").get<double>(); };
    const auto end = [&](std::size_t at) { return start(at) + rank1[at].at("dur").get<double>(); };
    CHECK(start(0) == 1'000'105.0);
    CHECK(end(0) <= start(1));
    CHECK(start(2) <= start(0));
    CHECK(end(1) <= end(2));
    CHECK(rank1[2].at("cat") == "mpiio");
    CHECK(rank1[2].at("name") == "read");
    CHECK(rank1[2].at("args") == nlohmann::json({{"path", "/in/data"}, {"offset", 0}, {"size", 1024}}));
    CHECK(nlohmann::json::parse(dumped(dump_chrome_trace, Log())).at("traceEvents").empty());
}

TEST_CASE("operations that follow one another never overlap in a Chrome trace")
{
    Synthetic made;
    made.ranks(1);
    const std::uint64_t file = made.file("/x");
    sample::TracedThread thread(made.log, 0, 0, 1);
    std::uint64_t now = job_start;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::uint64_t took = 100 + i * i * 7919 % 1'000'000;
        thread.add({file, Layer::posix, Kind::read, i, 1, now, now + took});
        now += took + i % 3;
    }
    thread.end();
    const auto trace = nlohmann::json::parse(dumped(dump_chrome_trace, made.log));
    std::int64_t end = 0;
    std::size_t overlaps = 0, count = 0;
    for (const auto& event : trace.at("traceEvents")) {
        if (event.at("ph") != "X") continue;
        const auto start = std::llround(event.at("ts").get<double>() * 1000);
        if (start < end) ++overlaps;
        end = start + std::llround(event.at("dur").get<double>() * 1000);
        ++count;
    }
    CHECK(overlaps == 0);
    CHECK(count == 5000);
}

TEST_CASE("time bins are a table")
{
    Synthetic made;
    made.ranks(2);
    Slice slice;
    slice.process = 1;
    slice.layer = 1;
    slice.streams = 1;
    slice.start = job_start + shortest_slice_ns;
    slice.length = shortest_slice_ns;
    slice.reads = 2;
    slice.writes = 3;
    slice.metadata = 4;
    slice.bytes_read = 5;
    slice.bytes_written = 6;
    slice.read_time = 7;
    slice.write_time = 8;
    slice.metadata_time = 1'000'000'009;
    made.log.rows<Slice>().push_back(slice);
    const auto lines = lines_of(slices_of(made.log));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] ==
          "process,rank,layer,streams,start,length,reads,writes,metadata,bytes_read,bytes_written,read_time,"
          "write_time,metadata_time");
    CHECK(lines[1] ==
          "1,1,stdio,1,1800000000.062500000,0.062500000,2,3,4,5,6,0.000000007,0.000000008,1.000000009");
}

TEST_CASE("a dump of a long trace stops where nobody reads on")
{
    Synthetic made;
    made.ranks(1);
    sample::TracedThread thread(made.log, 0, 0, 1);
    for (std::uint64_t i = 0; i < 100'000; ++i)
        thread.add({1, Layer::posix, Kind::read, i, 1, job_start + i * 10, job_start + i * 10 + 5});
    thread.end();
    for (const auto dump : {dump_trace, dump_chrome_trace}) {
        int pieces = 0;
        dump(made.log, "", [&](std::string_view) { return ++pieces < 2; });
        CHECK(pieces == 2);
    }
}

namespace {

struct Outcome {
    int status;
    std::string output;  // and errors
};

Outcome fathom_dump(const std::string& arguments)
{
    FILE* const pipe = popen((std::string(FATHOM_PROGRAM) + " dump " + arguments + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string output(1 << 16, 0);
    output.resize(std::fread(output.data(), 1, output.size(), pipe));
    return {WEXITSTATUS(pclose(pipe)), output};
}

}  // namespace

TEST_CASE("the command prints the trace of a log file, and says how to get one")
{
    const Temporary folder;
    const std::string path = folder.path("a.fathom");
    Synthetic made = traced_log();
    made.log.rows<Process>()[1].untraced = 12;
    write_log(made.log, path);
    const Outcome trace = fathom_dump("--trace " + path);
    CHECK(trace.status == 0);
    CHECK_THAT(trace.output, Contains(",rank,") && Contains("1,1,600,mpiio,read,") &&
                                 Contains("12 more operations found no room") && Contains("--trace-memory"));
    CHECK_THAT(fathom_dump("--chrome-trace " + path).output, Contains("\"traceEvents\":["));
    const Outcome slices = fathom_dump("--time-bins " + path);
    CHECK(slices.status == 1);
    CHECK_THAT(slices.output, Contains("it has no time bins"));
    CHECK(fathom_dump("--time-bins --trace " + path).status == 2);
    CHECK(fathom_dump("--trace --table posix " + path).status == 2);

    write_log(Log(), path);
    const Outcome none = fathom_dump("--trace " + path);
    CHECK(none.status == 1);
    CHECK_THAT(none.output, Contains(path + ": it has no trace") && Contains("fathom record --trace"));

    made.log.rows<TracePiece>().front().operations = 5;
    write_log(made.log, path);
    CHECK_THAT(fathom_dump("--trace " + path).output, Contains("3 of 5 operations are in the log"));
}
