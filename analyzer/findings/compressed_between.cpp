// What one tool of a script compresses, and another decompresses: gzip at the end of a step, zcat at the
// beginning of the next.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t much_compressed = 1 << 20;

struct Steps {
    std::vector<const Member*> compressing, decompressing;
    std::uint64_t files = 0, bytes = 0, most_bytes = 0;
    const FileUse* most = nullptr;
};

// Those that only test an archive do not count, nor one whose output goes to what tells whether it is good.
RunsByProcess compressors_of(const Job& job)
{
    constexpr std::string_view checking[] = {"md5sum",    "sha1sum", "sha224sum", "sha256sum", "sha384sum",
                                             "sha512sum", "b2sum",   "cksum",     "sum",       "cmp"};
    RunsByProcess all = runs_of_tools(job, tools_that_compress);
    const RunsByProcess checks = runs_of_tools(job, checking);
    std::erase_if(all, [&](const auto& one) {
        const Process& process = one.second->process;
        const bool checked = one.second->application_bytes(Direction::write) == 0 &&
                             std::any_of(checks.begin(), checks.end(), [&](const auto& check) {
                                 const Process& other = check.second->process;
                                 return process.start <= other.end && other.start <= process.end;
                             });
        return checked || process.command.find(" -t") != std::string_view::npos ||
               process.command.find(" --test") != std::string_view::npos;
    });
    return all;
}

// By tar, which is to keep or to send away what is in it.
bool is_archive(std::string_view path)
{
    constexpr std::string_view endings[] = {".tgz", ".tbz2", ".txz"};
    return path.find(".tar.") != std::string_view::npos ||
           std::any_of(std::begin(endings), std::end(endings),
                       [&](std::string_view ending) { return path.ends_with(ending); });
}

// Files that one of them wrote, and others read. What made those that are there at the end is not in vain.
Steps steps_of(const Scene& scene)
{
    Steps all;
    const RunsByProcess ours = compressors_of(scene.job);
    if (ours.empty()) return all;
    for (const FileCase& file : scene.files) {
        if (!is_compressed(file.use->path) || is_archive(file.use->path)) continue;
        std::vector<const Member*> writers, readers;
        std::uint64_t unlinks = 0, read = 0;
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::posix) continue;
            unlinks += record.as<PosixCounters>().unlinks;
            const auto one = ours.find(record.process);
            if (one == ours.end()) continue;
            if (record[&Transfers::bytes_written] > 0) writers.push_back(one->second);
            if (record[&Transfers::bytes_read] > 0) readers.push_back(one->second);
            read += record[&Transfers::bytes_read];
        }
        if (writers.empty() || readers.empty() || writers == readers) continue;
        ++all.files;
        all.bytes += read;
        for (const Member* const one : readers) add_once(all.decompressing, one);
        if (unlinks > 0)
            for (const Member* const one : writers) add_once(all.compressing, one);
        if (read <= all.most_bytes) continue;
        all.most_bytes = read;
        all.most = file.use;
    }
    return all;
}

// s that they ran; in a pipe, beside the program at its other end, no more than they computed.
struct Saved {
    double alone = 0, in_pipes = 0;

    explicit Saved(const Steps& steps)
    {
        std::vector<const Member*> by_themselves;
        for (const auto& members : {steps.compressing, steps.decompressing})
            for (const Member* const one : members)
                if (one->application_bytes(Direction::write) > 0 &&
                    one->application_bytes(Direction::read) > 0)
                    by_themselves.push_back(one);
                else
                    in_pipes += static_cast<double>(std::min(one->process.cpu_time, one->run_time())) / 1e9;
        alone = seconds_of(std::move(by_themselves));
    }
};

}  // namespace

MaybeFinding compressed_between(const Scene& scene)
{
    const Steps steps = steps_of(scene);
    if (steps.bytes < much_compressed) return {};
    const Saved saved(steps);
    Finding finding;
    finding.title = fmt::format("{} compressed by one step and decompressed by another",
                                counted(steps.files, "file", "files"));
    finding.cost = seconds(std::min(saved.alone + saved.in_pipes, scene.run));
    if (saved.in_pipes > 0) finding.cost_least = std::min(saved.alone, scene.run);
    finding.cost_basis =
        "the time in which tools decompressed them, and, where the files are gone at the end, compressed "
        "them";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"compressed", "read by tools that decompress", bytes(steps.bytes), ""},
                        {"file", "most read of", path(steps.most->path), ""},
                        {"decompressing", "processes that decompress", count(steps.decompressing.size()), ""},
                        {"compressing", "processes that compress what is removed later",
                         count(steps.compressing.size()), ""}};
    finding.why =
        "Compressing takes a core some 20 to 100 MiB/s, more than a disk takes to write the data as "
        "they are.";
    finding.doubt = "The storage has no room for the data as they are, or is slower than the tool.";
    finding.advice = {
        {"Keep the data as they are until the last step has read them; else compress them by a "
         "quicker tool or level:",
         {"zstd -1 FILE", "gzip -1 FILE"}}};
    return Found(std::move(finding));
}

}  // namespace fathom
