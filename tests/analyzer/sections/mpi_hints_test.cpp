// What the report says of hints: which were set, and what became of them.
#include <catch2/catch.hpp>

#include "analyzer/sections/sections.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

struct Hinted : Synthetic {
    Hinted() { ranks(1); }
    void add(std::string_view path, std::string_view asked, std::string_view used, std::uint64_t left_out = 0)
    {
        log.rows<Hints>().push_back({file(path), asked, used, left_out});
    }
    std::string words() const { return section_text(mpi_hints(Job(log), {})); }
};

// The cells of the line that begins with this word, blanks between.
std::string row_of(const std::string& words, const std::string& first)
{
    const std::size_t begin = words.find("\n  " + first + " ");
    if (begin == std::string::npos) return "";
    std::string line = words.substr(begin + 3, words.find('\n', begin + 1) - begin - 3), cells;
    for (const char letter : line)
        if (letter != ' ' || (!cells.empty() && cells.back() != ' ')) cells += letter;
    return cells;
}

}  // namespace

TEST_CASE("hints that were set are in use, have another value, or are not in use")
{
    Hinted made;
    made.add("/a", "cb_nodes=2;made_up=x=y;striping_factor=4",
             "cb_nodes=2;romio_ds_write=automatic;striping_factor=1");
    made.add("/b", "cb_nodes=2", "cb_nodes=2;romio_ds_write=automatic");
    const std::string words = made.words();
    CHECK(row_of(words, "cb_nodes") == "cb_nodes 2 in use 2 2 /a");
    CHECK(row_of(words, "made_up") == "made_up x=y not in use - 1 /a");
    CHECK(row_of(words, "striping_factor") == "striping_factor 4 another value 1 1 /a");
    CHECK(row_of(words, "romio_ds_write") == "romio_ds_write automatic 2");
    CHECK_THAT(words, Contains("2 hints are not in use as the program set them"));
    // Those that have no effect come first.
    CHECK(words.find("made_up") < words.find("striping_factor"));
    CHECK(words.find("striping_factor") < words.find("cb_nodes"));
}

TEST_CASE("without hints of the program its library's own are reported, and without room nothing is concluded")
{
    Hinted none;
    none.add("/a", "", "cb_nodes=1");
    CHECK_THAT(none.words(), Contains("set no hints") && !Contains("not in use"));
    CHECK(row_of(none.words(), "cb_nodes") == "cb_nodes 1 1");
    Hinted cut;
    cut.add("/a", "one=1", "two=2", 3);
    CHECK_THAT(cut.words(), !Contains("not in use") && !Contains("two"));
    CHECK_THAT(cut.words(), Contains("no room for at least 3 further hints"));
}

TEST_CASE("many hints are shown in part, and only a log with hints has the section")
{
    Hinted many;
    std::string all;
    for (int one = 10; one < 40; ++one) all += (all.empty() ? "h" : ";h") + std::to_string(one) + "=1";
    many.add("/a", all, all);
    CHECK_THAT(many.words(), Contains("10 more are not shown"));
    CHECK_THAT(report_text(many.log), Contains("MPI-IO hints"));
    CHECK_THAT(report_text(Hinted().log), !Contains("MPI-IO hints"));
}
