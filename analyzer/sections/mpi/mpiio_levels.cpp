// Goes through the records file by file and adds up those of files that both layers know.
#include "analyzer/sections/mpi/mpiio_levels.h"

#include <algorithm>
#include <map>

#include "analyzer/job/counter_sums.h"
#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

using Records = std::span<const RecordView>;

struct Sums {
    MpiioLevels levels;
    CounterSums counters;
};

void tell(std::array<LevelSums, 2>& levels, const Transfers& done)
{
    levels[0].operations = done.reads;
    levels[0].bytes = done.bytes_read;
    levels[0].sizes = done.read_size;
    levels[1].operations = done.writes;
    levels[1].bytes = done.bytes_written;
    levels[1].sizes = done.write_size;
}

void add_file(Sums& sums, const FileUse& use, Records records)
{
    std::array<std::uint64_t, 2> above{}, beneath{};
    bool bare = false;  // records that count neither readers nor writers
    for (const RecordView& record : records) {
        const bool mpiio = record.layer == Layer::mpiio;
        if (!mpiio && record.layer != Layer::posix) continue;
        sums.counters.add(record);
        auto& movers = mpiio ? above : beneath;
        movers[0] += record[&Sharing::readers];
        movers[1] += record[&Sharing::writers];
        bare = bare || (record[&Sharing::readers] + record[&Sharing::writers] == 0 && record.bytes() > 0);
    }
    if (bare) {
        above = {use.application().readers().count, use.application().writers().count};
        beneath = {use.system.readers().count, use.system.writers().count};
    }
    ++sums.levels.files;
    for (std::size_t at = 0; at < 2; ++at) {
        sums.levels.mpiio[at].ranks = std::max(sums.levels.mpiio[at].ranks, above[at]);
        sums.levels.posix[at].ranks = std::max(sums.levels.posix[at].ranks, beneath[at]);
    }
}

// The sizes of reads and writes are kept together: of a class that has both it is not known whose they are,
// unless all are of one size.
void tell_commonest(std::array<LevelSums, 2>& levels, const SizeSums& sizes)
{
    for (std::size_t at = 0; at < 2; ++at) {
        std::uint64_t most = 0;
        for (const CommonSizes::Slot& slot : sizes.commonest()) {
            const std::size_t in = SizeHistogram::class_of(slot.size);
            const std::uint64_t ours = levels[at].sizes.count[in], others = levels[1 - at].sizes.count[in];
            const std::uint64_t sure = slot.count - std::min(slot.count, slot.error);
            if (slot.count <= most || sure == 0 || ours == 0 || (others > 0 && sure < ours + others))
                continue;
            most = slot.count;
            levels[at].commonest = slot.size;
        }
    }
}

// What its counters add up to.
void tell_sums(Sums& sums)
{
    const auto& [posix, stdio, mpiio, sizes] = sums.counters;
    tell(sums.levels.posix, posix);
    tell(sums.levels.mpiio, mpiio);
    sums.levels.mpiio[0].collective = mpiio.collective_reads + mpiio.split_reads;
    sums.levels.mpiio[1].collective = mpiio.collective_writes + mpiio.split_writes;
    tell_commonest(sums.levels.posix, sizes[static_cast<std::size_t>(Layer::posix)]);
    tell_commonest(sums.levels.mpiio, sizes[static_cast<std::size_t>(Layer::mpiio)]);
}

bool has_both(Records records)
{
    const auto has = [&](Layer layer) {
        return std::any_of(records.begin(), records.end(),
                           [&](const RecordView& record) { return record.layer == layer; });
    };
    return has(Layer::mpiio) && has(Layer::posix);
}

std::uint64_t bytes_of(const MpiioLevels& levels)
{
    return levels.mpiio[0].bytes + levels.mpiio[1].bytes + levels.posix[0].bytes + levels.posix[1].bytes;
}

}  // namespace

std::vector<MpiioLevels> mpiio_levels_of(const Job& job)
{
    const Mounts mounts(job.log);
    std::map<const Mount*, Sums> by_mount;
    std::size_t from = 0;
    for (const FileUse& use : job.files) {
        while (from < job.records.size() && job.records[from].file < use.file) ++from;
        std::size_t to = from;
        while (to < job.records.size() && job.records[to].file == use.file) ++to;
        const Records records = Records(job.records).subspan(from, to - from);
        if (has_both(records)) add_file(by_mount[mounts.of(use)], use, records);
        from = to;
    }
    std::vector<MpiioLevels> all;
    for (auto& [mount, sums] : by_mount) {
        tell_sums(sums);
        MpiioLevels& one = all.emplace_back(sums.levels);
        if (mount == nullptr) continue;
        one.mount = mount->path;
        one.type = mount->type;
    }
    std::stable_sort(all.begin(), all.end(), [](const MpiioLevels& a, const MpiioLevels& b) {
        return bytes_of(a) != bytes_of(b) ? bytes_of(a) > bytes_of(b) : a.mount < b.mount;
    });
    return all;
}

}  // namespace fathom
