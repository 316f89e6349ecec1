// Reads the environment.
#include "libinterpose/settings.h"

#include <cstdlib>

namespace fathom {
namespace {

constinit Settings the_settings;
constinit bool have_read = false;

template <class Text>
void read_text(const char* name, Text& to)
{
    if (const char* const value = std::getenv(name)) to << std::string_view(value);
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
    the_settings.every_rank = std::getenv("FATHOM_EVERY_RANK") != nullptr;
    the_settings.inside = std::getenv("FATHOM_INSIDE") != nullptr;
    the_settings.collected = std::getenv("FATHOM_COLLECT") != nullptr;
    if (const char* const kib = std::getenv("FATHOM_ARENA_KIB")) {
        std::size_t value = 0;
        for (const char* at = kib; *at >= '0' && *at <= '9' && value < (1u << 21); ++at)
            value = value * 10 + static_cast<std::size_t>(*at - '0');
        // A part's offsets are 32 bits wide; below the smallest size nothing useful fits.
        if (value >= 256 && value <= (2u << 20)) the_settings.arena_bytes = value << 10;
    }
    return the_settings;
}

}  // namespace fathom
