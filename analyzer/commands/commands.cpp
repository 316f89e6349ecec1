// The table of commands, in the order in which --help lists them, and the program that has them.
#include "analyzer/commands/commands.h"

#include "analyzer/commands/program.h"

namespace fathom {
namespace {

constexpr Command command_table[] = {
    record_command,
    {"report", "Say what a recorded program's I/O did: text, JSON, HTML or PDF", report_line},
    {"compare", "Say what changed between two runs, and why", compare_line},
    {"merge", "Make one log of several", merge_line},
    dump_command,
    {"convert", "Write a log as one of Darshan or of Fathom, without names, of one file alone", convert_line},
    {"clusters", "Say which groups the times of operations fall into", clusters_line},
    {"measure", "Measure reads and writes here, in a known state, to train models of their times",
     measure_line},
    {"model", "Learn how long operations take, and say where those of a program were served from",
     model_line},
    {"probe", "Time a file system again and again: write 1 MiB, read it back", probe_line},
    {"monitor", "Write what this node's devices, networks and file systems do, again and again",
     monitor_line},
    {"states", "Say when storage was idle or busy, by a probe's latencies over time", states_line},
    {"jobs", "Keep the numbers of many jobs in a database, and find those to look at", jobs_line},
    {"study", "Say in one document what the jobs of a database do with the storage", study_line},
    {"history", "Say how runs of one kind changed over time, and what became slower", history_line},
    {"neighbours", "Say which jobs ran beside one on its file system, and what that cost", neighbours_line},
    {"devices", "Say what a site's servers and disks did: how busy, how even, which one lags", devices_line},
    {"scan", "Count the files below some paths: by size, age, owner, project, suffix", scan_line},
    {"files", "Say in one document what a scan found, and how it grew since another one", files_line},
    {"watch", "Show what the programs under record on this node are doing now", watch_line},
    {"recover", "Make a log of what a killed recording left behind", recover_line},
    {"manual", "", manual_line},
};

}  // namespace

std::span<const Command> commands()
{
    return command_table;
}

Program fathom_itself()
{
    return program_with(command_table);
}

}  // namespace fathom
