// Languages are known by the name of what ran, and by the libraries that it had loaded.
#include "analyzer/findings/language.h"

#include <algorithm>
#include <map>

#include "analyzer/findings/file_names.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

struct LanguageName {
    std::string_view name;  // without a version behind it
    Language language;
};
constexpr LanguageName interpreters[] = {
    {"python", Language::python}, {"pypy", Language::python},  {"sh", Language::shell},
    {"bash", Language::shell},    {"dash", Language::shell},   {"ksh", Language::shell},
    {"zsh", Language::shell},     {"perl", Language::script},  {"ruby", Language::script},
    {"R", Language::script},      {"julia", Language::script}, {"lua", Language::script},
    {"luajit", Language::script}, {"node", Language::script},  {"java", Language::script},
    {"php", Language::script},    {"tclsh", Language::script}, {"octave-cli", Language::script},
    {"awk", Language::script},    {"mawk", Language::script},  {"gawk", Language::script},
};
constexpr LanguageName tools[] = {
    {"tar", Language::tar},   {"dd", Language::dd},     {"cp", Language::cp},
    {"gzip", Language::gzip}, {"sort", Language::sort}, {"sqlite", Language::sqlite},
};
constexpr std::string_view packaged_below[] = {"/usr/bin/", "/bin/",     "/usr/sbin/",
                                               "/sbin/",    "/usr/lib/", "/usr/libexec/"};
constexpr std::string_view fortran_libraries[] = {"libgfortran", "libifcore", "libnvf", "libmpi_mpifh",
                                                  "libmpifort"};

// What a rule has no rows for is written as in the language beside it.
struct Kin {
    Language of, like;
};
constexpr Kin kin[] = {
    {Language::unknown, Language::c},       {Language::cxx, Language::c},
    {Language::fortran, Language::c},       {Language::hdf5, Language::c},
    {Language::netcdf, Language::c},        {Language::pnetcdf, Language::c},
    {Language::adios2, Language::c},        {Language::h5py, Language::python},
    {Language::netcdf4, Language::python},  {Language::python, Language::script},
    {Language::shell, Language::script},    {Language::script, Language::c},
    {Language::tar, Language::packaged},    {Language::dd, Language::packaged},
    {Language::cp, Language::packaged},     {Language::gzip, Language::packaged},
    {Language::sort, Language::packaged},   {Language::sqlite, Language::packaged},
    {Language::packaged, Language::script},
};

// A script that starts this many processes of one program has most of its I/O in their starting and ending.
constexpr std::size_t many_processes = 32;

// Where the program's name goes.
constexpr std::string_view mark = "PROGRAM";

// A name from a log of somebody else's goes into lines for a shell.
bool can_be_copied(std::string_view name)
{
    constexpr std::string_view harmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    return !name.empty() && name.front() != '-' && name.find_first_not_of(harmless) == std::string_view::npos;
}

