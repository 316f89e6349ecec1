// Reads the dynamic linker's list, as debuggers do. dl_iterate_phdr would take a lock, which in the child of
// a program with threads may be held for ever.
#include "libinterpose/recording/libraries.h"

#include <cstring>
#include <link.h>
#include <string_view>
#include <sys/single_threaded.h>

#include "libinterpose/recording/executable.h"
#include "libinterpose/recording/files.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/program_text.h"
#include "libinterpose/recording/session.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

struct Library {
    std::string_view begins;  // of its file's name; up to a dot it is the name in the log
    // Counts where the executable itself is linked to it: BLAS brings Fortran's library into every program.
    bool of_executable = false;
};
constexpr Library known_libraries[] = {
    {"libc.so", true},     {"libstdc++", true},   {"libc++.so", true},  {"libgfortran", true},
    {"libifcore", true},   {"libnvf", true},      {"libmpifort", true}, {"libmpi_mpifh", true},
    {"libpython3", false}, {"libhdf5", false},    {"libnetcdf", false}, {"libpnetcdf", false},
    {"libadios2", false},  {"libsqlite3", false}, {"libgcc_s", true},
};
constexpr std::size_t most_loaded = 10'000;

std::uint32_t bit_of(std::string_view path, bool of_executable)
{
    const std::string_view file = path.substr(path.rfind('/') + 1);
    std::uint32_t bit = 1;
    for (const Library& library : known_libraries) {
        if (library.of_executable == of_executable && file.starts_with(library.begins)) return bit;
        bit <<= 1;
    }
    return 0;
}

std::uintptr_t value_of(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag)
{
    for (; dynamic->d_tag != DT_NULL; ++dynamic)
        if (dynamic->d_tag == tag) return dynamic->d_un.d_ptr;
    return 0;
}

std::uint32_t linked_to(const Executable& program)
{
    std::uint32_t found = 0;
    std::uintptr_t texts = value_of(program.dynamic, DT_STRTAB);
    if (texts < program.base) texts += program.base;  // where the dynamic linker cannot write there
    for (const auto* at = program.dynamic; at->d_tag != DT_NULL; ++at)
        if (at->d_tag == DT_NEEDED)
            found |= bit_of(reinterpret_cast<const char*>(texts + at->d_un.d_val), true);
    return found;
}

// Another thread may unload a library meanwhile: then the kernel is asked what lies there.
bool read_entry(const link_map* at, link_map& entry)
{
    if (__libc_single_threaded != 0) {
        entry = *at;
        return true;
    }
    return copy_readable(at, reinterpret_cast<char*>(&entry), sizeof entry) == sizeof entry;
}

std::uint32_t bit_of_loaded(const char* name, PathText& scratch)
{
    if (name == nullptr) return 0;
    if (__libc_single_threaded != 0) return bit_of(name, false);
    const std::size_t got = copy_readable(name, scratch.data(), PathText::capacity() - 1);
    return bit_of({scratch.data(), strnlen(scratch.data(), got)}, false);
}

std::uint32_t loaded_by(const Executable& program)
{
    const PathScratch scratch;
    const auto* const list = reinterpret_cast<const r_debug*>(value_of(program.dynamic, DT_DEBUG));
    if (list == nullptr || !scratch) return 0;
    std::uint32_t found = 0;
    link_map entry{};
    const link_map* at = list->r_map;
    for (std::size_t seen = 0; at != nullptr && seen < most_loaded && read_entry(at, entry); ++seen) {
        found |= bit_of_loaded(entry.l_name, *scratch);
        at = entry.l_next;
    }
    return found;
}

// A setting that all of its versions look up.
constexpr std::string_view text_of_hdf5 = "HDF5_DISABLE_VERSION_CHECK";

// FLASH's, say, are called run_hdf5_chk_0001.
bool may_be_hdf5(std::string_view path)
{
    return is_named_as_hdf5(path) || path.find("hdf5") != std::string_view::npos;
}

bool has_files_of_hdf5()
{
    const Arena::Slots slots = arena.known_slots();
    for (const auto& slot : slots) {
        const std::uint32_t at = slot.load(std::memory_order_acquire) & ~files::some_of_id;
        if (at == 0) continue;
        const auto* const name = arena.at<NameChunk>(at);
        if (may_be_hdf5({name->path, name->length})) return true;
    }
    return false;
}

// Linked into the executable, from where no call can be intercepted. Its texts are in memory: some MiB are
// gone through, where there are such files.
bool has_hdf5_inside(const Executable& program)
{
    if (!has_files_of_hdf5()) return false;
    for (const ElfW(Phdr) & part : program.headers) {
        if (part.p_type != PT_LOAD || (part.p_flags & PF_R) == 0 || (part.p_flags & PF_W) != 0) continue;
        if (memmem(reinterpret_cast<const char*>(program.base + part.p_vaddr), part.p_filesz,
                   text_of_hdf5.data(), text_of_hdf5.size()) != nullptr)
            return true;
    }
    return false;
}

}  // namespace

void note_libraries()
{
    if (is_confined() || !is_own_part() || arena.header().libraries != 0) return;
    const Executable program = find_executable();
    if (program.dynamic == nullptr) return;
    const std::uint32_t found = linked_to(program) | loaded_by(program);
    FixedText<256> text;
    std::uint32_t bit = 1;
    for (const Library& library : known_libraries) {
        if ((found & bit) != 0)
            text << (text.view().empty() ? "" : " ") << library.begins.substr(0, library.begins.find('.'));
        bit <<= 1;
    }
    if (text.view().find("libhdf5") == std::string_view::npos && has_hdf5_inside(program))
        text << (text.view().empty() ? "" : " ") << hdf5_inside;
    arena.header().libraries = arena.add_text(text.view());
}

}  // namespace fathom
