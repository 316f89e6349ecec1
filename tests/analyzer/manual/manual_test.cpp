// What the rows of options become in manuals and completion; real shells and groff are in
// tests/e2e/run_shell.py.
#include "analyzer/manual/manual.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "analyzer/commands/commands.h"

using namespace fathom;
using Catch::Contains;

namespace {

std::string some_text;

CommandLine inner_line()
{
    return {.options = {{"LOG", "TEXT", "the log's place", &some_text, required},
                        {"-k,--kind", "KIND", "which", &some_text, {.choices = {"a", "b"}}},
                        {"--most", "N", "at most", &some_text, {.bounds = Bounds{1, 9}}}},
            .help =
                "\nWHAT IT DOES\n  Sentences that run\n  on.\n\n  a list    has columns\n\nEXAMPLES\n  "
                ".first x\n"};
}

constexpr Command inner_commands[] = {{"inner", "Does it", inner_line}};

CommandLine outer_line()
{
    return {.options = {}, .help = "", .commands = inner_commands};
}

constexpr Command outer_commands[] = {{"outer", "Has another", outer_line}, {"hidden", "", inner_line}};

std::vector<ManualEntry> some_entries()
{
    return manual_entries(
        {.name = "it", .summary = "It", .version = "1", .help = "", .commands = outer_commands});
}

CommandOption row(const char* names, const char* argument)
{
    return {names, argument, "meaning"};
}

}  // namespace

TEST_CASE("the manual has each command that a help lists, after the one that it is below")
{
    std::vector<std::string> pages;
    for (const ManualEntry& entry : some_entries()) pages.push_back(entry.page());
    CHECK(pages == std::vector<std::string>{"it", "it-outer", "it-outer-inner"});
}

TEST_CASE("a page has the sections of the help, what it does before the options, and says what values may be")
{
    const std::vector<ManualEntry> all = some_entries();
    const std::string page = man_page(all[2], all, "1.2");
    CHECK_THAT(page, Contains(".TH IT\\-OUTER\\-INNER 1 \"\" \"fathom 1.2\""));
    CHECK_THAT(page, Contains(".SH \"WHAT IT DOES\"\nSentences that run\non.\n.PP\n.nf\na list    has "
                              "columns\n.fi\n.SH OPTIONS"));
    CHECK_THAT(page, Contains(".TP\n\\fB\\-k\\fR, \\fB\\-\\-kind\\fR \\fIKIND\\fR\nwhich (a|b)\n"));
    CHECK_THAT(page, Contains("\\fB\\-\\-most\\fR \\fIN\\fR\nat most (1 to 9)\n"));
    CHECK_THAT(page, Contains("\\fILOG\\fR\nthe log\\(aqs place\n"));
    CHECK_THAT(page, Contains(".SH \"EXAMPLES\"\n.nf\n\\&.first x\n.fi\n"));
    CHECK_THAT(page, Contains(".SH \"SEE ALSO\"\n\\fBit\\-outer\\fR(1)\n"));
    CHECK_THAT(man_page(all[1], all, "1.2"),
               Contains(".SH COMMANDS\n.TP\n\\fBit\\-outer\\-inner\\fR(1)\nDoes it\n"));
}

TEST_CASE("what is offered for a value follows from what the row calls it")
{
    CHECK(offered_for(row("LOG", "TEXT")).kind == Offer::logs);
    CHECK(offered_for(row("-o,--output", "FILE")).kind == Offer::files);
    CHECK(offered_for(row("--into", "FOLDER")).kind == Offer::folders);
    CHECK(offered_for(row("--system", "FILE|FOLDER")).kind == Offer::files);
    CHECK(offered_for(row("log", "LOG|FOLDER")).kind == Offer::logs);
    CHECK(offered_for(row("--top", "N")).kind == Offer::nothing);
    CHECK(offered_for(row("--kind", "KIND")).kind == Offer::nothing);  // "IN" is in it
    CHECK(offered_for({"--kind", "FILE", "", {}, {.choices = {"a"}}}).words == std::vector<std::string>{"a"});
    CHECK(offered_for({"--kind", "X", "", {}, {.offers = {"b"}}}).words == std::vector<std::string>{"b"});
    CHECK(offered_for({"COMMAND", "ARGUMENT...", "", {}, {.program = true}}).kind == Offer::program);
}

TEST_CASE("each place of a command has something to offer, but where only the job database knows it")
{
    std::size_t places = 0;
    for (const ManualEntry& entry : manual_entries(fathom_itself()))
        for (const CommandOption& option : entry.line.options)
            if (option.names[0] != '-' && std::string(option.argument) != "ID" &&
                std::string(option.names) != "PROGRAM|JOB") {
                INFO(entry.name << " " << option.names);
                ++places;
                CHECK(offered_for(option).kind != Offer::nothing);
            }
    CHECK(places > 10);
}
