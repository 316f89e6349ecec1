// Small independent reads and writes of datasets that ranks share, where collective ones would be put
// together.
#include "analyzer/findings/independent_datasets.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/dataset_words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_alone = 200, small_on_average = 1 << 20;

struct IndependentCalls {
    std::uint64_t calls = 0, bytes = 0, collective = 0;
};

// Independent calls in one direction.
IndependentCalls independent_calls(const DatasetCounters& of, Direction direction)
{
    const bool reads = direction == Direction::read;
    const std::uint64_t calls = reads ? of.reads : of.writes,
                        together = reads ? of.collective_reads : of.collective_writes,
                        later = reads ? of.nonblocking_reads : of.nonblocking_writes,
                        bytes = reads ? of.bytes_read : of.bytes_written;
    const std::uint64_t rest = calls - std::min(calls, together + later);
    if (rest == 0 || bytes / calls >= small_on_average) return {0, 0, together};
    return {rest,
            static_cast<std::uint64_t>(static_cast<double>(bytes) * static_cast<double>(rest) /
                                       static_cast<double>(calls)),
            together};
}

double spared_together(const Scene& scene, const DatasetRecord& record, Direction direction)
{
    const IndependentCalls of = independent_calls(record, direction);
    if (of.calls == 0) return 0;
    const bool reads = direction == Direction::read;
    const auto beneath = static_cast<double>(reads ? record.read_time_beneath : record.write_time_beneath);
    const double part =
        static_cast<double>(of.calls) / static_cast<double>(reads ? record.reads : record.writes);
    return std::max(part * beneath - static_cast<double>(of.bytes) * scene.reference(direction).ns_per_byte,
                    0.0);
}

constexpr Remedy together_in_hdf5[] = {
    {Language::netcdf,
     "Have all ranks make the call together; those that have nothing give counts of 0. In Fortran it is "
     "nf90_var_par_access:",
     {"nc_var_par_access(file, variable, NC_COLLECTIVE);"}},
    {Language::c,
     "Have all ranks make the call together, with this list of properties; those that have nothing select "
     "nothing (H5Sselect_none). In Fortran it is h5pset_dxpl_mpio_f:",
     {"hid_t transfer = H5Pcreate(H5P_DATASET_XFER);", "H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);"}},
    {Language::python,
     "Have all ranks make the call together:",
     {"with dataset.collective:", "    dataset[first:last] = part"}},
    netcdf4_together,
    {Language::packaged, "Look for an option of PROGRAM that has its ranks read and write collectively."},
};
constexpr Remedy at_once_in_hdf5[] = {
    {Language::netcdf,
     "Move all that a rank has by one call, which all ranks make together (a collective call for each small "
     "piece takes longer still); pieces at even distances go by nc_put_vars_double. In Fortran it is "
     "stride= of nf90_put_var:",
     {"nc_var_par_access(file, variable, NC_COLLECTIVE);",
      "nc_put_vars_double(file, variable, start, count, stride, data);"}},
    {Language::c,
     "Move all that a rank has by one call, which all ranks make together (a collective call for each small "
     "piece takes longer still): a selection takes pieces that lie apart; many small datasets can be "
     "one with one more dimension:",
     {"H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);",
      "H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);",
      "H5Dwrite(dataset, type, memory, space, transfer, data);"}},
    {Language::python,
     "Move all that a rank has by one call, which all ranks make together (a collective call for each small "
     "piece takes longer still); a step takes pieces that lie apart:",
     {"with dataset.collective:", "    dataset[first::step] = part"}},
    {Language::netcdf4,
     "Move all that a rank has by one call, which all ranks make together (a collective call for each small "
     "piece takes longer still); a step takes pieces that lie apart:",
     {"variable.set_collective(True)", "variable[first::step] = part"}},
    {Language::packaged, "Look for an option of PROGRAM that has its ranks move more at a time."},
};
constexpr Remedy at_once_in_pnetcdf[] = {
    {Language::c,
     "Move all that a rank has by one call of all ranks; pieces that lie apart go by ncmpi_put_vars or "
     "ncmpi_put_varn:",
     {"ncmpi_put_vars_double_all(file, variable, start, count, stride, data);"}},
    {Language::packaged, "Look for an option of PROGRAM that has its ranks move more at a time."},
};
constexpr Remedy together_in_pnetcdf[] = {
    {Language::c,
     "Have all ranks make the call together, the function whose name ends in _all. In Fortran it is "
     "nf90mpi_put_var_all:",
     {"ncmpi_put_vara_double_all(file, variable, start, count, data);"}},
    {Language::packaged, "Look for an option of PROGRAM that has its ranks read and write collectively."},
};

