// What the table of rules says of them.
#include <catch2/catch.hpp>

#include "analyzer/findings/finding.h"
#include "analyzer/findings/section.h"
#include "tests/analyzer/imported.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

std::string last_note(const Log& log)
{
    const auto blocks = findings_section(Job(log));
    const auto* const note = std::get_if<report::Note>(&blocks.back());
    return note == nullptr ? "" : note->text;
}

}  // namespace

TEST_CASE("a rule that needs numbers has words for what it does not look for without them")
{
    for (const FindingRule& rule : finding_rules()) {
        INFO(rule.id);
        CHECK((rule.needs.has != nullptr) == !rule.needs.without.empty());
    }
}

TEST_CASE("a log of another tool names the rules that it has no numbers for")
{
    Imported made(4);
    CHECK(
        last_note(made.log) ==
        "Not looked for, since this log has no numbers for it: frequent syncs, waiting for locks, bursts of "
        "writes, too few aggregators for the nodes, slow servers, unequal servers, writes into blocks that "
        "have to be read first, "
        "states written again and again, files copied rather than renamed.");
    made.log.not_recorded.erase("posix.sync_time");
    made.log.rows<Layout>().emplace_back();
    CHECK(
        last_note(made.log) ==
        "Not looked for, since this log has no numbers for it: waiting for locks, bursts of writes, too few "
        "aggregators for the nodes, writes into blocks that have to be read first, "
        "states written again and again, files copied rather than renamed.");
}
