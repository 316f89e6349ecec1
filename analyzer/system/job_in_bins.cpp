#include "analyzer/system/job_in_bins.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

// Amounts that are spread over intervals of time, added up in bins; one takes as long as another, however
// many bins it covers.
class Spread {
  public:
    explicit Spread(const LoadGroup& group)
        : begin_(static_cast<double>(group.begin)),
          length_(static_cast<double>(group.length)),
          some_(group.bins.size()),
          changes_(group.bins.size() + 1)
    {}

    // From one instant to another, ns of UNIX time; what lies outside of the bins is left out.
    void add(std::uint64_t first, std::uint64_t last, double amount)
    {
        const auto count = static_cast<double>(some_.size());
        const double from = (static_cast<double>(first) - begin_) / length_;
        const double to = std::max((static_cast<double>(last) - begin_) / length_, from + 1e-6);
        const double each = amount / (to - from), low = std::max(from, 0.0), high = std::min(to, count);
        if (low >= high) return;
        const auto at = static_cast<std::size_t>(low),
                   end = static_cast<std::size_t>(std::min(high, count - 1));
        if (at == end) {
            some_[at] += each * (high - low);
            return;
        }
        some_[at] += each * (static_cast<double>(at + 1) - low);
        some_[end] += each * (high - static_cast<double>(end));
        changes_[at + 1] += each;
        changes_[end] -= each;
    }
    std::vector<double> sums() const
    {
        std::vector<double> all = some_;
        double whole = 0;
        for (std::size_t at = 0; at < all.size(); ++at) all[at] += std::max(whole += changes_[at], 0.0);
        return all;
    }

  private:
    double begin_, length_;
    std::vector<double> some_;     // of bins that an interval covers in part
    std::vector<double> changes_;  // of what each bin has that it covers whole
};

}  // namespace

Parts parts_of(const Job& job, const MatchedGroup& group)
{
    const Mounts mounts(job.log);
    Parts parts;
    for (const FileUse& use : job.files) {
        const FileView& view = use.system.present ? use.system : use.application();
        const double read = static_cast<double>(view.bytes_read),
                     written = static_cast<double>(view.bytes_written);
        parts.all_read += read;
        parts.all_written += written;
        if (!group.mounts.empty() && !group.mounts.contains(mounts.of(use))) continue;
        parts.read += read;
        parts.written += written;
    }
    return parts;
}

void add_time_bins(const JobSlices& slices, const Parts& parts, LoadGroup& group)
{
    for (std::size_t at = 0; at < slices.grid.slices; ++at) {
        const Activity& activity = slices.lowest[at];
        if (!activity.any()) continue;
        const double length = static_cast<double>(slices.grid.length);
        double begin = static_cast<double>(slices.grid.start) + static_cast<double>(at) * length;
        const double end = begin + length;
        while (begin < end) {
            const double place =
                std::floor((begin - static_cast<double>(group.begin)) / static_cast<double>(group.length));
            if (place < 0 || place >= static_cast<double>(group.bins.size())) break;
            const double next = std::min(
                end, static_cast<double>(group.begin) + (place + 1) * static_cast<double>(group.length));
            const double part = (next - begin) / length;
            LoadGroup::Bin& bin = group.bins[static_cast<std::size_t>(place)];
            const double seconds = static_cast<double>(group.length) / 1e9;
            bin.job_read += activity.bytes_read * part * parts.of_reads() / seconds;
            bin.job_written += activity.bytes_written * part * parts.of_writes() / seconds;
            bin.job_metadata += activity.metadata * part / seconds;
            bin.job_time += activity.time() * part / 1e9;
            if (next <= begin) break;
            begin = next;
        }
    }
}

void add_records(const Job& job, const MatchedGroup& matched, LoadGroup& group)
{
    const Mounts mounts(job.log);
    Spread read(group), written(group), time(group);
    std::size_t file = 0;
    bool on_group = false;
    for (const RecordView& record : job.records) {
        if (file == 0 || job.files[file - 1].file != record.file) {
            while (job.files[file++].file != record.file) {
            }
            on_group = matched.mounts.empty() || matched.mounts.contains(mounts.of(job.files[file - 1]));
        }
        const FileUse& use = job.files[file - 1];
        if (!on_group || (record.layer == Layer::mpiio) == use.system.present) continue;
        read.add(record[&Transfers::first_read], record[&Transfers::last_read],
                 static_cast<double>(record[&Transfers::bytes_read]));
        written.add(record[&Transfers::first_write], record[&Transfers::last_write],
                    static_cast<double>(record[&Transfers::bytes_written]));
        time.add(record[&Transfers::first_read], record[&Transfers::last_read],
                 static_cast<double>(record[&Transfers::read_time]));
        time.add(record[&Transfers::first_write], record[&Transfers::last_write],
                 static_cast<double>(record[&Transfers::write_time]));
    }
    const std::vector<double> reads = read.sums(), writes = written.sums(), times = time.sums();
    const double seconds = static_cast<double>(group.length) / 1e9;
    for (std::size_t at = 0; at < group.bins.size(); ++at) {
        group.bins[at].job_read += reads[at] / seconds;
        group.bins[at].job_written += writes[at] / seconds;
        group.bins[at].job_time += times[at] / 1e9;
    }
}

}  // namespace fathom
