// Reads the first bytes of executables.
#include "analyzer/record/executable.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace fathom {
namespace {

namespace fs = std::filesystem;

std::string find_in_path(const std::string& word)
{
    if (word.find('/') != std::string::npos) return word;
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/bin:/usr/bin" : path);
    std::error_code error;
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string file = (folder.empty() ? "." : folder) + "/" + word;
        if (access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file, error)) return file;
    }
    return "";
}

// The kernel then tells the dynamic linker to trust no variable.
std::string privileges_gained_by(const std::string& file)
{
    struct stat about {};
    struct statvfs system {};
    if (stat(file.c_str(), &about) != 0 || statvfs(file.c_str(), &system) != 0) return "";
    if ((system.f_flag & ST_NOSUID) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return "";
    if ((about.st_mode & S_ISUID) != 0 && about.st_uid != geteuid()) return "is setuid";
    if ((about.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && about.st_gid != getegid())
        return "is setgid";
    if (geteuid() != 0 && getxattr(file.c_str(), "security.capability", nullptr, 0) > 0)
        return "has capabilities";
    return "";
}

// Of a script's first line, or empty.
std::string interpreter_of(const std::string& start)
{
    if (!start.starts_with("#!")) return "";
    std::istringstream line(start.substr(2, start.find('\n') - 2));
    std::string interpreter;
    line >> interpreter;
    return interpreter;
}

// The dynamic linker is no program that needs one.
bool is_dynamic_linker(const std::string& file)
{
    std::error_code error;
    const std::string name = fs::canonical(file, error).filename();
    return name.starts_with("ld-linux") || name.starts_with("ld-2.") || name == "ld.so";
}

Hindrance hindrance_of_elf(const std::string& file, std::ifstream& in, const Elf64_Ehdr& header)
{
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return {"is a 32-bit program"};
    if (header.e_machine != EM_X86_64) return {"is built for another processor"};
    for (int at = 0; at < header.e_phnum; ++at) {
        Elf64_Phdr segment{};
        in.seekg(static_cast<std::streamoff>(header.e_phoff + at * sizeof segment));
        if (!in.read(reinterpret_cast<char*>(&segment), sizeof segment)) return {};
        if (segment.p_type != PT_INTERP) continue;
        std::string linker(std::min<std::size_t>(segment.p_filesz, 4096), '\0');
        in.seekg(static_cast<std::streamoff>(segment.p_offset));
        in.read(linker.data(), static_cast<std::streamsize>(linker.size()));
        if (linker.find("ld-musl") == std::string::npos) return {};
        return {"is built for musl, not for the GNU C library", true};
    }
    return is_dynamic_linker(file) ? Hindrance{} : Hindrance{"is linked statically"};
}

// The sentence without its subject.
Hindrance look_at(const std::string& file, int depth)
{
    constexpr int most_interpreters = 4;  // as the kernel
    if (std::string privileges = privileges_gained_by(file); !privileges.empty()) return {privileges};
    std::ifstream in(file, std::ios::binary);
    std::string start(256, '\0');
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(in.gcount()));
    in.clear();
    if (const std::string interpreter = interpreter_of(start); !interpreter.empty()) {
        if (depth == most_interpreters) return {};
        Hindrance found = look_at(interpreter, depth + 1);
        if (found) found.sentence = fmt::format("is run by {}, which {}", interpreter, found.sentence);
        return found;
    }
    Elf64_Ehdr header{};
    if (start.size() < sizeof header || std::memcmp(start.data(), ELFMAG, SELFMAG) != 0) return {};
    std::memcpy(&header, start.data(), sizeof header);
    return hindrance_of_elf(file, in, header);
}

}  // namespace

Hindrance hindrance_of(const std::string& word)
{
    const std::string file = find_in_path(word);
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return {};
    Hindrance found = look_at(file, 0);
    if (found) found.sentence = fmt::format("{} {}", file, found.sentence);
    return found;
}

}  // namespace fathom
