// By the headers that the kernel told of, without a look at the file.
#include "libinterpose/recording/executable.h"

#include <algorithm>
#include <cstring>
#include <sys/auxv.h>

namespace fathom {
namespace {

constexpr std::size_t rounded(std::size_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

bool is_mapped(const Executable& program, const ElfW(Phdr) & part)
{
    return std::any_of(program.headers.begin(), program.headers.end(), [&](const ElfW(Phdr) & one) {
        return one.p_type == PT_LOAD && part.p_vaddr >= one.p_vaddr &&
               part.p_vaddr - one.p_vaddr <= one.p_filesz &&
               part.p_filesz <= one.p_filesz - (part.p_vaddr - one.p_vaddr);
    });
}

std::span<const unsigned char> build_id_in(std::span<const unsigned char> notes)
{
    ElfW(Nhdr) note{};
    while (notes.size() >= sizeof note) {
        std::memcpy(&note, notes.data(), sizeof note);
        notes = notes.subspan(sizeof note);
        const std::size_t name = rounded(note.n_namesz), text = rounded(note.n_descsz);
        if (name > notes.size() || note.n_descsz > notes.size() - name) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
            std::memcmp(notes.data(), "GNU", sizeof "GNU") == 0)
            return notes.subspan(name, note.n_descsz);
        notes = notes.subspan(std::min(name + text, notes.size()));
    }
    return {};
}

}  // namespace

Executable find_executable()
{
    Executable found;
    if (const auto* const headers = reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR)))
        found.headers = {headers, getauxval(AT_PHNUM)};
    std::uintptr_t dynamic = 0;
    for (const ElfW(Phdr) & header : found.headers) {
        if (header.p_type == PT_PHDR)
            found.base = reinterpret_cast<std::uintptr_t>(found.headers.data()) - header.p_vaddr;
        if (header.p_type == PT_DYNAMIC) dynamic = header.p_vaddr;
    }
    if (dynamic != 0) found.dynamic = reinterpret_cast<const ElfW(Dyn)*>(found.base + dynamic);
    return found;
}

std::span<const unsigned char> build_id(const Executable& program)
{
    for (const ElfW(Phdr) & header : program.headers) {
        if (header.p_type != PT_NOTE || !is_mapped(program, header)) continue;
        const auto* const notes = reinterpret_cast<const unsigned char*>(program.base + header.p_vaddr);
        if (const auto found = build_id_in({notes, header.p_filesz}); !found.empty()) return found;
    }
    return {};
}

}  // namespace fathom
