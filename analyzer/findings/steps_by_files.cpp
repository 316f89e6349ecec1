// Steps of a script by several tools, each of which writes a file that the next one reads: joined by pipes,
// they run side by side, and nothing is written, or compressed and decompressed, in between.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/many_processes_advice.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t much_passed_on = 256 << 10;
// The next step reads so much of what was written, and no more than that, from its beginning to its end.
constexpr double nearly_once = 0.9;
// Those that give nothing on before they have read all, or need a file to go to and fro in.
constexpr std::string_view not_in_pipes[] = {"sort", "shuf", "tac", "tail", "zip", "unzip"};

struct PassedOn {
    const Member *writer = nullptr, *reader = nullptr;
    const FileUse* file = nullptr;
    std::uint64_t bytes = 0;
};

// Filters that came with the system, among them awk, sed and perl.
RunsByProcess filters_of(const Job& job)
{
    RunsByProcess all;
    if (job.mpi) return all;
    for (const Member& member : job.ranks) {
        const std::string_view program = member.process.program,
                               name = program.substr(program.rfind('/') + 1);
        if (came_with_system(program) && !is_shell(program) && !name.starts_with("python") &&
            !is_one_of(name, not_in_pipes))
            all[member.process.process] = &member;
    }
    return all;
}

// Made by one run of a tool, gone through once by another one, which began when that had ended, and removed.
PassedOn passed_on(const FileCase& file, const RunsByProcess& filters)
{
    PassedOn one{.file = file.use};
    std::uint64_t written = 0, read = 0, unlinks = 0;
    for (const RecordView& record : file.records) {
        if (record.layer == Layer::posix) unlinks += record[&PosixRecord::unlinks];
        if (record.layer == Layer::mpiio || record.bytes() == 0) continue;
        const auto filter = filters.find(record.process);
        if (filter == filters.end()) return {};
        const bool writes = record[&Transfers::bytes_written] > 0;
        const Member*& of = writes ? one.writer : one.reader;
        if ((of != nullptr && of != filter->second) || (writes && record[&Transfers::bytes_read] > 0))
            return {};
        of = filter->second;
        std::uint64_t& moved = writes ? written : read;
        moved = std::max(moved, record.bytes());
    }
    if (one.writer == nullptr || one.reader == nullptr || unlinks == 0 || written < much_passed_on ||
        one.writer->process.end > one.reader->process.start ||
        static_cast<double>(read) < nearly_once * static_cast<double>(written) ||
        nearly_once * static_cast<double>(read) > static_cast<double>(written))
        return {};
    one.bytes = written;
    return one;
}

struct StepsByFiles {
    std::vector<const Member*> all, left;  // by turns today; in a pipe
    std::uint64_t files = 0, bytes = 0, most_bytes = 0;
    const FileUse* most = nullptr;

    void add(const PassedOn& one)
    {
        ++files;
        bytes += one.bytes;
        add_once(all, one.writer);
        add_once(all, one.reader);
        if (one.bytes <= most_bytes) return;
        most_bytes = one.bytes;
        most = one.file;
    }
};

// s that pipes save: with two cores at least, which run the steps side by side.
double saved_by_pipes(const StepsByFiles& steps)
{
    constexpr double cores = 2;
    double longest = 0, work = 0;
    for (const Member* const member : steps.left) {
        const double ran = static_cast<double>(member->run_time()) / 1e9;
        longest = std::max(longest, ran);
        work += ran;
    }
    return std::max(seconds_of(steps.all) - std::max(longest, work / cores), 0.0);
}

}  // namespace

MaybeFinding steps_by_files(const Scene& scene)
{
    const RunsByProcess filters = filters_of(scene.job);
    if (filters.size() < 2) return {};
    const RunsByProcess compressors = runs_of_tools(scene.job, tools_that_compress);
    StepsByFiles steps;
    std::vector<const Member*> needless;
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file) continue;
        const PassedOn one = passed_on(file, filters);
        if (one.writer == nullptr) continue;
        steps.add(one);
        if (is_compressed(file.use->path) && compressors.contains(one.writer->process.process) &&
            compressors.contains(one.reader->process.process)) {
            needless.push_back(one.writer);
            needless.push_back(one.reader);
        }
    }
    if (steps.files == 0) return {};
    std::copy_if(steps.all.begin(), steps.all.end(), std::back_inserter(steps.left),
                 [&](const Member* member) {
                     return std::find(needless.begin(), needless.end(), member) == needless.end();
                 });
    if (steps.left.size() < 2) return {};
    constexpr double least_part = 2.0 / 3;
    const double saved = std::min(saved_by_pipes(steps), scene.run);
    Finding finding;
    finding.title = fmt::format("{} written by one step of a script and read by the next",
                                counted(steps.files, "file", "files"));
    finding.cost = seconds(saved);
    finding.cost_least = saved * least_part;
    finding.cost_basis = fmt::format(
        "the time of these steps, less what the longest of them takes, or half of them all, as two cores can "
        "run them side by side{}; at least two thirds of that",
        needless.empty() ? "" : ", without those that compress and decompress in between");
    finding.confidence = Confidence::medium;
    finding.evidence = {{"handed_on", "written, and read by the next step", bytes(steps.bytes), ""},
                        {"file", "the largest", path(steps.most->path), ""},
                        {"steps", "steps", count(steps.all.size()), "one after another"}};
    finding.why = "Each step waits until the one before has written all, and then reads it from the file.";
    finding.doubt = "Steps that need all of their input before they begin; a machine with one core.";
    finding.advice = {{"Join the steps by pipes: they run side by side, and hand data on in memory:",
                       {"ONE < FILE | TWO | THREE > RESULT    # for: ONE < FILE > TMP; TWO < TMP > TMP2 …"}}};
    Found found(std::move(finding));
    found.file = steps.most;
    return found;
}

}  // namespace fathom
