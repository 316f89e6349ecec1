// What the programs of `fathom` have in common.
#pragma once

#include <span>

#include "analyzer/commands/command_line.h"

namespace fathom {

// `fathom`, with these of its commands.
Program program_with(std::span<const Command> commands);

// Runs the command that the line names, and turns whatever goes wrong into one line and an exit status.
int run_program(const Program& program, int argc, char** argv);

}  // namespace fathom
