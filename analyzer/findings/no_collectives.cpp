// Small independent MPI-IO on files that ranks share, where collective calls would put the requests together.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/advice_on_reads.h"
#include "analyzer/findings/independent_datasets.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_independent = 200, small_transfer = 1 << 20, memory_page = 4096;

struct Independent {
    std::uint64_t calls = 0, collective = 0, bytes = 0;
    double excess = 0, least = 0;  // ns
    LostTime lost;
    const FileCase* most = nullptr;
    double excess_of_most = 0;
    bool writes = false, in_pieces = false;  // in_pieces: by file views
    std::uint64_t by_shared_pointer = 0;
};

// Whether each rank goes through a part of its own, as far as the requests beneath show: a collective call
// would pass data about that are together already.
bool is_in_order(const FileCase& file, bool writes)
{
    constexpr double nearly_all = 0.95;
    double requests = 0, in_order = 0;
    for (const RecordView& record : file.records) {
        if (record.layer != Layer::posix) continue;
        requests += static_cast<double>(writes ? record[&Transfers::writes] : record[&Transfers::reads]);
        in_order += static_cast<double>(writes ? record[&Pattern::consecutive_writes]
                                               : record[&Pattern::consecutive_reads]);
    }
    return requests > 0 && in_order >= nearly_all * requests;
}

// How many pieces the calls of one direction become beneath, by file views that have gaps.
std::uint64_t pieces_beneath(const FileCase& file, Direction direction)
{
    std::uint64_t pieces = 0, views = 0;
    for (const RecordView& record : file.records) {
        if (record.layer == Layer::mpiio) views += record[&MpiioRecord::views];
        if (record.layer == Layer::posix)
            pieces += direction == Direction::read ? record[&Transfers::reads] : record[&Transfers::writes];
    }
    return views > 0 ? pieces : 0;
}

// One direction of one record.
void add(Independent& sum, const Scene& scene, const FileCase& file, const RecordView& view,
         Direction direction)
{
    const bool reads = direction == Direction::read;
    const std::uint64_t calls = reads ? view[&MpiioRecord::reads] : view[&MpiioRecord::writes],
                        together =
                            reads ? view[&MpiioRecord::collective_reads] + view[&MpiioRecord::split_reads]
                                  : view[&MpiioRecord::collective_writes] + view[&MpiioRecord::split_writes],
                        bytes = reads ? view[&MpiioRecord::bytes_read] : view[&MpiioRecord::bytes_written];
    sum.collective += together;
    // Independent calls through a view: each of its pieces is a request. Beside a rank's own record those of
    // other ranks are among them.
    constexpr std::uint64_t many_a_call = 10;
    const std::uint64_t pieces =
        together == 0 && view.process == reduced ? pieces_beneath(file, direction) : 0;
    const bool in_pieces = calls > 0 && pieces >= many_a_call * calls;
    const std::uint64_t alone = in_pieces ? pieces : calls - std::min(together, calls);
    if (alone == 0 || bytes / std::max(calls, alone) >= small_transfer) return;
    const auto time =
        static_cast<double>(reads ? view[&MpiioRecord::read_time]
                                  : view[&MpiioRecord::write_time] - view[&MpiioRecord::sync_time]);
    const double part = std::min(static_cast<double>(alone) / static_cast<double>(calls), 1.0);
    const double excess =
        part * std::max(time - static_cast<double>(bytes) * scene.reference(direction).ns_per_byte, 0.0);
    sum.calls += alone;
    sum.in_pieces = sum.in_pieces || in_pieces;
    sum.bytes += static_cast<std::uint64_t>(part * static_cast<double>(bytes));
    sum.excess += excess;
    sum.least +=
        part * scene.at_least(direction, time, static_cast<double>(alone), static_cast<double>(bytes));
    sum.lost.add(view, excess);
    if (excess <= sum.excess_of_most) return;
    sum.excess_of_most = excess;
    sum.most = &file;
    sum.writes = !reads;
}

