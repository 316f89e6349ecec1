// How the time that a fault takes lies on the ranks, as far as the records show.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// Whose a record is: of one process, or of several.
struct RecordOwner {
    std::int64_t process = reduced;
    std::uint64_t processes = 0;
};

class LostTime {
  public:
    explicit LostTime(const Job& job) : job_(&job), own_(job.ranks.size()) {}

    // So many nanoseconds of the calls in a record. What several ranks did together is shared out evenly.
    void add(const RecordOwner& owner, double ns);
    void add(const RecordView& record, double ns)
    {
        add(RecordOwner{record.process, record.process == reduced ? record[&Sharing::processes] : 1}, ns);
    }
    void add(const Member& member, double ns);
    // Each rank waits for so long: beneath a collective call.
    void add_to_all(double ns);
    // So many, lying on the ranks as another does.
    void add(const LostTime& other, double ns);
    // Of a file, in proportion to the ranks' time in its records of POSIX and stdio.
    void add_by_time(std::span<const RecordView> records, double ns);

    // No rank more of its own than this, which is asked for by its index.
    template <class Most>
    void limit(Most most)
    {
        for (std::size_t at = 0; at < own_.size(); ++at) {
            const double kept = std::min(own_[at], static_cast<double>(most(at)));
            total_ -= own_[at] - kept;
            own_[at] = kept;
        }
    }

    double total() const { return total_; }  // ns, over all ranks
    double of(std::size_t rank) const { return own_[rank] + of_each_ + waited_; }
    double waited() const { return waited_; }  // by each of them
    double longest() const;                    // of the rank with most
    // Whether that is known of each rank, and not only of several together.
    bool of_single_ranks() const { return of_each_ <= 0; }

  private:
    const Job* job_;
    std::vector<double> own_;
    double of_each_ = 0, waited_ = 0, total_ = 0;
};

// The one on which most was lost, among others.
template <class Use>
struct MostLost {
    const Use* use = nullptr;
    double lost = 0;
    std::size_t number = 0;

    void add(const Use& one, double ns)
    {
        if (ns <= 0) return;
        ++number;
        if (ns <= lost) return;
        use = &one;
        lost = ns;
    }
};

}  // namespace fathom
