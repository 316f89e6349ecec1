// A record has one process, or it is reduced over those that used the file.
#include "analyzer/findings/lost_time.h"

#include <algorithm>

namespace fathom {

void LostTime::add(const RecordOwner& owner, double ns)
{
    total_ += ns;
    const std::int64_t rank = job_->rank_index(owner.process);
    if (rank >= 0)
        own_[static_cast<std::size_t>(rank)] += ns;
    else  // which ones they were is not known: any of them may be the slowest
        of_each_ += ns / static_cast<double>(std::max<std::uint64_t>(owner.processes, 1));
}

void LostTime::add(const Member& member, double ns)
{
    total_ += ns;
    if (const std::int64_t rank = job_->rank_index(member.process.process); rank >= 0)
        own_[static_cast<std::size_t>(rank)] += ns;
}

void LostTime::add_to_all(double ns)
{
    waited_ += ns;
    total_ += ns * static_cast<double>(own_.size());
}

void LostTime::add(const LostTime& other, double ns)
{
    if (other.total_ <= 0) return;
    const double scale = ns / other.total_;
    for (std::size_t at = 0; at < own_.size(); ++at) own_[at] += scale * other.own_[at];
    of_each_ += scale * other.of_each_;
    waited_ += scale * other.waited_;
    total_ += ns;
}

double LostTime::longest() const
{
    const auto most = std::max_element(own_.begin(), own_.end());
    return (most == own_.end() ? 0 : *most) + of_each_ + waited_;
}

void LostTime::add_by_time(std::span<const RecordView> records, double ns)
{
    const auto time = [](const RecordView& record) {
        return record.layer == Layer::mpiio ? 0.0 : static_cast<double>(record.time());
    };
    double all = 0;
    for (const RecordView& record : records) all += time(record);
    if (all <= 0) return;
    for (const RecordView& record : records)
        if (const double of_record = time(record); of_record > 0) add(record, ns * of_record / all);
}

}  // namespace fathom
