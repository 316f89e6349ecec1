// Operations from elsewhere become a trace of ours.
#include "logformat/log/trace_store.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>

#include "logformat/log/trace.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

// Operations of two processes with two threads each, by file rather than by time, as DXT has them.
std::vector<TraceEvent> operations_by_file()
{
    std::vector<TraceEvent> events;
    for (std::uint64_t file = 1; file <= 3; ++file)
        for (std::int64_t process = 0; process < 2; ++process)
            for (std::uint64_t at = 0; at < 200; ++at) {
                TraceEvent event;
                event.process = process;
                event.thread = event.tid = 1000 + at % 2;
                event.layer = Layer::posix;
                event.kind = at % 5 == 0 ? Kind::read : Kind::write;
                event.file = file;
                event.offset = at * 4096;
                event.size = 4096;
                event.start = job_start + at * 1'000'000 + file * 1000;
                event.duration = 500;
                events.push_back(event);
            }
    return events;
}

auto what_of(const TraceEvent& event)
{
    return std::tuple(event.process, event.tid, event.start / 100'000, event.file, event.kind, event.offset,
                      event.size);
}

}  // namespace

TEST_CASE("operations that lie elsewhere come back thread by thread, however many fit into memory")
{
    const auto events = operations_by_file();
    const TraceSource source = [&](const TraceVisit& visit) {
        for (const TraceEvent& event : events)
            if (!visit(event)) break;
        return std::vector<std::string>{"a problem"};
    };
    for (const std::size_t most : {std::size_t{1}, std::size_t{700}, events.size()}) {
        Synthetic made;
        made.ranks(2);
        CHECK(store_trace(made.log, source, most) == std::vector<std::string>{"a problem"});
        std::vector<TraceEvent> back;
        CHECK(for_each_traced(made.log, [&](const TraceEvent& event) { back.push_back(event); }).empty());
        REQUIRE(back.size() == events.size());
        std::uint64_t last_end = 0;
        for (std::size_t at = 0; at < back.size(); ++at) {
            const bool same_thread =
                at > 0 && back[at].process == back[at - 1].process && back[at].thread == back[at - 1].thread;
            if (same_thread) CHECK(back[at].start >= last_end);
            CHECK(back[at].thread < 2);
            last_end = back[at].start;
        }
        std::vector<decltype(what_of(back[0]))> ours, theirs;
        for (const TraceEvent& event : back) ours.push_back(what_of(event));
        for (const TraceEvent& event : events) theirs.push_back(what_of(event));
        const auto without_time = [](auto& all) {
            for (auto& one : all) std::get<2>(one) = 0;
            std::sort(all.begin(), all.end());
        };
        without_time(ours);
        without_time(theirs);
        CHECK(ours == theirs);
        CHECK(made.log.rows<Process>()[0].traced == events.size() / 2);
    }
}
