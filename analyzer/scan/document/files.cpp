// The table of sections.
#include "analyzer/scan/document/files.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/scan/document/parts.h"

namespace fathom::scan {
namespace {

using namespace report;

struct FilesSection {
    std::string_view id, title;
    Blocks (*make)(const Material& material);
    bool of_growth;
    std::string_view definition;  // and where it comes from; empty: the section says it
};

template <By by>
Blocks by_section(const Material& material)
{
    return breakdown_section(material, by);
}

constexpr FilesSection files_sections[] = {
    {"held", "What is held", held_section, false, {}},
    {"growth", "Growth", growth_section, true,
     "Usage is the sum of the sizes of regular files, as programs see them; change is what came to what was "
     "there "
     "before. Source: Carns et al. 2011, table V."},
    {"sizes", "File sizes", sizes_section, false,
     "Regular files by size, as programs see it, in powers of two: a class begins with its first size and "
     "ends before "
     "its second. Source: Carns et al. 2011, figure 8."},
    {"access", "Time since the last access", access_section, false,
     "Age is from a file's access time to the beginning of the scan. Where file systems are mounted with "
     "relatime, that "
     "time is up to a day too old, with noatime it stays. Source: Carns et al. 2011, figure 9a."},
    {"change", "Time since the last change", change_section, false,
     "Age is from a file's modification time to the beginning of the scan. Source: Carns et al. 2011, figure "
     "9b."},
    {"users", "By user", by_section<By::user>, false, {}},
    {"groups", "By group", by_section<By::group>, false, {}},
    {"projects", "By project", by_section<By::project>, false, {}},
    {"tops", "By top directory", by_section<By::top>, false, {}},
    {"suffixes", "By suffix", by_section<By::suffix>, false, {}},
    {"depths", "By depth", by_section<By::depth>, false, {}},
    {"sparse", "Sparse files and hard links", sparse_section, false, {}},
    {"whole", "What was scanned", whole_section, false, {}},
};

std::string words_of_roots(const Scan& scan)
{
    std::string words;
    for (const std::string& root : scan.asked.roots) words += (words.empty() ? "" : ", ") + root;
    return words;
}

}  // namespace

Document files_document(const Scan& scan, const Scan* earlier, const FilesChoice& choice)
{
    const By usual = scan.asked.projects.empty() ? By::group : By::project;
    const Material material{scan, earlier, choice.by.value_or(usual), choice.top};
    Document document;
    document.title = "Files below " + words_of_roots(scan);
    document.subtitle =
        fmt::format("scanned {}{}", format_instant(static_cast<std::uint64_t>(scan.began) * 1'000'000'000),
                    scan.has_ended && scan.counts.troubles.is_whole() ? "" : "; not whole");
    for (const FilesSection& row : files_sections) {
        if (row.of_growth && earlier == nullptr) continue;
        if (row.make == by_section<By::project> && scan.asked.projects.empty()) continue;
        Section section{std::string(row.id), std::string(row.title), row.make(material)};
        if (!row.definition.empty())
            section.blocks.push_back(Paragraph{fmt::format("Definition: {}", row.definition)});
        document.sections.push_back(std::move(section));
    }
    return document;
}

}  // namespace fathom::scan
