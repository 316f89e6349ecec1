// Sorts rows, and puts errors into words.
#include "analyzer/job/failed_paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "analyzer/job/mpi_files.h"

namespace fathom {
namespace {

std::string words_of(std::uint64_t error)
{
    constexpr std::uint64_t most = 4095;  // Linux has no larger ones
    if (error == 0 || error > most) return "not known";
    std::string words = std::generic_category().message(static_cast<int>(error));
    if (words.size() > 1 && words[1] >= 'a' && words[1] <= 'z' && words[0] >= 'A' && words[0] <= 'Z')
        words[0] = static_cast<char>(words[0] - 'A' + 'a');
    return words;
}

std::string shown(const FailedPath& row)
{
    return fmt::format("{}{}", row.path.starts_with('/') ? "" : "…", row.path);
}

}  // namespace

std::vector<FailedCalls> most_failed(const Log& log, std::size_t most)
{
    std::vector<const FailedPath*> rows;
    for (const FailedPath& row : log.rows<FailedPath>())
        if (row.certain() > 0 && !is_of_mpi_session(row.path)) rows.push_back(&row);
    std::sort(rows.begin(), rows.end(), [](const FailedPath* a, const FailedPath* b) {
        return a->certain() != b->certain() ? a->certain() > b->certain() : a->path < b->path;
    });
    rows.resize(std::min(rows.size(), most));
    std::vector<FailedCalls> calls;
    for (const FailedPath* const row : rows)
        calls.push_back({shown(*row), row->certain(), row->error > 0, words_of(row->cause)});
    return calls;
}

std::vector<std::string> some_of_many(const Log& log, std::size_t most)
{
    std::vector<const FailedPath*> rows;
    for (const FailedPath& row : log.rows<FailedPath>())
        if (row.error > row.certain() && !is_of_mpi_session(row.path)) rows.push_back(&row);
    std::sort(rows.begin(), rows.end(), [](const FailedPath* a, const FailedPath* b) {
        return a->error != b->error ? a->error > b->error : a->path < b->path;
    });
    rows.resize(std::min(rows.size(), most));
    std::vector<std::string> paths;
    for (const FailedPath* const row : rows) paths.push_back(shown(*row));
    return paths;
}

std::vector<SleptFor> most_slept_for(const Log& log, std::size_t most)
{
    std::vector<SleptFor> paths;
    for (const FailedPath& row : log.rows<FailedPath>())
        if (row.slept > 0) paths.push_back({shown(row), row.slept, row.cause});
    std::sort(paths.begin(), paths.end(), [](const SleptFor& a, const SleptFor& b) {
        return a.slept != b.slept ? a.slept > b.slept : a.path < b.path;
    });
    paths.resize(std::min(paths.size(), most));
    return paths;
}

}  // namespace fathom