std::string_view file_name(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

std::string_view without_version(std::string_view name)
{
    return name.substr(0, name.find_last_not_of("0123456789.-") + 1);
}

Language named(std::span<const LanguageName> names, std::string_view name)
{
    const auto found = std::find_if(names.begin(), names.end(), [&](const LanguageName& one) {
        return one.name == without_version(name);
    });
    return found == names.end() ? Language::unknown : found->language;
}

bool uses_any(const AdvisedProgram& program, std::span<const std::string_view> libraries)
{
    return std::any_of(libraries.begin(), libraries.end(),
                       [&](std::string_view one) { return program.uses(one); });
}

Language language_of(const AdvisedProgram& program, std::string_view path)
{
    const Language interpreter = named(interpreters, program.name);
    const bool hdf5 = program.uses("libhdf5") || program.uses(hdf5_inside);
    // A packaged program that has Python inside of it, as LAMMPS does, is no program of its user's.
    const bool packaged = interpreter == Language::unknown && is_packaged_tool(path);
    if (interpreter == Language::python ||
        (interpreter == Language::unknown && !packaged && program.uses("libpython3")))
        return program.uses("libnetcdf") ? Language::netcdf4 : hdf5 ? Language::h5py : Language::python;
    if (interpreter != Language::unknown) return interpreter;
    if (packaged) {
        const Language tool = named(tools, program.name);
        return tool == Language::unknown ? Language::packaged : tool;
    }
    if (program.uses("libadios2")) return Language::adios2;
    if (program.uses("libnetcdf")) return Language::netcdf;
    if (program.uses("libpnetcdf")) return Language::pnetcdf;
    if (hdf5) return Language::hdf5;
    if (uses_any(program, fortran_libraries)) return Language::fortran;
    if (program.uses("libstdc++") || program.uses("libc++")) return Language::cxx;
    return program.libraries.empty() ? Language::unknown : Language::c;
}

// How a program was called where that is a link to it, as redis-server is to redis-check-rdb.
std::string name_typed(const Job& job, std::string_view path)
{
    for (const Member& member : job.ranks) {
        if (member.process.program != path) continue;
        const std::string_view command = member.process.command,
                               name = file_name(command.substr(0, command.find(' ')));
        if (can_be_copied(name)) return std::string(name);
    }
    return {};
}

AdvisedProgram program_at(const Job& job, std::string_view path)
{
    AdvisedProgram program{.name = std::string(file_name(path))};
    if (!can_be_copied(program.name)) program.name = mark;
    // A process that was killed, or left by _exit, has no list of libraries; one that forked it may.
    for (const Member& member : job.ranks)
        if (run_by(member.process) == path && member.process.libraries.size() > program.libraries.size())
            program.libraries = member.process.libraries;
    program.language = language_of(program, path);
    if (const std::string typed = name_typed(job, path);
        program.language == Language::packaged && !typed.empty())
        program.name = typed;
    // What a user starts, for what it starts.
    constexpr std::pair<std::string_view, std::string_view> parts_of_compilers[] = {
        {"cc1", "gcc"}, {"cc1plus", "g++"}, {"f951", "gfortran"}, {"collect2", "gcc"}};
    for (const auto& [part, compiler] : parts_of_compilers)
        if (program.name == part) program.name = compiler;
    return program;
}

struct TimeShare {
    double time = 0;
    std::size_t processes = 0;
};

enum class Scripts { stand_for_tools, stay_apart };

template <class Time>
AdvisedProgram program_with_most(const Job& job, Time time_of, Scripts scripts = Scripts::stand_for_tools)
{
    std::map<std::string_view, TimeShare> shares;
    std::string_view shell;
    for (std::size_t at = 0; at < job.ranks.size(); ++at) {
        const std::string_view path = run_by(job.ranks[at].process);
        if (is_shell(path)) shell = path;
        TimeShare& share = shares[path];
        share.time += time_of(at);
        ++share.processes;
    }
    const auto most = std::max_element(shares.begin(), shares.end(), [](const auto& a, const auto& b) {
        return a.second.time < b.second.time;
    });
    if (most == shares.end()) return {};
    AdvisedProgram program = program_at(job, most->first);
    const bool by_script = scripts == Scripts::stand_for_tools && is_packaged(program) &&
                           most->second.processes >= many_processes && !shell.empty();
    return by_script ? program_at(job, shell) : program;
}

std::string named_in(std::string_view text, const AdvisedProgram& program)
{
    std::string told(text);
    // What is said of Fortran ends the sentence before the lines.
    const std::size_t fortran = told.find(". In Fortran ");
    if (fortran != std::string::npos && told.ends_with(":") && !program.libraries.empty() &&
        !uses_any(program, fortran_libraries))
        told = told.substr(0, fortran) + ":";
    for (std::size_t at = 0; (at = told.find(mark, at)) != std::string::npos; at += program.name.size())
        told.replace(at, mark.size(), program.name);
    return told;
}

bool is_named_for_versions(std::string_view program)
{
    constexpr std::string_view names[] = {"git", "hg",     "svn", "svnadmin", "svnsync",
                                          "bzr", "fossil", "cvs", "borg"};
    return program.starts_with("git-") ||
           std::find(std::begin(names), std::end(names), program) != std::end(names);
}

}  // namespace

bool is_shell(std::string_view path)
{
    return named(interpreters, file_name(path)) == Language::shell;
}

bool came_with_system(std::string_view path)
{
    return std::any_of(std::begin(packaged_below), std::end(packaged_below),
                       [&](std::string_view folder) { return path.starts_with(folder); });
}

bool is_packaged_tool(std::string_view path)
{
    return named(interpreters, file_name(path)) == Language::unknown && came_with_system(path);
}

