// Reads the header, whichever of its layouts the log has.
#include "parsers/darshan/header.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "logformat/log/log.h"
#include "parsers/darshan/words.h"

namespace fathom::darshan {
namespace {

// Where the header's fields are.
struct HeaderLayout {
    std::size_t bytes, partial, partial_bytes, names, modules, versions, slots;
};
constexpr std::size_t compression_at = 16, most_header_bytes = 1328;
constexpr HeaderLayout layout_of_41 = {1328, 24, 8, 32, 48, 1072, 64};
constexpr HeaderLayout layout_before = {360, 20, 4, 24, 40, 296, 16};

struct Version {
    std::string_view name;
    const HeaderLayout& layout;
    // Modules that its slots do not have; those after them come one slot earlier.
    std::array<Module, 2> without;
};
constexpr Version versions[] = {
    {"3.00", layout_before, {Module::h5d, Module::pnetcdf_var}},
    {"3.10", layout_before, {Module::h5d, Module::pnetcdf_var}},
    {"3.20", layout_before, {Module::none, Module::pnetcdf_var}},
    {"3.21", layout_before, {Module::none, Module::pnetcdf_var}},
    {"3.41", layout_of_41, {Module::none, Module::none}},
};

Module module_in(const Version& version, std::size_t slot)
{
    for (const Module absent : version.without)
        if (absent != Module::none && slot >= static_cast<std::size_t>(absent)) ++slot;
    return slot < known_modules ? static_cast<Module>(slot) : Module::none;
}

const Version& version_of(const Source& source, std::string_view name)
{
    const auto found = std::find_if(std::begin(versions), std::end(versions),
                                    [&](const Version& version) { return version.name == name; });
    if (found != std::end(versions)) return *found;
    std::string shown;
    for (const char c : name) shown += c > ' ' && c < 127 ? c : '?';
    throw LogError(
        fmt::format("{}: a Darshan log of format \"{}\"; fathom reads formats 3.00 to 3.41, of "
                    "Darshan 3.0 to 3.5",
                    source.path(), shown));
}

}  // namespace

Header read_header(const Source& source)
{
    std::array<std::byte, most_header_bytes> bytes{};
    const std::size_t got = source.read(0, bytes);
    Header header;
    const auto is_magic = [&](bool swapped) {
        return load_number<std::int64_t>(bytes.data() + magic_offset, swapped) == magic;
    };
    if (got < magic_offset + sizeof magic || (!is_magic(false) && !is_magic(true)))
        throw LogError(fmt::format("{}: this is no log of Darshan: its mark is missing at byte {}",
                                   source.path(), magic_offset));
    header.swapped = !is_magic(false);
    const char* const text = reinterpret_cast<const char*>(bytes.data());
    header.version.assign(text, std::find(text, text + magic_offset, '\0'));
    const Version& version = version_of(source, header.version);
    const HeaderLayout& layout = version.layout;
    if (got < layout.bytes)
        throw LogError(
            fmt::format("{}: the file ends at byte {}, in the middle of the header of {} bytes; "
                        "copy it anew",
                        source.path(), got, layout.bytes));
    header.bytes = layout.bytes;
    header.short_job = header.sized_names = false;
    header.short_job = layout.slots == layout_before.slots;
    header.sized_names = header.version == "3.00";

    const auto packed_by = load_number<std::uint8_t>(bytes.data() + compression_at, header.swapped);
    if (packed_by > 2)
        throw LogError(fmt::format("{}: damaged at byte {}: compression {} is not known", source.path(),
                                   compression_at, packed_by));
    header.compression = static_cast<Compression>(packed_by);
    const std::uint64_t partial =
        layout.partial_bytes == 8 ? load_number<std::uint64_t>(bytes.data() + layout.partial, header.swapped)
                                  : load_number<std::uint32_t>(bytes.data() + layout.partial, header.swapped);
    const auto region_at = [&](std::size_t at) {
        return Region{load_number<std::uint64_t>(bytes.data() + at, header.swapped),
                      load_number<std::uint64_t>(bytes.data() + at + 8, header.swapped)};
    };
    const auto check = [&](std::string_view what, const Region& region) {
        if (region.length > source.size() || region.offset > source.size() - region.length)
            header.problems.push_back(
                fmt::format("{}: {} bytes from byte {} on reach beyond the end of the file at byte {}", what,
                            region.length, region.offset, source.size()));
    };
    header.names = region_at(layout.names);
    if (header.names.length > 0) check("the names of the files", header.names);
    std::uint64_t job_end = header.names.length > 0 ? header.names.offset : source.size();
    for (std::size_t slot = 0; slot < layout.slots; ++slot) {
        const Region region = region_at(layout.modules + slot * 16);
        if (region.length == 0) continue;
        ModuleRegion module;
        module.module = module_in(version, slot);
        module.slot = module.module == Module::none ? slot : static_cast<std::size_t>(module.module);
        module.region = region;
        module.version =
            load_number<std::uint32_t>(bytes.data() + layout.versions + slot * 4, header.swapped);
        module.partial = (partial >> slot & 1) != 0;
        check(module.module == Module::none ? fmt::format("module {}", slot)
                                            : std::string(name_of(module.module)),
              region);
        header.modules.push_back(module);
        if (header.names.length == 0) job_end = std::min(job_end, region.offset);
    }
    job_end = std::min(job_end, source.size());
    header.job = {header.bytes, job_end > header.bytes ? job_end - header.bytes : 0};
    return header;
}

}  // namespace fathom::darshan