// Code that writes, as code that reads.
void turn_to_reads(std::vector<Advice>& advice)
{
    constexpr std::pair<std::string_view, std::string_view> names[] = {{"H5Dwrite", "H5Dread"},
                                                                       {"nc_put_", "nc_get_"},
                                                                       {"ncmpi_put_", "ncmpi_get_"},
                                                                       {"nf90_put_", "nf90_get_"},
                                                                       {"nf90mpi_put_", "nf90mpi_get_"}};
    for (const auto& [write, read] : names) put_in(advice, write, read);
    constexpr std::string_view assigned = " = part";
    for (Advice& one : advice)
        for (std::string& line : one.lines) {
            if (!line.ends_with(assigned)) continue;
            line.resize(line.size() - assigned.size());
            line.insert(std::min(line.find_first_not_of(' '), line.size()), "part = ");
        }
}

}  // namespace

std::vector<Advice> advice_to_move_at_once(const AdvisedProgram& program, bool pnetcdf)
{
    return pnetcdf ? advice_in(program, at_once_in_pnetcdf) : advice_in(program, at_once_in_hdf5);
}

MaybeFinding independent_datasets(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<DatasetUse> most;
    IndependentCalls sum;
    bool reads = false, writes = false;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        if (!one.own || one.sums.mpiio_reads + one.sums.mpiio_writes == 0) continue;
        std::uint64_t processes = 0;
        for (const DatasetRecord* const record : one.records)
            processes += record->process == reduced ? std::max(record->readers, record->writers)
                                                    : record->reads + record->writes > 0;
        if (processes < 2) continue;
        const double before = lost.total();
        for (const Direction direction : directions) {
            const IndependentCalls of = independent_calls(one.sums, direction);
            sum.calls += of.calls;
            sum.bytes += of.bytes;
            sum.collective += of.collective;
            (direction == Direction::read ? reads : writes) |= of.calls > 0;
            for (const DatasetRecord* const record : one.records)
                lost.add(owner_of(*record), spared_together(scene, *record, direction));
        }
        most.add(one, lost.total() - before);
    }
    if (most.use == nullptr || sum.calls < few_alone) return {};
    const DatasetUse& one = *most.use;
    const bool pnetcdf = one.sums.library == static_cast<std::uint64_t>(DataLibrary::pnetcdf);
    Finding finding;
    finding.title = fmt::format("{}{}: {} independent {} of {} on average", called(one),
                                and_others(most.number), format_count(sum.calls),
                                !reads    ? "writes"
                                : !writes ? "reads"
                                          : "reads and writes",
                                format_bytes(sum.bytes / sum.calls));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_basis = fmt::format("their time in MPI-IO beyond what the bytes would have taken {}",
                                     scene.reference(Direction::write).words);
    finding.confidence = Confidence::medium;
    finding.evidence = {{"independent", "independent calls", count(sum.calls),
                         fmt::format("and {} collective ones", format_count(sum.collective))},
                        {"mean_size", "mean size", bytes(sum.bytes / sum.calls), ""},
                        {"file", "most time in", path(one.container), ""}};
    finding.why =
        "Each goes to the file system as it is. Collective calls have a few ranks put the pieces of all "
        "into large requests.";
    finding.doubt =
        "Ranks that do not come to these calls at the same time: waiting for each other may cost more.";
    const auto use = std::find_if(scene.job.files.begin(), scene.job.files.end(),
                                  [&](const FileUse& file) { return file.file == one.sums.container; });
    // Together they wait for a slow link as long.
    constexpr double much_remains = 0.8;
    const double least = use == scene.job.files.end()
                             ? cost_of(finding)
                             : scene.beyond_slow_link(*use, cost_of(finding), static_cast<double>(sum.bytes));
    if (least <= 0) return {};
    if (least < much_remains * cost_of(finding)) {
        finding.cost_least = least;
        finding.cost_basis += "; at least beyond what they take over a link of 50 MiB/s";
    }
    if (use != scene.job.files.end() && on_own_disk(scene.job, *use)) {
        finding.confidence = Confidence::low;
        finding.doubt +=
            " On one node with a file system of its own, as here, passing the data between ranks may take as "
            "long as these requests: it is on parallel file systems, and with many nodes, that collective "
            "calls are quicker.";
    }
    const AdvisedProgram program = program_of(scene.job, lost, one.container);
    // Many that could be one: of which each takes as long, made together, as it does now.
    constexpr std::uint64_t many_each = 8;
    std::uint64_t processes = 0;
    for (const DatasetRecord* const record : one.records)
        processes += std::max<std::uint64_t>({record->readers, record->writers, 1});
    const bool many = one.calls() >= many_each * processes;
    finding.advice = many || sum.bytes / sum.calls < worth_a_call_together
                         ? advice_to_move_at_once(program, pnetcdf)
                     : pnetcdf ? advice_in(program, together_in_pnetcdf)
                               : advice_in(program, together_in_hdf5);
    if (!writes) turn_to_reads(finding.advice);
    if (auto lines = collective_buffering(scene.job); !lines.empty())
        finding.advice.push_back({"And have this MPI library put them together:", std::move(lines)});
    return Found(std::move(finding), lost);
}

}  // namespace fathom
