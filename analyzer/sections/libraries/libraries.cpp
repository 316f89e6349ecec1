// What HDF5 and PnetCDF were asked for: files, datasets and variables, in logs of tools that count there.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/sections/libraries/library_sums.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

std::string title_of(std::string_view library)
{
    const struct {
        std::string_view library, title;
    } titles[] = {{"H5F", "HDF5 files"},
                  {"H5D", "HDF5 datasets"},
                  {"PNETCDF_FILE", "PnetCDF files"},
                  {"PNETCDF_VAR", "PnetCDF variables"}};
    for (const auto& known : titles)
        if (known.library == library) return std::string(known.title);
    return std::string(library);
}

bool moves_data(std::string_view library)
{
    return library != "H5F" && library != "PNETCDF_FILE";
}

// How many of its reads and writes were collective; HDF5 shows only for which datasets some were.
std::string collective_words(std::string_view library, const LibrarySum& sum)
{
    if (library == "H5D")
        return sum.reads + sum.writes == 0 ? ""
               : sum.collective_objects == 0
                   ? "none"
                   : fmt::format("in {}", counted(sum.collective_objects, "dataset", "datasets"));
    if (library == "H5F")
        return sum.with_mpiio == 0 ? ""
                                   : fmt::format("{} by MPI-IO", counted(sum.with_mpiio, "file", "files"));
    const std::uint64_t all = sum.reads + sum.writes;
    return all == 0 ? "" : format_share(static_cast<double>(sum.collective) / static_cast<double>(all));
}

DataTable overview(const LibrarySums& sums)
{
    DataTable table{.id = "libraries"};
    table.columns = {{"library", "what", Measure::text},           {"number", "number", Measure::count},
                     {"opens", "opens", Measure::count},           {"reads", "reads", Measure::count},
                     {"writes", "writes", Measure::count},         {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes}, {"time", "time", Measure::seconds},
                     {"collective", "collective", Measure::text}};
    for (const auto& [library, objects] : sums) {
        LibrarySum sum;
        for (const auto& [object, one] : objects) merge(sum, one);
        const bool data = moves_data(library);
        const std::string collective = collective_words(library, sum);
        const bool has_bytes = data || sum.bytes_read + sum.bytes_written > 0;
        table.rows.push_back({text(title_of(library)), count(objects.size()), count(sum.opens),
                              data ? count(sum.reads) : unknown(Measure::count),
                              data ? count(sum.writes) : unknown(Measure::count),
                              has_bytes ? bytes(sum.bytes_read) : unknown(Measure::bytes),
                              has_bytes ? bytes(sum.bytes_written) : unknown(Measure::bytes),
                              seconds(sum.time()), collective.empty() ? unknown() : text(collective)});
    }
    table.remark =
        "Time is summed over all ranks; what goes on beneath, in MPI-IO and POSIX, is part of it and is in "
        "the other sections.";
    return table;
}

DataTable object_table(const Job& job, std::string_view library, const LibraryObjects& objects,
                       std::size_t most)
{
    std::unordered_map<std::uint64_t, std::string_view> names;
    for (const FileName& name : job.log.rows<FileName>()) names.try_emplace(name.file, name.path);
    std::vector<std::pair<std::string_view, const LibrarySum*>> sorted;
    for (const auto& [object, sum] : objects) {
        const auto found = names.find(object);
        sorted.emplace_back(found == names.end() ? std::string_view("(name lost)") : found->second, &sum);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second->time() != b.second->time() ? a.second->time() > b.second->time() : a.first < b.first;
    });
    DataTable table{.id = fmt::format("library_{}", library == "H5D" ? "datasets" : "variables"),
                    .title = fmt::format("{} with most time", title_of(library))};
    table.columns = {{"name", "name", Measure::path},
                     {"reads", "reads", Measure::count},
                     {"writes", "writes", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"time", "time", Measure::seconds},
                     {"collective", "collective", Measure::text}};
    for (std::size_t at = 0; at < std::min(most, sorted.size()); ++at) {
        const auto& [name, sum] = sorted[at];
        const std::string collective =
            library == "H5D" ? (sum->collective_objects > 0 ? "yes" : "no") : collective_words(library, *sum);
        table.rows.push_back({path(name), count(sum->reads), count(sum->writes), bytes(sum->bytes_read),
                              bytes(sum->bytes_written), seconds(sum->time()),
                              collective.empty() ? unknown() : text(collective)});
    }
    if (sorted.size() > table.rows.size())
        table.remark = fmt::format("{} more are not shown.", format_count(sorted.size() - table.rows.size()));
    return table;
}

std::string class_name(std::size_t at)
{
    const auto& bounds = SizeHistogram::upper_bounds;
    if (at == bounds.size()) return "over " + format_bytes(bounds.back());
    return (at == 0 ? "up to " : "to ") + format_bytes(bounds[at]);
}

Chart sizes_of(std::string_view library, const LibraryObjects& objects)
{
    LibrarySum sum;
    for (const auto& [object, one] : objects) merge(sum, one);
    Chart chart{.id = fmt::format("library_sizes_{}", library == "H5D" ? "datasets" : "variables"),
                .title = fmt::format("{}: reads and writes by size", title_of(library)),
                .category_heading = "size",
                .series = {{"reads", {}}, {"writes", {}}}};
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        chart.categories.push_back(class_name(at));
        chart.series[0].values.push_back(static_cast<double>(sum.read_size.count[at]));
        chart.series[1].values.push_back(static_cast<double>(sum.write_size.count[at]));
    }
    return chart;
}

}  // namespace

Blocks libraries(const Job& job, const SectionChoice& choice)
{
    const LibrarySums sums = library_sums_of(job.log);
    Blocks blocks = {overview(sums)};
    for (const auto& [library, objects] : sums) {
        if (!moves_data(library)) continue;
        blocks.push_back(object_table(job, library, objects, choice.files));
        const bool any = std::any_of(objects.begin(), objects.end(), [](const auto& one) {
            return one.second.reads + one.second.writes > 0;
        });
        if (any) blocks.push_back(sizes_of(library, objects));
    }
    return blocks;
}

}  // namespace fathom
