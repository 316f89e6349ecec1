// The options of all commands, as the rows that declare them; and where rows put what was said.
#include "analyzer/commands/command_line.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <set>
#include <sstream>

#include "analyzer/commands/commands.h"

using namespace fathom;

namespace {

// Calls see(words, line) for each command and those below it: "model train", its line.
template <class See>
void walk(std::span<const Command> some, const std::string& above, const See& see)
{
    for (const Command& command : some) {
        const CommandLine line = command.line();
        see(above + command.name, line);
        walk(line.commands, above + command.name + " ", see);
    }
}

std::vector<std::string> parts_of(const std::string& text)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
    return parts;
}

std::string help_of(const std::string& words)
{
    std::string text;
    std::array<char, 4096> some;
    FILE* const pipe = popen((FATHOM_PROGRAM " " + words + " --help").c_str(), "r");
    REQUIRE(pipe != nullptr);
    while (const std::size_t got = fread(some.data(), 1, some.size(), pipe)) text.append(some.data(), got);
    REQUIRE(pclose(pipe) == 0);
    return text;
}

// A command with an option of each kind.
struct Said {
    bool flag = false, limited = false, silent = false;
    std::string text, joined;
    std::vector<std::string> list, places;
    std::vector<unsigned> counts;
    std::uint64_t number = 7;
    double limit = 0, plain = 0;
    std::optional<std::uint64_t> size;
};
Said said;

std::string without_suffix(std::string text)
{
    if (text.ends_with('%')) text.pop_back();
    return text;
}

std::string no_seven(const std::string& text)
{
    return text == "7" ? "seven is taken" : "";
}

CommandLine try_line()
{
    return {
        .options = {{"PLACE", "TEXT", "places", &said.places},
                    {"-f,--flag", "", "a flag", &said.flag, {.excludes = "--text"}},
                    {"--silent", "", "a flag whose value goes nowhere", {}, {.given = &said.silent}},
                    {"--text", "TEXT", "a text", &said.text, {.choices = {"a", "b"}}},
                    {"--joined", "TEXT", "texts", &said.joined, {.joined_by = ':'}},
                    {"--list", "TEXT", "a list", &said.list, {.between = ','}},
                    {"--counts", "N", "numbers", &said.counts, {.bounds = Bounds{1, 9}}},
                    {"--number", "N", "a number", &said.number, {.positive = true, .complaint = no_seven}},
                    {"--limit",
                     "N",
                     "a number",
                     &said.limit,
                     {.given = &said.limited, .bounds = Bounds{0, 9}, .rewrite = without_suffix}},
                    {"--plain", "N", "a number", &said.plain},
                    {"--size", "SIZE", "bytes", &said.size, {.size = true}}},
        .help = "",
        .action = [] { return 42; }};
}

CommandLine run_line()
{
    return {
        .options = {{"-o,--output", "FILE", "a file", &said.text},
                    {"-q", "", "a flag", &said.flag},
                    {"COMMAND", "WORD...", "what to run", &said.places, {.required = true, .program = true}}},
        .help = "",
        .action = [] { return 43; }};
}

constexpr Command group_commands[] = {{"run", "runs", run_line}};

CommandLine group_line()
{
    return {.options = {}, .help = "", .commands = group_commands};
}

CommandLine one_line()
{
    return {.options = {{"FILE", "TEXT", "a file", &said.text}}, .help = "", .action = [] { return 44; }};
}

constexpr Command try_commands[] = {{"try", "tries", try_line},
                                    {"group", "has others", group_line},
                                    {"one", "takes one", one_line},
                                    {"secret", "", one_line}};

// The exit status; what was said is in `said`.
int run_words(std::vector<std::string> words)
{
    words.insert(words.begin(), "program");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    said = {};
    return run_command_line(
        {.name = "program", .summary = "", .version = "1", .help = "", .commands = try_commands},
        static_cast<int>(arguments.size()), arguments.data());
}

int try_words(std::vector<std::string> words)
{
    words.insert(words.begin(), "try");
    return run_words(std::move(words));
}

}  // namespace

TEST_CASE("each option of each command is in its help, with its argument and its meaning")
{
    std::size_t commands_seen = 0;
    walk(commands(), "", [&](const std::string& words, const CommandLine& line) {
        ++commands_seen;
        const std::string help = help_of(words);
        for (const CommandOption& option : line.options) {
            INFO(words << " " << option.names);
            CHECK_FALSE(option.meaning.empty());
            CHECK_THAT(help, Catch::Contains(option.names + std::string(*option.argument ? " " : "") +
                                             option.argument));
            CHECK_THAT(help, Catch::Contains(option.meaning));
        }
    });
    CHECK(commands_seen > commands().size());
}

TEST_CASE("no two options of a command share a name, and what excludes each other is there")
{
    walk(commands(), "", [&](const std::string& words, const CommandLine& line) {
        std::set<std::string> names;
        for (const CommandOption& option : line.options)
            for (const std::string& name : parts_of(option.names)) {
                INFO(words << " " << name);
                CHECK(names.insert(name).second);
            }
        for (const CommandOption& option : line.options)
            for (const std::string& name : parts_of(option.details.excludes)) {
                INFO(words << " " << option.names << " excludes " << name);
                CHECK(names.contains(name));
            }
    });
}

