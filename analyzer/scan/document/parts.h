// What sections of a scan's document have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/scan/document/files.h"

namespace fathom::scan {

struct Holder {
    std::string name;  // as people know it
    std::string key;
    const Tally* tally = nullptr;
};

struct Material {
    const Scan& scan;
    const Scan* earlier;  // may be none
    By by;                // whose growth is shown, and who is taken out of the sizes
    std::size_t top;      // rows of a table

    const Tally& all() const { return scan.counts.all(); }
    // Those that hold anything, by bytes, the most first; of depths, by depth.
    std::vector<Holder> holders(By which) const;
};

// The name of a key: of a user, that in /etc/passwd where the scan was made.
std::string name_of_key(const Scan& scan, By by, const std::string& key);

// Of files as old as this or older: `days` is one of age_days.
Histogram::Cell older_than(const Tally& tally, Axis axis, std::uint32_t days);

// "64.0 KiB to 128 KiB": a size class, from its first size to the one that is too large.
std::string words_of_size_class(std::uint32_t place);

report::Cell share_cell(std::uint64_t part, std::uint64_t whole);

// Sections; docs/FILES.md says what each has.
report::Blocks held_section(const Material& material);
report::Blocks sizes_section(const Material& material);
report::Blocks access_section(const Material& material);
report::Blocks change_section(const Material& material);
report::Blocks sparse_section(const Material& material);
report::Blocks growth_section(const Material& material);
report::Blocks whole_section(const Material& material);
report::Blocks breakdown_section(const Material& material, By by);

}  // namespace fathom::scan
