// The table of commands, in the order in which --help lists them.
#include "analyzer/commands/commands.h"

namespace fathom {
namespace {

constexpr Command table[] = {
    {"record", "Run a program and record what its I/O does", declare_record},
    {"report", "Say what a recorded program's I/O did: text, JSON, HTML or PDF", declare_report},
    {"compare", "Say what changed between two runs, and why", declare_compare},
    {"merge", "Make one log of several", declare_merge},
    {"dump", "Print every counter of a log, for grep, awk and scripts", declare_dump},
    {"convert", "Write a log as one of Darshan or of Fathom, without names, of one file alone",
     declare_convert},
    {"clusters", "Say which groups the times of operations fall into", declare_clusters},
    {"measure", "Measure reads and writes here, in a known state, to train models of their times",
     declare_measure},
    {"model", "Learn how long operations take, and say where those of a program were served from",
     declare_model},
    {"probe", "Time a file system again and again: write 1 MiB, read it back", declare_probe},
    {"states", "Say when storage was idle or busy, by a probe's latencies over time", declare_states},
    {"recover", "Make a log of what a killed recording left behind", declare_recover},
};

}  // namespace

std::span<const Command> commands()
{
    return table;
}

}  // namespace fathom