std::string_view script_of(std::string_view command)
{
    std::string_view rest = command.substr(std::min(command.find(' '), command.size()));
    const bool shell = is_shell(command.substr(0, command.size() - rest.size()));  // its -e is another option
    while (!rest.empty() && rest.front() == ' ') {
        rest.remove_prefix(1);
        const std::string_view word = rest.substr(0, rest.find(' '));
        if (!word.starts_with('-')) return word;
        if (word == "-c" || (shell ? word == "-ec" : word == "-e" || word == "-m")) return {};
        rest.remove_prefix(word.size());
    }
    return {};
}

std::string_view packaged_script(const Process& process)
{
    if (named(interpreters, file_name(process.program)) == Language::unknown) return {};
    const std::string_view script = script_of(process.command);
    return came_with_system(script) ? script : std::string_view();
}

std::string_view run_by(const Process& process)
{
    const std::string_view script = packaged_script(process);
    return script.empty() ? std::string_view(process.program) : script;
}

bool keeps_versions(const AdvisedProgram& program)
{
    return is_packaged(program) && is_named_for_versions(program.name);
}

bool keeps_versions(const Process& process)
{
    const std::string_view path = run_by(process);
    return came_with_system(path) && is_named_for_versions(file_name(path));
}

bool is_in_sqlite(const AdvisedProgram& program, std::string_view path)
{
    return is_sqlite(path) &&
           (!is_python(program) || program.libraries.empty() || program.uses("libsqlite3"));
}

bool AdvisedProgram::uses(std::string_view library) const
{
    for (std::string_view rest = libraries; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == library) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

AdvisedProgram program_of(const Job& job, const LostTime& lost, std::string_view file)
{
    AdvisedProgram program = lost.total() <= 0
                                 ? program_of(job)
                                 : program_with_most(job, [&](std::size_t rank) { return lost.of(rank); });
    program.besides_hdf5 = !file.empty() && !is_named_as_hdf5(file);
    return program;
}

AdvisedProgram executable_of(const Job& job, const LostTime& lost)
{
    return program_with_most(
        job, [&](std::size_t rank) { return lost.of(rank); }, Scripts::stay_apart);
}

AdvisedProgram program_of(const Job& job)
{
    return program_with_most(
        job, [&](std::size_t rank) { return static_cast<double>(job.ranks[rank].time().total()); });
}

namespace {

// In Fortran the name of the call is worth more than lines of C.
void name_fortran_call(report::Advice& advice, const AdvisedProgram& program)
{
    if (program.libraries.empty() || advice.text.find("In Fortran ") == std::string::npos ||
        !advice.text.ends_with(':'))
        return;
    advice.text.back() = '.';
    advice.lines.clear();
}

}  // namespace

std::vector<report::Advice> advice_in(const AdvisedProgram& program, std::span<const Remedy> remedies)
{
    std::vector<report::Advice> advice;
    for (Language language = program.language;;) {
        const auto meant_for = [&](const Remedy& remedy) {
            return remedy.language == language && (remedy.with.empty() || program.uses(remedy.with) ||
                                                   without_version(program.name) == remedy.with);
        };
        // What is known of this tool is better than which kind of option to look for.
        const bool tool_known = language == Language::packaged &&
                                std::any_of(remedies.begin(), remedies.end(), [&](const Remedy& remedy) {
                                    return !remedy.with.empty() && meant_for(remedy);
                                });
        for (const Remedy& remedy : remedies) {
            if (!meant_for(remedy) || (tool_known && remedy.with.empty())) continue;
            report::Advice& one = advice.emplace_back();
            one.text = named_in(remedy.text, program);
            for (const std::string_view line : remedy.lines)
                if (!line.empty()) one.lines.push_back(named_in(line, program));
            name_fortran_call(one, program);
        }
        const auto* const next =
            std::find_if(std::begin(kin), std::end(kin), [&](const Kin& one) { return one.of == language; });
        // A program that uses such a library may write other files, too.
        const bool further = program.besides_hdf5 && language == program.language &&
                             (language == Language::h5py || language == Language::netcdf4 ||
                              (language >= Language::hdf5 && language <= Language::adios2));
        if ((!advice.empty() && !further) || next == std::end(kin)) return advice;
        language = next->like;
    }
}

}  // namespace fathom
