// By the headers that the kernel told of, without a look at the file.
#include "libinterpose/recording/executable.h"

#include <algorithm>
#include <cstring>
#include <sys/auxv.h>

#include "libinterpose/system/sys.h"

// Where the kernel put the arguments: their number, and they. Of the dynamic linker.
extern "C" void* __libc_stack_end;

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

// What the note of this kind and name holds.
std::span<const unsigned char> note_in(std::span<const unsigned char> notes, std::uint32_t kind,
                                       std::string_view owner)
{
    ElfW(Nhdr) note{};
    while (notes.size() >= sizeof note) {
        std::memcpy(&note, notes.data(), sizeof note);
        notes = notes.subspan(sizeof note);
        const std::size_t name = rounded(note.n_namesz), text = rounded(note.n_descsz);
        if (name > notes.size() || note.n_descsz > notes.size() - name) break;
        if (note.n_type == kind && note.n_namesz >= owner.size() &&
            std::memcmp(notes.data(), owner.data(), owner.size()) == 0)
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

namespace {

std::span<const unsigned char> note_of(const Executable& program, std::uint32_t kind, std::string_view owner)
{
    for (const ElfW(Phdr) & header : program.headers) {
        if (header.p_type != PT_NOTE || !is_mapped(program, header)) continue;
        const auto* const notes = reinterpret_cast<const unsigned char*>(program.base + header.p_vaddr);
        if (const auto found = note_in({notes, header.p_filesz}, kind, owner); !found.empty()) return found;
    }
    return {};
}

}  // namespace

std::span<const unsigned char> build_id(const Executable& program)
{
    using namespace std::literals;
    return note_of(program, NT_GNU_BUILD_ID, "GNU\0"sv);
}

bool is_made_by_go(const Executable& program)
{
    using namespace std::literals;
    constexpr std::uint32_t go_build_id = 4;
    return !note_of(program, go_build_id, "Go\0"sv).empty();
}

namespace {

// Whether it was started for a file that it interprets: then the kernel was given the name of that, which is
// among the arguments.
bool interprets(const char* name)
{
    auto* const start = static_cast<char* const*>(__libc_stack_end);
    const long count = *reinterpret_cast<const long*>(start);
    for (long at = 1; at < count; ++at)
        if (std::strcmp(start[1 + at], name) == 0) return true;
    return false;
}

}  // namespace

SystemProgram::SystemProgram()
{
    const auto* const name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    // Where folders lie on servers, a look at each may be a question to one.
    constexpr std::string_view folders[] = {"/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/"};
    const bool is_known = name != nullptr && getauxval(AT_BASE) != 0 &&
                          std::any_of(std::begin(folders), std::end(folders), [&](std::string_view folder) {
                              return std::string_view(name).starts_with(folder);
                          });
    if (!is_known || interprets(name) || !resolve(name)) path_.resize(0);
}

// Follows links, component by component. False for what is longer than usual.
bool SystemProgram::resolve(const char* name)
{
    constexpr int most_looks = 16;
    constexpr std::size_t room = path_.capacity();
    char left[room], link[room];
    std::size_t size = std::strlen(name);
    if (size >= room) return false;
    std::memcpy(left, name, size + 1);
    const char* at = left;
    for (int looks = 0; looks < most_looks; ++looks) {
        while (*at == '/') ++at;
        const std::string_view rest(at, size - static_cast<std::size_t>(at - left));
        if (rest.empty()) return true;
        const std::string_view one = rest.substr(0, rest.find('/'));
        const std::size_t before = path_.size();
        if (one[0] == '.' || before + 1 + one.size() >= room) return false;
        path_ << "/" << one;
        at += one.size();
        const long length = sys::readlink(path_.c_str(), link, room);
        if (length == -EINVAL) continue;  // no link
        const std::size_t more = rest.size() - one.size();
        if (length <= 0 || static_cast<std::size_t>(length) + more >= room) return false;
        path_.resize(link[0] == '/' ? 0 : before);
        std::memcpy(link + length, at, more);
        size = static_cast<std::size_t>(length) + more;
        std::memcpy(left, link, size);
        left[size] = '\0';
        at = left;
    }
    return false;
}

}  // namespace fathom
