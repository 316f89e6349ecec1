// What the programs of `fathom` have in common.
#pragma once

#include <span>

#include "analyzer/commands/command_line.h"

namespace fathom {

// Runs the command that the line names, and turns whatever goes wrong into one line and an exit status.
int run_program(std::span<const Command> commands, int argc, char** argv);

}  // namespace fathom