// Less than this is not worth a collective call: passing it on takes longer than the request.
constexpr std::uint64_t worth_a_collective = 16 << 10;
// Pieces of less that follow one another are copied in memory a hundred times as fast as they are moved.
constexpr std::uint64_t collected_anywhere = 512;
constexpr Remedy collect_remedies[] = {
    {Language::c,
     "Collect what a rank reads or writes, and move it by one call (a collective call for each small piece "
     "takes longer still); a file view takes pieces that lie apart together:",
     {"MPI_Type_vector(pieces, length, stride, MPI_DOUBLE, &type);",
      "MPI_File_set_view(file, offset, MPI_DOUBLE, type, \"native\", MPI_INFO_NULL);",
      "MPI_File_write_all(file, array, pieces * length, MPI_DOUBLE, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Collect what a rank reads or writes in an array, and move that by one call (a collective call for each "
     "small piece takes longer still); a file view (MPI_TYPE_VECTOR, MPI_FILE_SET_VIEW) takes pieces that "
     "lie apart together:",
     {"call MPI_File_write_all(file, array, size(array), MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, error)"}},
    {Language::python,
     "Collect what a rank reads or writes in an array, and move that by one call (a collective call for each "
     "small piece takes longer still); a file view takes pieces that lie apart together:",
     {"file.Set_view(offset, MPI.DOUBLE, MPI.DOUBLE.Create_vector(pieces, length, stride).Commit())",
      "file.Write_all(array)"}},
    {Language::packaged, "Look for an option of PROGRAM that has its ranks move more at a time."},
};
constexpr Remedy shared_pointer_remedies[] = {
    {Language::c,
     "Give each rank a place of its own, which MPI_Exscan of their lengths shows, and collect what it moves: "
     "one call at that offset in place of MPI_File_write_shared for each piece:",
     {"MPI_Offset length = …, offset = 0;",
      "MPI_Exscan(&length, &offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD);",
      "MPI_File_write_at(file, offset, buffer, length, MPI_BYTE, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Give each rank a place of its own, which MPI_EXSCAN of their lengths shows, and collect what it moves: "
     "one call at that offset in place of MPI_FILE_WRITE_SHARED for each piece:",
     {"offset = 0    ! integer(MPI_OFFSET_KIND), as length is",
      "call MPI_Exscan(length, offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD, error)",
      "call MPI_File_write_at(file, offset, buffer, length, MPI_BYTE, MPI_STATUS_IGNORE, error)"}},
    {Language::python,
     "Give each rank a place of its own, which exscan of their lengths shows, and collect what it moves: one "
     "call at that offset in place of Write_shared for each piece:",
     {"offset = comm.exscan(len(data)) or 0", "file.Write_at(offset, data)"}},
    {Language::packaged, "Look for an option of PROGRAM that has its ranks move more at a time."},
};
constexpr Remedy independent_read_remedies[] = {
    {Language::c,
     "Have all ranks make the call together, MPI_File_read_at_all for MPI_File_read_at:",
     {"MPI_File_read_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::c, "In HDF5:", {"H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);"}},
    {Language::fortran,
     "Have all ranks make the call together, MPI_FILE_READ_AT_ALL for MPI_FILE_READ_AT:",
     {"call MPI_File_read_at_all(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::netcdf,
     "Have all ranks make the call together. In Fortran it is nf90_var_par_access:",
     {"nc_var_par_access(file, variable, NC_COLLECTIVE);"}},
    {Language::pnetcdf,
     "Have all ranks make the call together, the function whose name ends in _all:",
     {"ncmpi_get_vara_double_all(file, variable, start, count, array);"}},
    {Language::hdf5,
     "Have all ranks make the call together, with this list of properties:",
     {"H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);"}},
    {Language::python,
     "Have all ranks make the call together, Read_at_all for Read_at:",
     {"file.Read_at_all(offset, array)"}},
    {Language::h5py,
     "Have all ranks read together:",
     {"with dataset.collective:", "    part = dataset[first:last]"}},
    netcdf4_together,
    {Language::script, "Have all ranks make the call together."},
    {Language::packaged, "Look for an option of PROGRAM that has its ranks read collectively."},
};
constexpr Remedy independent_write_remedies[] = {
    {Language::c,
     "Have all ranks make the call together, MPI_File_write_at_all for MPI_File_write_at:",
     {"MPI_File_write_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::c, "In HDF5:", {"H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);"}},
    {Language::fortran,
     "Have all ranks make the call together, MPI_FILE_WRITE_AT_ALL for MPI_FILE_WRITE_AT:",
     {"call MPI_File_write_at_all(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::netcdf,
     "Have all ranks make the call together. In Fortran it is nf90_var_par_access:",
     {"nc_var_par_access(file, variable, NC_COLLECTIVE);"}},
    {Language::pnetcdf,
     "Have all ranks make the call together, the function whose name ends in _all:",
     {"ncmpi_put_vara_double_all(file, variable, start, count, array);"}},
    {Language::hdf5,
     "Have all ranks make the call together, with this list of properties:",
     {"H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);"}},
    {Language::python,
     "Have all ranks make the call together, Write_at_all for Write_at:",
     {"file.Write_at_all(offset, array)"}},
    {Language::h5py,
     "Have all ranks write together:",
     {"with dataset.collective:", "    dataset[first:last] = part"}},
    netcdf4_together,
    {Language::script, "Have all ranks make the call together."},
    {Language::packaged, "Look for an option of PROGRAM that has its ranks write collectively."},
};

}  // namespace

MaybeFinding no_collectives(const Scene& scene)
{
    Independent sum{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        if (!file.use->by_mpiio || file.use->application().users().count < 2) continue;
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::mpiio) continue;
            for (const Direction direction : directions) add(sum, scene, file, record, direction);
            sum.by_shared_pointer += record[&MpiioRecord::shared_pointer];
        }
    }
    if (sum.most == nullptr || sum.calls < few_independent) return {};
    const bool alone = on_own_disk(scene.job, *sum.most->use), in_order = is_in_order(*sum.most, sum.writes);
    // The system's cache puts such requests together, in whatever order they come.
    if (alone && sum.bytes / sum.calls >= memory_page) return {};
    // One of such a size a step is as quick by itself: in collective calls ranks wait for each other.
    constexpr std::uint64_t few_each = 128, of_a_step = 2 << 10;
    if (!sum.in_pieces && sum.bytes / sum.calls >= of_a_step &&
        sum.calls < few_each * sum.most->use->application().users().count)
        return {};
    Finding finding;
    finding.title =
        fmt::format("{} independent MPI-IO {} of {} on average to shared files", format_count(sum.calls),
                    sum.in_pieces ? "pieces" : "requests", format_bytes(sum.bytes / sum.calls));
    const AdvisedProgram program = program_of(scene.job, sum.lost);
    const double around =
        around_calls(scene, program, Around::mpiio, static_cast<double>(sum.calls), sum.lost);
    finding.cost = seconds(std::min(scene.cost(sum.lost) + around, scene.run));
    if (!scene.reference(sum.writes ? Direction::write : Direction::read).measured)
        finding.cost_least = scene.beyond_slow_link(*sum.most->use, scene.cost(sum.lost, sum.least),
                                                    static_cast<double>(sum.bytes));
    if (scene.beyond_slow_link(*sum.most->use, cost_of(finding), static_cast<double>(sum.bytes)) <= 0)
        return {};
    finding.cost_basis = fmt::format("their time beyond what the bytes would have taken {}",
                                     scene.reference(sum.writes ? Direction::write : Direction::read).words);
    if (around > 0) finding.cost_basis += words_on_interpreter(program);
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"independent", "independent requests", count(sum.calls),
         fmt::format("and {} collective ones", format_count(sum.collective))},
        {"mean_size", "mean size", bytes(sum.bytes / sum.calls), ""},
        {"file", "most time in", path(sum.most->use->path),
         fmt::format("used by {} ranks", format_count(sum.most->use->application().users().count))}};
    finding.why =
        fmt::format("Each goes to the file system as it is{}.",
                    sum.writes && !alone ? ", and neighbouring ranks wait for each other's locks" : "");
    if (!in_order)
        finding.why += " Collective calls have a few ranks put the pieces of all into large requests.";
    finding.doubt =
        "Ranks that do not come to these calls at the same time: waiting for each other may cost more.";
    if (in_order && sum.bytes / sum.calls < collected_anywhere) {
        finding.doubt = "Pieces that are not known together, or that other ranks need at once.";
    } else if (alone) {
        finding.confidence = Confidence::low;
        finding.doubt +=
            " On one node with a file system of its own, as here, passing the data between ranks may take as "
            "long as these requests: it is on parallel file systems, and with many nodes, that collective "
            "calls are quicker.";
    }
    // What libraries make of calls on variables is theirs to collect.
    const bool by_library = (program.language >= Language::hdf5 && program.language <= Language::adios2) ||
                            program.language == Language::h5py || program.language == Language::netcdf4;
    if (alone && (by_library || finding.confidence == Confidence::low))
        finding.cost_least =
            std::min(finding.cost_least.value_or(cost_of(finding)), saved_alone * cost_of(finding));
    const std::uint64_t each = sum.bytes / sum.calls;
    if (sum.by_shared_pointer > sum.calls / 2) {
        finding.title = fmt::format("{} MPI-IO requests by the shared file pointer, of {} on average",
                                    format_count(sum.calls), format_bytes(each));
        finding.why =
            "Each has to take the pointer that all ranks share from where the last rank left it: they wait "
            "for each other.";
        finding.doubt = "Ranks that cannot know how much the others write before them.";
        finding.advice = sum.writes ? advice_in(program, shared_pointer_remedies)
                                    : on_reads(advice_in(program, shared_pointer_remedies));
        Found found(std::move(finding));
        found.file = sum.most->use;
        return found;
    }
    const bool at_once = by_library && each < worth_a_call_together;
    const bool to_collect = !by_library && !sum.in_pieces && (in_order || each < worth_a_collective);
    if (at_once)
        finding.advice = advice_to_move_at_once(program, program.language == Language::pnetcdf);
    else if (to_collect)
        finding.advice = sum.writes ? advice_in(program, collect_remedies)
                                    : on_reads(advice_in(program, collect_remedies));
    if (!at_once && (by_library || !in_order)) {
        if (!to_collect)
            for (Advice& one : sum.writes ? advice_in(program, independent_write_remedies)
                                          : advice_in(program, independent_read_remedies))
                finding.advice.push_back(std::move(one));
        // Open MPI has another way for such pieces, below.
        auto lines = collective_buffering(scene.job);
        if (!lines.empty() && !(to_collect && mpi_of(scene.job) == MpiKind::open_mpi))
            finding.advice.push_back({"And have this MPI library put them together:", std::move(lines)});
    }
    // OMPIO hands on the pieces of a view one by one.
    if (!by_library && !in_order && each < memory_page && mpi_of(scene.job) == MpiKind::open_mpi)
        finding.advice.push_back(
            {"Have Open MPI leave the pieces of such a view to ROMIO, which puts them together as OMPIO does "
             "not:",
             {"export OMPI_MCA_io=^ompio"}});
    Found found(std::move(finding));
    found.file = sum.most->use;
    return found;
}

}  // namespace fathom
