// In what a program is written, as far as logs show, and the advice of a rule in each language.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/findings/lost_time.h"
#include "analyzer/job/job.h"

namespace fathom {

enum class Language : std::uint8_t {
    unknown,  // the log does not say
    c,
    cxx,
    fortran,
    hdf5,     // one of these three, through HDF5
    netcdf,   // or through a library that has its own calls for variables
    pnetcdf,  //
    adios2,   //
    python,
    h5py,
    netcdf4,  // the same for NetCDF: netCDF4, and xarray through it
    shell,
    script,    // other interpreters
    packaged,  // came with the system: its user cannot change it
    tar,       // this one and those below: packaged as well
    dd,
    cp,
    gzip,
    sort,
    sqlite,
};

struct AdvisedProgram {
    Language language = Language::unknown;
    std::string name = {};            // file name of the executable
    std::string_view libraries = {};  // see Process
    bool besides_hdf5 = false;  // it uses HDF5, but this file may be one that it reads and writes by itself

    bool uses(std::string_view library) const;
};

// Python itself, and with the libraries that have advice of their own.
inline bool is_python(const AdvisedProgram& program)
{
    return program.language == Language::python || program.language == Language::h5py ||
           program.language == Language::netcdf4;
}
// Of these a good deal of the work around I/O is the interpreter's.
inline bool is_interpreted(const AdvisedProgram& program)
{
    return is_python(program) || program.language == Language::script;
}

// It came with the system.
inline bool is_packaged(const AdvisedProgram& program)
{
    return program.language >= Language::packaged;
}

// Whether the executable of this path is a shell; whether it came with the system; and whether it did, and
// interprets nothing.
bool is_shell(std::string_view path);
bool came_with_system(std::string_view path);
bool is_packaged_tool(std::string_view path);

// The script that an interpreter was given, by its command: the first word that is no option; empty where it
// was given the text itself (-c, -e) or nothing.
std::string_view script_of(std::string_view command);
// The same where the script came with the system, as /usr/bin/hg did; else empty.
std::string_view packaged_script(const Process& process);
// What a process runs: such a script, else its executable.
std::string_view run_by(const Process& process);

// A tool for versions or backups, such as git: how it lays out its files is its own affair, and a working
// copy is there for people.
bool keeps_versions(const AdvisedProgram& program);
bool keeps_versions(const Process& process);

// Whether this file is a database of SQLite: by its name, unless it is Python's and that has not loaded SQLite.
bool is_in_sqlite(const AdvisedProgram& program, std::string_view path);

// The program that lost most of this time, most of it in that file, if any.
AdvisedProgram program_of(const Job& job, const LostTime& lost, std::string_view file = {});
// The same, but the tool itself where a script starts one again and again, rather than the script.
AdvisedProgram executable_of(const Job& job, const LostTime& lost);
// The one with most time in I/O.
AdvisedProgram program_of(const Job& job);

// A row of a rule's advice. In text and lines, PROGRAM stands for the program's name.
struct Remedy {
    Language language;
    std::string_view text;
    std::array<std::string_view, 5> lines = {};  // up to the first that is empty
    std::string_view with = {};  // given only for programs that use this library, or bear this name
};

// Of a stream of stdio, before its first use. A size that comes without a buffer is ignored by glibc.
inline constexpr std::string_view own_buffer =
                                      "static char buffer[4 << 20];    // for NULL glibc ignores the size",
                                  set_buffer = "setvbuf(file, buffer, _IOFBF, sizeof buffer);";

// What netCDF4 in Python does for calls that all ranks shall make together, whatever rule asks for it.
inline constexpr Remedy netcdf4_together{
    Language::netcdf4, "Have all ranks make the call together:", {"variable.set_collective(True)"}};

// The rows of the program's language, or of the one that it is most like.
std::vector<report::Advice> advice_in(const AdvisedProgram& program, std::span<const Remedy> remedies);

}  // namespace fathom
