// Bounds by inclusion: what a process had no room for are no files that it has records of.
#include "analyzer/job/file_count.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"

namespace fathom {
namespace {

// Of an overflow, no more files than calls that moved data, nor than opens, but for one that the process was given open.
std::uint64_t further_files_in(const FileUse& use, std::optional<Direction> direction)
{
    if (!direction) return use.files;
    const FileView& view = use.application();
    const bool reads = *direction == Direction::read;
    if ((reads ? view.bytes_read : view.bytes_written) == 0) return 0;
    return std::min({use.files, std::max<std::uint64_t>(reads ? view.reads : view.writes, 1),
                     std::max<std::uint64_t>(view.opens, 1)});
}

bool has_data(const FileUse& use, std::optional<Direction> direction)
{
    if (!direction) return true;
    return (*direction == Direction::read ? use.application().bytes_read : use.application().bytes_written) >
           0;
}

std::string_view folder_of_overflow(std::string_view path)
{
    return path.substr(0, path.rfind('/') + 1);
}

}  // namespace

std::string FileCount::words() const
{
    constexpr std::string_view before[] = {"", "about ", "at least "};
    return fmt::format("{}{}", before[static_cast<std::size_t>(certainty)], format_count(files));
}

std::string_view FileCount::remark() const
{
    switch (certainty) {
        case Certainty::exact:
            break;
        case Certainty::about:
            return " The number of all files is an estimate: not all have a record of their own.";
        case Certainty::at_least:
            return " There were at least so many files in all: not all have a record of their own.";
    }
    return {};
}

void FileCount::add(const FileCount& other)
{
    files += other.files;
    certainty = std::max(certainty, other.certainty);
}

FileCounter::FileCounter(const Job& job, std::optional<Direction> direction) : direction_(direction)
{
    job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (!is_of_several(use.kind)) return;
        Folder& folder = folders_[folder_of_overflow(use.path)];
        if (use.kind == NameKind::by_path) {
            folder.of_one = records.size() == 1 && records[0].process != reduced;
            return;
        }
        for (const RecordView& record : records)
            if (record.process == reduced)
                folder.reduced = true;
            else
                folder.known_of.try_emplace(record.process, 0);
    });
}

FileCounter::Folder* FileCounter::folder_of(std::string_view path)
{
    Folder* found = nullptr;
    std::size_t longest = 0;
    for (auto& [folder, of] : folders_)
        if (path.starts_with(folder) && folder.size() >= longest) found = &of, longest = folder.size();
    return found;
}

void FileCounter::add(const FileUse& use, std::span<const RecordView> records)
{
    if (use.kind == NameKind::overflow) {
        folders_[folder_of_overflow(use.path)].further += further_files_in(use, direction_);
        return;
    }
    if (use.kind == NameKind::by_path) {
        if (!direction_) folders_[folder_of_overflow(use.path)].by_path += use.files;
        return;
    }
    if (use.kind != NameKind::file || !has_data(use, direction_)) return;
    Folder* const folder = folder_of(use.path);
    if (folder == nullptr) {
        ++elsewhere_;
        return;
    }
    ++folder->known;
    if (use.application().opens == 0) ++folder->not_opened;
    bool of_all = false;
    for (std::size_t at = 0; at < records.size(); ++at) {
        const std::int64_t process = records[at].process;
        of_all = of_all || process == reduced;
        const auto same = [&](const RecordView& record) { return record.process == process; };
        if (std::any_of(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(at), same)) continue;
        if (const auto of = folder->known_of.find(process); of != folder->known_of.end()) ++of->second;
    }
    folder->of_all += of_all;
}

FileCount FileCounter::result() const
{
    FileCount count{elsewhere_};
    for (const auto& [path, folder] : folders_) {
        // Those that were opened later are among the others too. Of one process, none of those that were not
        // is.
        const std::uint64_t by_path = folder.by_path + (folder.of_one ? folder.not_opened : 0);
        if (folder.further == 0) {
            if (folder.by_path == 0)
                count.add({folder.known});
            else
                count.add({std::max(folder.known, by_path), FileCount::Certainty::at_least});
            continue;
        }
        std::uint64_t beside = folder.reduced || folder.known_of.empty() ? 0 : ~std::uint64_t{0};
        for (const auto& [process, known] : folder.known_of) beside = std::min(beside, known);
        beside += folder.of_all;
        const bool of_one = !folder.reduced && folder.known_of.size() == 1 && beside >= folder.known;
        count.add(
            {std::max({folder.known, folder.further + beside, by_path}),
             of_one && folder.by_path == 0 ? FileCount::Certainty::about : FileCount::Certainty::at_least});
    }
    return count;
}

FileCount count_files(const Job& job, std::optional<Direction> direction)
{
    FileCounter counter(job, direction);
    job.each_file(
        [&](const FileUse& use, std::span<const RecordView> records) { counter.add(use, records); });
    return counter.result();
}

}  // namespace fathom
