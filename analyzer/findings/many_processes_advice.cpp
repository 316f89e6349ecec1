// By what is known of the starts, and by names.
#include "analyzer/findings/many_processes_advice.h"

namespace fathom {
namespace {

constexpr Remedy process_remedies[] = {
    {Language::c,
     "Do in the program itself what PROGRAM does, rather than start it by system or popen each time; or have "
     "one of them take all files."},
    {Language::shell,
     "Have one process take all files or names, where PROGRAM does; xargs gives it as many as fit:",
     {"find FOLDER -type f -print0 | xargs -0 PROGRAM …    # with its options"}},
    {Language::python,
     "Use a module rather than a program for each file:",
     {"import gzip, shutil", "shutil.copyfileobj(source, gzip.open(path, \"wb\"))"}},
    {Language::script, "Have one process do the work of many, where the program takes several files."},
};
// Of those that cut, change or join text.
constexpr Remedy text_tool_remedies[] = {
    {Language::shell,
     "Use what the shell does by itself, or have one awk do the whole loop; or have one PROGRAM take all "
     "files:",
     {"echo \"${name%.txt}\"    # rather than basename", "awk '{ print $1 }' FILE    # rather than a loop"}},
};
// Shells, of which another tool starts one for each task.
constexpr Remedy shell_remedies[] = {
    {Language::c, "Have each shell do more: one is started for each task."},
    {Language::shell,
     "Have each shell do more, or none be needed: one is started for each task, as by parallel or xargs:",
     {"parallel -X COMMAND ::: FILES", "xargs -n 100 COMMAND    # rather than sh -c for each"}},
};
// Of a server: they take any number of commands.
constexpr std::string_view clients[] = {"redis-cli", "psql", "mysql", "mariadb", "sqlite3", "ncat", "sftp"};
constexpr Remedy client_remedies[] = {
    {Language::c, "Hold one connection, and send all commands by that."},
    {Language::shell, "Give one PROGRAM all commands, on its standard input:", {"PROGRAM < COMMANDS"}},
};
// git takes many objects, or paths, at a time, but not all of its commands do so as arguments.
constexpr Remedy git_remedies[] = {
    {Language::c, "Ask git for all at once: one process of it takes many paths, or objects."},
    {Language::shell,
     "Ask git for all at once: one process of it takes many paths, or objects:",
     {"git log --format=%at --name-only -- FOLDER", "git cat-file --batch < OBJECTS",
      "git archive HEAD FOLDER | tar x    # rather than git show for each file"}},
};
// Of the same command each time.
constexpr Remedy same_command_remedies[] = {
    {Language::c,
     "All of them run the same command: start it once and keep what it says, or count in the program itself "
     "what changes from one to the next."},
    {Language::shell,
     "All of them run the same command: run it once, before the loop or behind it, and keep what it says; "
     "what changes from turn to turn the script can count by itself:",
     {"answer=$(PROGRAM …)    # once"}},
};
constexpr Remedy slow_start_remedies[] = {
    {Language::c,
     "Start PROGRAM once, and have it go through all files or tasks: it takes longer to start than to do one "
     "of them."},
    {Language::python,
     "Do the work of all in one process: call what PROGRAM runs as a function, or give it the whole list; "
     "multiprocessing.Pool keeps several processes at work."},
    {Language::shell,
     "Start PROGRAM once, and have it go through all files or tasks: it takes longer to start than to do one "
     "of them:",
     {"PROGRAM … FILES    # rather than a loop; in Python: for path in sys.argv[1:]"}},
};
// Of those that only calculate, as python3 -c.
constexpr Remedy calculating_remedies[] = {
    {Language::c,
     "Calculate in the program itself, or start PROGRAM once for all: it takes longer to start than to "
     "calculate."},
    {Language::python,
     "Do it in the process that starts PROGRAM: call what it runs as a function; multiprocessing.Pool keeps "
     "several processes at work."},
    {Language::shell,
     "Have one PROGRAM, or one awk, do the whole loop: it takes longer to start than to calculate. Of whole "
     "numbers the shell takes care by itself:",
     {"awk 'BEGIN { for (i = 1; i <= 100; i++) x = x * 1.01 + i; print x }'", "x=$((x + i))"}},
};

std::span<const Remedy> remedies_for_each(const AdvisedProgram& program)
{
    if (is_one_of(program.name, clients)) return client_remedies;
    if (program.name == "git") return git_remedies;
    if (program.language == Language::shell && is_text_tool(program.name)) return text_tool_remedies;
    return process_remedies;
}

}  // namespace

bool is_text_tool(std::string_view name)
{
    constexpr std::string_view names[] = {"basename", "dirname", "expr",  "cut", "tr",   "sed",  "awk",
                                          "gawk",     "mawk",    "date",  "bc",  "grep", "head", "tail",
                                          "wc",       "cat",     "paste", "rev", "seq",  "uniq"};
    return is_one_of(name, names);
}

bool takes_all_at_once(std::string_view name)
{
    return name == "git";
}

std::vector<report::Advice> advice_on_processes(const AdvisedProgram& program, StartedFor what)
{
    switch (what) {
        case StartedFor::variable_of_make:
            return {
                {"Set make's variables by :=, which runs $(shell …) once; = runs it wherever they are used:",
                 {"INPUTS := $(shell find FOLDER -name '*.dat')"}}};
        case StartedFor::slow_start:
            return advice_in(program, slow_start_remedies);
        case StartedFor::calculation:
            return advice_in(program, calculating_remedies);
        case StartedFor::same_command:
            if (!is_text_tool(program.name)) return advice_in(program, same_command_remedies);
            break;
        case StartedFor::shell:
            return advice_in(program, shell_remedies);
        case StartedFor::each_file:
            break;
    }
    return advice_in(program, remedies_for_each(program));
}

}  // namespace fathom