TEST_CASE("flags have no argument, and all else has one")
{
    walk(commands(), "", [&](const std::string& words, const CommandLine& line) {
        for (const CommandOption& option : line.options) {
            INFO(words << " " << option.names);
            const bool to_flag = std::holds_alternative<bool*>(option.into) ||
                                 std::holds_alternative<std::monostate>(option.into);
            CHECK((*option.argument == '\0') == to_flag);
        }
    });
}

TEST_CASE("what was said goes where the rows say")
{
    CHECK(try_words({}) == 42);
    CHECK(said.number == 7);
    CHECK_FALSE((said.flag || said.limited || said.silent));

    CHECK(try_words({"-f", "--silent", "--list", "a,b", "--list=c", "here", "--counts", "1", "--counts", "9",
                     "--number", "12", "--limit", "2.5%", "--size", "4K", "there"}) == 42);
    CHECK((said.flag && said.silent && said.limited));
    CHECK(said.list == std::vector<std::string>{"a", "b", "c"});
    CHECK(said.places == std::vector<std::string>{"here", "there"});
    CHECK(said.counts == std::vector<unsigned>{1, 9});
    CHECK(said.number == 12);
    CHECK(said.limit == 2.5);
    CHECK(said.size == 4096u);

    CHECK(try_words({"--text", "b", "--joined", "x", "--joined", "y", "--", "--flag"}) == 42);
    CHECK(said.text == "b");
    CHECK(said.joined == "x:y");
    CHECK(said.places == std::vector<std::string>{"--flag"});
}

TEST_CASE("what the rows do not allow is bad usage: a sentence says what, and which help to read")
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
        {{"--nonsense"}, "unknown option --nonsense"},
        {{"--tetx", "a"}, "unknown option --tetx; did you mean --text?"},
        {{"--lits=a,b"}, "unknown option --lits; did you mean --list?"},
        {{"--text", "c"}, "--text: c is none of: a, b"},
        {{"--text"}, "--text needs a value: --text TEXT"},
        {{"--flag", "--text", "a"}, "--flag and --text do not go together"},
        {{"--text", "a", "--text", "b"}, "--text is said 2 times; say it once"},
        {{"--counts", "10"}, "--counts: 10 is no whole number from 1 to 9"},
        {{"--counts", "half"}, "--counts: half is no whole number from 1 to 9"},
        {{"--number", "7"}, "--number: seven is taken"},
        {{"--number", "0"}, "--number: 0 is no whole number above 0"},
        {{"--limit", "10"}, "--limit: 10 is no number from 0 to 9"},
        {{"--limit", "x"}, "--limit: x is no number from 0 to 9"},
        {{"--plain", "x"}, "--plain: x is no number"},
        {{"--size", "4Q"}, "--size: 4Q is no size, such as 4096, 64K or 1MiB"}};
    for (const auto& [words, sentence] : bad) {
        INFO(words.front() << " " << (words.size() > 1 ? words[1] : ""));
        CHECK_THROWS_WITH(try_words(words), fmt::format("try: {}{} see program try --help", sentence,
                                                        sentence.ends_with('?') ? "" : ";"));
        CHECK_THROWS_AS(try_words(words), BadUsage);
    }
}

TEST_CASE("commands that there are not, words too many and what is missing are named")
{
    const auto complaint = [](std::vector<std::string> words) -> std::string {
        try {
            run_words(std::move(words));
        } catch (const BadUsage& error) {
            return error.what();
        }
        return "none";
    };
    CHECK(complaint({"tyr"}) == "unknown command tyr; did you mean try? see program --help");
    CHECK(complaint({"sing", "--help"}) == "unknown command sing; see program --help");
    CHECK(complaint({"help", "tyr"}) == "unknown command tyr; did you mean try? see program --help");
    CHECK(complaint({"group", "rnu"}) ==
          "group: unknown command rnu; did you mean run? see program group --help");
    CHECK(complaint({"group"}) == "group: name a command: run; see program group --help");
    CHECK(complaint({"--nothing"}) == "unknown option --nothing; see program --help");
    CHECK(complaint({"group", "run"}) ==
          "group run: COMMAND is missing: what to run; see program group run --help");
    CHECK(complaint({"one", "a", "b"}) == "one: b is too much; it takes FILE; see program one --help");
    CHECK(complaint({"secret"}) == "none");
}

TEST_CASE("all from the first word that is no option belongs to the program that is run")
{
    using Words = std::vector<std::string>;
    for (const Words& ours : {Words{}, Words{"-q"}, Words{"-o", "x"}, Words{"--output", "x", "-q"},
                              Words{"--output=x"}, Words{"-qo", "x"}, Words{"-ox"}})
        for (const bool dashes : {false, true}) {
            Words words{"group", "run"};
            words.insert(words.end(), ours.begin(), ours.end());
            if (dashes) words.push_back("--");
            const Words program{"ls", "-q", "--output", "--", "--help", "try"};
            words.insert(words.end(), program.begin(), program.end());
            INFO(fmt::format("{}", fmt::join(words, " ")));
            CHECK(run_words(words) == 43);
            CHECK(said.places == program);
            CHECK(said.flag == (!ours.empty() && (ours.front().starts_with("-q") || ours.back() == "-q")));
            CHECK(said.text ==
                  (fmt::format("{}", fmt::join(ours, "")).find('x') != std::string::npos ? "x" : ""));
        }
    CHECK_THROWS_WITH(run_words({"group", "run", "--outptu", "x", "ls"}),
                      Catch::Contains("unknown option --outptu; did you mean --output?"));
}
