// Reads the environment.
#include "libinterpose/settings.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

// Where the kernel put the arguments: their number, they, a null, the environment. Of the dynamic linker.
extern "C" void* __libc_stack_end;

namespace fathom {
namespace {

constinit Settings the_settings;
constinit bool have_read = false;

// getenv, also while libc has no environment yet: the functions of an executable's preinit array come first.
const char* variable(const char* name)
{
    if (environ != nullptr) return std::getenv(name);
    auto* const start = static_cast<char**>(__libc_stack_end);
    const std::size_t length = std::strlen(name);
    for (char** at = start + 1 + *reinterpret_cast<long*>(start) + 1; *at != nullptr; ++at)
        if (std::strncmp(*at, name, length) == 0 && (*at)[length] == '=') return *at + length + 1;
    return nullptr;
}

template <class Text>
void read_text(const char* name, Text& to)
{
    if (const char* const value = variable(name)) to << std::string_view(value);
}

}  // namespace

const Settings& settings()
{
    if (have_read) return the_settings;
    have_read = true;
    read_text("FATHOM_SPOOL", the_settings.spool);
    read_text("FATHOM_OUTPUT", the_settings.output);
    read_text("FATHOM_LOGDIR", the_settings.log_folder);
    read_text("FATHOM_JOB", the_settings.job);
    read_text("FATHOM_STREAMS", the_settings.streams);
    read_text("FATHOM_RANKS", the_settings.ranks_folder);
    the_settings.every_rank = variable("FATHOM_EVERY_RANK") != nullptr;
    the_settings.inside = variable("FATHOM_INSIDE") != nullptr;
    the_settings.collected = variable("FATHOM_COLLECT") != nullptr;
    if (const char* const kib = variable("FATHOM_ARENA_KIB")) {
        std::size_t value = 0;
        for (const char* at = kib; *at >= '0' && *at <= '9' && value < (1u << 21); ++at)
            value = value * 10 + static_cast<std::size_t>(*at - '0');
        // A part's offsets are 32 bits wide; below the smallest size nothing useful fits.
        if (value >= 256 && value <= (2u << 20)) the_settings.arena_bytes = value << 10;
    }
    return the_settings;
}

}  // namespace fathom
