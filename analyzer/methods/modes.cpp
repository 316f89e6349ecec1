// Sorts files by who moved their data and sums each kind.
#include "analyzer/methods/modes.h"

#include <algorithm>
#include <unordered_set>

namespace fathom {

FileClass file_class(std::uint64_t movers, std::uint64_t ranks)
{
    if (movers == 0) return FileClass::none;
    if (movers == 1) return FileClass::unique;
    return movers < ranks ? FileClass::partly_shared : FileClass::shared;
}

Mode ModeStudy::mode_of(const FileData& file) const
{
    if (file.bytes == 0) return Mode::none;
    if (movers <= 1) return Mode::one_to_one;
    switch (file_class(file.movers, ranks)) {
        case FileClass::none:
            return Mode::none;
        case FileClass::shared:
            return Mode::n_to_1;
        case FileClass::partly_shared:
            return Mode::n_to_m;
        case FileClass::unique:
            break;
    }
    // Among files of one rank each it matters how many ranks have some: all, several, or one that works
    // alone.
    const std::uint64_t having_some = owners[file.aggregated ? 1 : 0];
    if (having_some == 1) return Mode::one_to_one;
    return having_some >= ranks ? Mode::n_to_n : Mode::n_to_m;
}

ModeStudy study_modes(std::span<const FileData> files, std::uint64_t movers, std::uint64_t ranks)
{
    ModeStudy study{.ranks = ranks, .movers = movers};
    std::array<std::unordered_set<std::int64_t>, 2> owners;
    for (const FileData& file : files)
        if (file.bytes > 0 && file.movers == 1) owners[file.aggregated ? 1 : 0].insert(file.only_mover);
    study.owners = {owners[0].size(), owners[1].size()};
    for (const FileData& file : files) {
        if (file.bytes == 0) continue;
        const auto add = [&](FilesAndBytes& to) {
            ++to.files;
            to.bytes += file.bytes;
        };
        add(study.by_mode[static_cast<std::size_t>(study.mode_of(file))]);
        add(study.by_class[static_cast<std::size_t>(file_class(file.movers, ranks))]);
    }
    const auto most = std::max_element(study.by_mode.begin(), study.by_mode.end(),
                                       [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    if (most->bytes > 0) study.mode = static_cast<Mode>(most - study.by_mode.begin());
    return study;
}

}  // namespace fathom
