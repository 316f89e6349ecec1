// Which mounted file systems the files lay on, and how Lustre spread them over its servers.
#include <algorithm>
#include <map>

#include "analyzer/job/file_count.h"
#include "analyzer/job/mounts.h"
#include "analyzer/job/recorded.h"
#include "analyzer/methods/rate.h"
#include "analyzer/sections/files/servers.h"
#include "analyzer/sections/files/stripe_layouts.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

struct UseOfMount : FileSums {
    explicit UseOfMount(const Job& job) : files(job) {}

    const Mount* mount = nullptr;
    FileCounter files;
    std::uint64_t block_size = 0;  // the largest; 0: not known
};

// Of one process at a time.
Cell rate_in_transfers(const FileSums& sums)
{
    const std::uint64_t time = sums.read_time + sums.write_time;
    if (time == 0 || sums.bytes() == 0) return unknown(Measure::rate);
    return rate(static_cast<double>(sums.bytes()) / mebibyte / (static_cast<double>(time) / 1e9));
}

}  // namespace

Blocks file_systems(const Job& job, const SectionChoice&)
{
    const Mounts mounts(job.log);
    std::map<std::string_view, UseOfMount> by_path;
    job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (!is_of_files(use.kind)) return;
        const Mount* const mount = mounts.of(use);
        UseOfMount& sum = by_path.try_emplace(mount == nullptr ? "" : mount->path, job).first->second;
        sum.mount = mount;
        sum.files.add(use, records);
        merge<FileSums>(sum, use.application());
        sum.block_size = std::max(sum.block_size, use.system.file_alignment);
    });
    std::vector<UseOfMount> sorted;
    for (const auto& [path, use] : by_path) sorted.push_back(use);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const UseOfMount& a, const UseOfMount& b) { return a.bytes() > b.bytes(); });
    DataTable table{.id = "file_systems", .title = ""};
    table.columns = {{"path", "mounted at", Measure::path},
                     {"type", "type", Measure::text},
                     {"source", "device or server", Measure::path},
                     {"block_size", "block size", Measure::bytes},
                     {"files", "files", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"time", "time", Measure::seconds},
                     {"rate", "rate", Measure::rate}};
    FileCount all;
    for (const UseOfMount& use : sorted) {
        const FileCount files = use.files.result();
        all.add(files);
        table.rows.push_back({use.mount == nullptr ? text("not known") : path(use.mount->path),
                              use.mount == nullptr ? unknown() : text(use.mount->type),
                              use.mount == nullptr || use.mount->source.empty() ? unknown(Measure::path)
                                                                                : path(use.mount->source),
                              use.block_size == 0 ? unknown(Measure::bytes) : bytes(use.block_size),
                              count(files.files), bytes(use.bytes_read), bytes(use.bytes_written),
                              nanoseconds(use.time()), rate_in_transfers(use)});
    }
    if (table.rows.empty()) return {};
    drop_unknown_columns(job.log, table);
    table.remark = "Time: of all processes. Rate: of one process while in reads and writes.";
    if (tells(job.log, &PosixCounters::file_alignment))
        table.remark += " Block size: the largest that the file system reported for a file.";
    table.remark += all.remark();
    Blocks blocks = {std::move(table)};
    if (DataTable layouts = stripe_layouts(job); !layouts.rows.empty()) blocks.push_back(std::move(layouts));
    const ServerStudy study = servers_of(job);
    if (DataTable servers = server_table(study); !servers.rows.empty()) blocks.push_back(std::move(servers));
    if (Chart rates = server_chart(study); !rates.categories.empty()) blocks.push_back(std::move(rates));
    return blocks;
}

}  // namespace fathom
