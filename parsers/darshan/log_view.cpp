// Ids, and the span of the job.
#include "parsers/darshan/log_view.h"

#include <algorithm>
#include <unordered_set>

#include "parsers/darshan/record_id.h"

namespace fathom::darshan {

LogView::LogView(const Log& log) : log_(log), ranks_(log)
{
    for (const Process& process : log.rows<Process>()) {
        if (!ranks_.of(process.process)) continue;
        merge_value(start_, process.start, Rule::earliest);
        end_ = std::max(end_, process.end);
    }
    end_ = std::max(end_, start_);

    const auto add_records = [&](const auto& records) {
        for (const auto& record : records) told_[record.file] |= rank_of(record).has_value();
    };
    add_records(log.rows<PosixRecord>());
    add_records(log.rows<StdioRecord>());
    add_records(log.rows<MpiioRecord>());
    add_records(log.rows<DataFileRecord>());
    add_records(log.rows<DatasetRecord>());
    for (const LibraryCounter& row : log.rows<LibraryCounter>())
        for (const std::uint64_t file : {row.file, row.container})
            told_[file] |= rank_of(row.process).has_value();
    std::unordered_set<std::uint64_t> taken;
    for (const FileName& name : log.rows<FileName>()) {
        const bool overflow = name.kind == static_cast<std::uint64_t>(NameKind::overflow) ||
                              name.path.ends_with(":<other datasets>");
        const bool by_path = name.kind == static_cast<std::uint64_t>(NameKind::by_path);
        if (overflow) overflows_.insert(name.file);
        if (by_path) by_paths_.insert(name.file);
        if (overflow || by_path || name.kind == static_cast<std::uint64_t>(NameKind::unopened))
            told_[name.file] = false;
        if (!tells_file(name.file)) continue;
        const std::uint64_t id = record_id(name_of(name));
        // Of several that have one name, the first one takes its id.
        if (!name.path.empty() && taken.insert(id).second) ids_.emplace(name.file, id);
    }
}

double LogView::seconds_at(std::uint64_t instant) const
{
    constexpr double least = 1e-9;
    if (instant == 0) return 0;
    return instant > start_ ? static_cast<double>(instant - start_) / 1e9 : least;
}

std::uint64_t LogView::id_of(std::uint64_t file) const
{
    const auto found = ids_.find(file);
    return found == ids_.end() ? file : found->second;
}

std::string LogView::name_of(const FileName& name)
{
    std::string path(name.path);
    if (path == "<stdin>" || path == "<stdout>" || path == "<stderr>")
        std::transform(path.begin(), path.end(), path.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return path;
}

}  // namespace fathom::darshan
