// The table of options, and the help that is made of it.
#include "logformat/options.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

using namespace fathom;

namespace {

std::string help_of_record()
{
    std::string text;
    std::array<char, 4096> some;
    FILE* const pipe = popen(FATHOM_PROGRAM " record --help", "r");
    REQUIRE(pipe != nullptr);
    while (const std::size_t got = fread(some.data(), 1, some.size(), pipe)) text.append(some.data(), got);
    REQUIRE(pclose(pipe) == 0);
    return text;
}

// The line that names this variable as something to set.
std::string line_with(const std::string& text, const Option& option)
{
    const std::string variable = option.environment;
    const std::size_t at = text.find(*option.flags == '\0' ? variable + "=" : "[" + variable + "]");
    if (at == std::string::npos) return {};
    const std::size_t begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("the help of fathom record has every row of the table, with its variable")
{
    const std::string help = help_of_record();
    for (const Option* const option : options::all) {
        INFO(option->environment);
        const std::string line = line_with(help, *option);
        for (const char* const part : {option->flags, option->argument, option->standard, option->meaning})
            CHECK_THAT(line, Catch::Contains(part));
    }
}

TEST_CASE("an option and its variable have the same name")
{
    for (const Option* const option : options::all) {
        if (*option->flags == '\0') continue;
        const std::string flags = option->flags;
        std::string name = flags.substr(flags.rfind("--") + 2);
        for (char& letter : name) letter = letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
        CHECK(option->environment == "FATHOM_" + name);
    }
}

TEST_CASE("KiB are a number within bounds")
{
    CHECK(options::kib("256") == 256u);
    CHECK(options::kib("2097152") == 2097152u);
    for (const char* const wrong : {"", "255", "2097153", "1k", "-300", " 300", "99999999999999999999999"})
        CHECK_FALSE(options::kib(wrong));
}
