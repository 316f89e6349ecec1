// Small writes here and there into a file that was there before: of each block the rest has to be read first.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

constexpr double few_updates = 20, mostly_updates = 0.5;
// ns that a write takes on the mean where it waits for a device: into memory it takes some µs. From the
// second on there is hardly another reason.
constexpr double waited_for_disk = 50e3, surely_waited = 500e3;
constexpr std::uint64_t usual_block = 4096;
// What reading the region in large requests takes instead, where no rate was measured: of a device.
constexpr double device_rate_mib = 500;

struct Updates {
    double writes = 0, bytes = 0, time = 0;  // ns
    std::uint64_t block = usual_block;
    LostTime lost;
    bool shared = false;
    const FileCase* most = nullptr;
    double time_of_most = 0;
};

// Nobody in this job made it or emptied it.
bool was_there(const FileCase& file)
{
    return std::all_of(file.records.begin(), file.records.end(), [](const RecordView& record) {
        return record.layer == Layer::posix
                   ? record[&PosixRecord::creates] == 0 && record[&PosixRecord::truncates] == 0
               : record.layer == Layer::stdio ? record[&StdioRecord::creates] == 0
                                              : true;
    });
}

void add(Updates& sum, const Scene& scene, const FileCase& file, const RecordView& record)
{
    const std::uint64_t writes = record[&Transfers::writes],
                        others = std::min(record[&Pattern::consecutive_writes], writes),
                        known = record[&PosixRecord::file_alignment], block = known > 0 ? known : usual_block;
    if (writes == 0 || record[&PosixRecord::synced_writes] > 0 || file.is_one_place() ||
        record[&Transfers::bytes_written] >= writes * block)
        return;
    const auto updates = static_cast<double>(writes - others), part = updates / static_cast<double>(writes);
    const double time =
        part * static_cast<double>(record[&Transfers::write_time] -
                                   std::min(record[&Transfers::write_time], record[&Transfers::sync_time]));
    // Of few among many others, the mean of all says nothing.
    if (updates < few_updates || part < mostly_updates || time < waited_for_disk * scene.stretched * updates)
        return;
    const Scene::Reference& reading = scene.reference(Direction::read);
    const double region = static_cast<double>(record[&Pattern::highest_written]),
                 each_byte = reading.measured ? reading.ns_per_byte : 1e9 / (device_rate_mib * mebibyte),
                 excess = std::max(time - region * each_byte, 0.0);
    sum.writes += updates;
    sum.bytes += part * static_cast<double>(record[&Transfers::bytes_written]);
    sum.time += time;
    sum.lost.add(record, excess);
    sum.shared = sum.shared || file.use->system.writers().count > 1;
    if (excess <= sum.time_of_most) return;
    sum.time_of_most = excess;
    sum.block = block;
    sum.most = &file;
}

constexpr Remedy update_remedies[] = {
    {Language::c,
     "Read the region in large pieces, change it in memory, and write it back whole:",
     {"pread(fd, region, length, offset);", "memcpy(region + place, &value, sizeof value);",
      "pwrite(fd, region, length, offset);"}},
    {Language::c,
     "Where the places lie far apart, have the system read them while the program does something else:",
     {"posix_fadvise(fd, place, length, POSIX_FADV_WILLNEED);    /* for each, beforehand */"}},
    {Language::cxx,
     "Read the region in large pieces, change it in memory, and write it back whole:",
     {"file.read(region.data(), region.size());", "std::memcpy(region.data() + place, &value, sizeof value);",
      "file.seekp(0);", "file.write(region.data(), region.size());"}},
    {Language::fortran,
     "Read the region into an array, change that, and write it back whole:",
     {"open(newunit=unit, file=name, access='stream', form='unformatted')", "read(unit, pos=first) region",
      "write(unit, pos=first) region"}},
    {Language::python,
     "Read the region in large pieces, change it in memory, and write it back whole:",
     {"array = numpy.fromfile(path, dtype=float)", "array[places] = values", "array.tofile(path)"}},
    {Language::hdf5,
     "Read the dataset into an array, change that, and write it back by one call:",
     {"H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array);",
      "H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array);"}},
    {Language::h5py,
     "Read the dataset into an array, change that, and write it back:",
     {"array = dataset[...]", "array[places] = values", "dataset[...] = array"}},
    {Language::netcdf4,
     "Read the variable into an array, change that, and write it back:",
     {"array = variable[...]", "array[places] = values", "variable[...] = array"}},
    {Language::script, "Read the region in large pieces, change it in memory, and write it back whole."},
    {Language::packaged,
     "Have the file read first, so that its blocks are in memory, or have PROGRAM work on a copy there:",
     {"cat FILE > /dev/null", "cp FILE /dev/shm/"}},
};

}  // namespace

MaybeFinding updates_in_place(const Scene& scene)
{
    if (!tells(scene.job.log, &PosixCounters::creates)) return {};
    Updates sum{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file || file.use->by_mpiio || !was_there(file)) continue;
        for (const RecordView& record : file.records)
            if (record.layer == Layer::posix) add(sum, scene, file, record);
    }
    if (sum.most == nullptr) return {};
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    const Scene::Reference& reading = scene.reference(Direction::read);
    Finding finding;
    finding.title = fmt::format("{} writes of {} into blocks that have to be read first",
                                format_count(whole(sum.writes)), format_bytes(whole(sum.bytes / sum.writes)));
    finding.cost = seconds(scene.cost(sum.lost));
    finding.cost_basis = fmt::format(
        "the time of these writes, beyond what reading the file up to the last of them would have taken {}",
        reading.measured ? reading.words
                         : fmt::format("at {}, which is assumed", format_rate(device_rate_mib)));
    finding.confidence = sum.shared || sum.time < surely_waited * scene.stretched * sum.writes
                             ? Confidence::low
                             : Confidence::medium;
    finding.evidence = {{"updates", "not following the last one", count(whole(sum.writes)),
                         fmt::format("{} each on average", format_seconds(sum.time / 1e9 / sum.writes))},
                        {"block", "block size", bytes(sum.block), ""},
                        {"file", "most time in", path(sum.most->use->path), "it was there before"}};
    finding.why =
        "Of a block that is written in part, and is not in memory, the rest is read from the disk first, and "
        "the write waits for it: one block after the other.";
    finding.doubt =
        "Places that become known one at a time; a file system that passes each write on to a server at "
        "once.";
    if (sum.shared)
        finding.doubt += " Processes that write to the file at the same time wait for each other.";
    finding.advice = advice_in(program_of(scene.job, sum.lost, sum.most->use->path), update_remedies);
    Found found(std::move(finding), sum.lost);
    found.file = sum.most->use;
    return found;
}

}  // namespace fathom
