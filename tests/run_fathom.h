// Runs fathom as users type it, and keeps what it says. FATHOM_PROGRAM is set by the tests' CMakeLists.txt.
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace fathom::testing {

struct Ran {
    int status = -1;
    std::string said;  // on standard output and standard error
};

// `before` stands before the command: variables, a ulimit.
inline Ran run_fathom(const std::string& arguments, const std::string& before = "")
{
    Ran ran;
    FILE* const pipe = popen((before + FATHOM_PROGRAM " " + arguments + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> piece{};
    for (std::size_t got; (got = fread(piece.data(), 1, piece.size(), pipe)) > 0;)
        ran.said.append(piece.data(), got);
    ran.status = WEXITSTATUS(pclose(pipe));
    return ran;
}

}  // namespace fathom::testing
