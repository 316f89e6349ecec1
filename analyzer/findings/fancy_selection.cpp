// A list of places in h5py, which makes a selection of HDF5 of them one by one: each is joined with all
// before.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// Of a call, so many rows and more.
constexpr double many_rows = 1000;
// ns for each row and each row before it (h5py 3.7 with HDF5 1.10): by where they lie.
constexpr double joined_least = 8, joined_most = 25;

// Bytes of all that lies in one place of the slowest dimension; 0: not known.
double row_bytes(const DatasetCounters& dataset)
{
    if (dataset.dimensions.rank == 0 || dataset.dimensions.rank > Extents::most) return 0;
    auto row = static_cast<double>(dataset.element_bytes);
    for (std::size_t at = 1; at < dataset.dimensions.rank; ++at)
        row *= static_cast<double>(dataset.dimensions.extent[at]);
    return row;
}

// Rows that each call without a pattern took, if all reads, all writes, or all of both are such calls.
double rows_of_call(const DatasetCounters& dataset)
{
    const double row = row_bytes(dataset);
    if (dataset.irregular == 0 || row <= 0) return 0;
    const auto calls = static_cast<double>(dataset.irregular);
    const double bytes = dataset.irregular == dataset.reads    ? static_cast<double>(dataset.bytes_read)
                         : dataset.irregular == dataset.writes ? static_cast<double>(dataset.bytes_written)
                         : dataset.irregular == dataset.reads + dataset.writes
                             ? static_cast<double>(dataset.bytes_read + dataset.bytes_written)
                             : 0;
    return bytes / row / calls;
}

constexpr Remedy place_list_remedies[] = {
    {Language::h5py,
     "Read the range in which they lie, and pick from the array:",
     {"array = dataset[rows.min():rows.max() + 1]", "part = array[rows - rows.min()]"}},
};

}  // namespace

MaybeFinding fancy_selection(const Scene& scene)
{
    LostTime least(scene.job), joined(scene.job);
    MostLost<DatasetUse> most;
    double calls = 0, rows = 0;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        if (!one.own || !one.is_one() || one.sums.library != static_cast<std::uint64_t>(DataLibrary::hdf5))
            continue;
        const double before = joined.total();
        for (const DatasetRecord* const record : one.records) {
            const double of_call = rows_of_call(*record);
            if (of_call < many_rows) continue;
            const auto of_record = static_cast<double>(record->irregular);
            least.add(owner_of(*record), of_record * of_call * of_call * joined_least * scene.stretched);
            joined.add(owner_of(*record), of_record * of_call * of_call * joined_most * scene.stretched);
            calls += of_record;
            rows = std::max(rows, of_call);
        }
        most.add(one, joined.total() - before);
    }
    if (most.use == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, joined, most.use->container);
    if (program.language != Language::h5py) return {};
    Finding finding;
    finding.title = fmt::format("dataset {}: {} of up to {} rows by a list of indices", most.use->name,
                                counted(static_cast<std::uint64_t>(calls), "selection", "selections"),
                                format_count(static_cast<std::uint64_t>(rows)));
    finding.cost = seconds(std::min(scene.cost_beyond_io(joined), scene.run));
    finding.cost_least = std::min(scene.cost_beyond_io(least), scene.run);
    finding.cost_basis = fmt::format(
        "assumed: {:.0f} to {:.0f} ns for each row and each row before it in the list, no more than the "
        "process computed",
        joined_least, joined_most);
    finding.confidence = Confidence::medium;
    finding.evidence = {{"calls", "calls by such a list", count(static_cast<std::uint64_t>(calls)), ""},
                        {"rows", "rows of a call", count(static_cast<std::uint64_t>(rows)), "at most"},
                        {"dataset", "most of it in", path(std::string(most.use->path)), ""}};
    finding.why =
        "h5py gives each place to HDF5 by itself, which joins it with all those before: twice as many take "
        "four times as long.";
    finding.doubt = "A dataset that does not fit into memory: then read it in large slices.";
    finding.advice = advice_in(program, place_list_remedies);
    Found found(std::move(finding), joined);
    found.dataset = most.use;
    return found;
}

}  // namespace fathom
