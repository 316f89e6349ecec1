// Slurm's lists of nodes, and the nodes of a log that are missing.
#include "analyzer/job/node_list.h"

#include <catch2/catch.hpp>

using namespace fathom;

namespace {

using Names = std::vector<std::string>;

std::string missing(std::string_view list, const Names& hosts)
{
    Log log;
    log.add_fact("node_list", list);
    for (const std::string& host : hosts) {
        Process process;
        process.host = log.keep(host);
        log.rows<Process>().push_back(process);
    }
    return nodes_without_record(Job(log));
}

}  // namespace

TEST_CASE("a list of nodes names each of them")
{
    CHECK(nodes_in("node1") == Names{"node1"});
    CHECK(nodes_in("node[1-3]") == Names{"node1", "node2", "node3"});
    CHECK(nodes_in("a[08-10,12],login,b[7]") == Names{"a08", "a09", "a10", "a12", "login", "b7"});
    CHECK(nodes_in("").empty());
}

TEST_CASE("a list that is none names nobody")
{
    for (const char* const list :
         {"a[1-3", "a[3-1]", "a[x]", "a[1-]b", "a[1-2]b[3-4]", "a[1-999999999]", "a[-2]"}) {
        CAPTURE(list);
        CHECK(nodes_in(list).empty());
    }
}

TEST_CASE("nodes of the job of which nothing was recorded")
{
    CHECK(missing("node[1-3]", {"node1", "node1"}) == "node2, node3");
    CHECK(missing("node[1-3]", {"node3.site.org", "node1", "node2"}).empty());
    CHECK(missing("n[01-10]", {"n01"}) == "n02, n03, n04, n05, n06, n07 and 3 more");
    CHECK(missing("", {"node1"}).empty());
    CHECK(missing(std::string(255, 'n'), {"node1"}).empty());
}
