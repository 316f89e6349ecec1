// What the notes of an executable say.
#include "libinterpose/recording/executable.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <string_view>
#include <vector>

using namespace fathom;

namespace {

// An executable whose only part is one of notes.
struct Made {
    std::vector<unsigned char> notes;
    std::array<ElfW(Phdr), 2> headers{};

    void add(std::uint32_t kind, std::string_view owner, std::string_view text)
    {
        const ElfW(Nhdr)
            note{static_cast<ElfW(Word)>(owner.size()), static_cast<ElfW(Word)>(text.size()), kind};
        const auto append = [&](const void* from, std::size_t size) {
            const auto* const bytes = static_cast<const unsigned char*>(from);
            notes.insert(notes.end(), bytes, bytes + size);
            notes.resize((notes.size() + 3) / 4 * 4);
        };
        append(&note, sizeof note);
        append(owner.data(), owner.size());
        append(text.data(), text.size());
    }
    Executable executable()
    {
        for (ElfW(Phdr) & header : headers) header.p_filesz = header.p_memsz = notes.size();
        headers[0].p_type = PT_LOAD;
        headers[1].p_type = PT_NOTE;
        return {.headers = headers, .base = reinterpret_cast<std::uintptr_t>(notes.data())};
    }
};

using namespace std::literals;

}  // namespace

TEST_CASE("executable: the linker of Go leaves a note of its own, beside a build id")
{
    Made of_c;
    of_c.add(NT_GNU_BUILD_ID, "GNU\0"sv, "0123456789abcdef0123");
    CHECK_FALSE(is_made_by_go(of_c.executable()));
    CHECK(build_id(of_c.executable()).size() == 20);
    Made of_go;
    of_go.add(NT_GNU_BUILD_ID, "GNU\0"sv, "0123");
    of_go.add(4, "Go\0\0"sv, "an id of Go's");
    CHECK(is_made_by_go(of_go.executable()));
    CHECK(build_id(of_go.executable()).size() == 4);
    Made other;
    other.add(4, "Gopher\0"sv, "x");
    CHECK_FALSE(is_made_by_go(other.executable()));
}
