// Goes over the records of a layer twice: which files have reduced ones, and what is merged into those.
#include "analyzer/record/merge_records.h"

#include <algorithm>
#include <unordered_map>

namespace fathom {

void RecordMerger::next(const Log& ours, const std::map<std::int64_t, std::int64_t>& numbers)
{
    for (const auto& [there, here] : numbers) {
        auto& logs = logs_of_[here];
        if (logs.empty() || logs.back() != first_.size()) logs.push_back(first_.size());
    }
    first_.push_back({ours.rows<PosixRecord>().size(), ours.rows<StdioRecord>().size(),
                      ours.rows<MpiioRecord>().size(), ours.rows<DataFileRecord>().size(),
                      ours.rows<DatasetRecord>().size()});
}

void RecordMerger::settle(Log& log) const
{
    if (first_.size() < 2) return;
    settle_table<PosixRecord>(log, 0);
    settle_table<StdioRecord>(log, 1);
    settle_table<MpiioRecord>(log, 2);
    settle_table<DataFileRecord>(log, 3);
    settle_table<DatasetRecord>(log, 4);
}

template <class Row>
void RecordMerger::settle_table(Log& log, std::size_t table) const
{
    auto& rows = log.rows<Row>();
    const auto log_of = [&](std::size_t row) {
        const auto behind =
            std::upper_bound(first_.begin(), first_.end(), row,
                             [&](std::size_t at, const auto& first) { return at < first[table]; });
        return static_cast<std::size_t>(behind - first_.begin()) - 1;
    };
    struct Reduced {
        std::size_t row = 0;            // that takes the others
        std::vector<std::size_t> logs;  // that have one
    };
    std::unordered_map<std::uint64_t, Reduced> files;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        if (rows[at].process != reduced) continue;
        Reduced& file = files.try_emplace(rows[at].file, Reduced{at, {}}).first->second;
        file.logs.push_back(log_of(at));
    }
    if (files.empty()) return;

    const auto& processes = log.rows<Process>();
    const auto joins = [&](const Row& row, std::size_t at, const Reduced& file) {
        if (row.process == reduced) return at != file.row && log_of(at) != log_of(file.row);
        if (processes[static_cast<std::size_t>(row.process)].rank < 0) return false;
        // What a rank did after its log was written stays beside what it did before.
        const auto known = logs_of_.find(row.process);
        return known != logs_of_.end() &&
               std::none_of(known->second.begin(), known->second.end(), [&](std::size_t one) {
                   return std::find(file.logs.begin(), file.logs.end(), one) != file.logs.end();
               });
    };
    std::vector<bool> gone(rows.size());
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const auto file = files.find(rows[at].file);
        if (file == files.end() || !joins(rows[at], at, file->second)) continue;
        merge(rows[file->second.row], rows[at]);
        gone[at] = true;
    }
    std::size_t kept = 0;
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (!gone[at]) rows[kept++] = rows[at];
    rows.resize(kept);
}

}  // namespace fathom
