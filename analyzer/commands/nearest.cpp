// Edit distance with transpositions of neighbours: three rows of the table are enough.
#include "analyzer/commands/nearest.h"

#include <algorithm>
#include <vector>

namespace fathom {

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
    for (std::size_t at = 0; at <= b.size(); ++at) row[at] = at;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = above;
        above = row;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = a[i - 1] == b[j - 1];
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> known)
{
    // One wrong letter in three; of short words one.
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::string found;
    for (const std::string& one : known)
        if (const std::size_t distance = edit_distance(word, one); distance < least) {
            least = distance;
            found = one;
        }
    if (!found.empty() || word.find_first_not_of('-') == std::string_view::npos) return found;
    const auto begins_so = [&](const std::string& one) { return one.starts_with(word); };
    if (std::count_if(known.begin(), known.end(), begins_so) == 1)
        found = *std::find_if(known.begin(), known.end(), begins_so);
    return found;
}

}  // namespace fathom
