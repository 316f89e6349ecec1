// Steps of a script by one tool, each of which writes a file that the next one reads: where the tool can do
// them in one run, or hand data on by a pipe, nothing is encoded, written, read and decoded in between.
#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

// A row for each tool that can chain its steps.
struct ChainedTool {
    std::string_view names[4];  // of its executables
    std::string_view advice;
    std::string_view lines[2];
};
constexpr ChainedTool chained_tools[] = {
    {{"samtools", "bcftools"},
     "Join the steps by pipes, and have them hand on data that are not compressed:",
     {"bcftools view -Ou FILE | bcftools view -i … -Ob -o RESULT",
      "samtools view -u FILE | samtools sort -o RESULT"}},
    {{"cdo"},
     "Give all operators to one run, the last one first: each hands its fields on in memory:",
     {"cdo -fldmean -yearmean -selname,t2m FILE RESULT"}},
    {{"convert-im6.q16", "convert", "magick", "gm"},
     "Give all operations to one run, in their order:",
     {"convert FILE -resize 50% -rotate 90 -modulate 110 RESULT"}},
    {{"sox"},
     "Give all effects to one run, in their order:",
     {"sox FILE RESULT norm -1 highpass 80 rate 16000"}},
    {{"ffmpeg"},
     "Give all filters to one run, in their order:",
     {"ffmpeg -i FILE -vf scale=1280:-1,eq=contrast=1.1 RESULT"}},
    {{"gdal_translate", "gdalwarp"},
     "Have all steps but the last write a description in place of pixels:",
     {"gdalwarp -of VRT … FILE step.vrt", "gdal_translate step.vrt RESULT"}},
};

constexpr std::uint64_t much_handed_on = 256 << 10;
// Of what was written, the next step reads so much: it went through all of it, and made something of it that
// is no index.
constexpr double nearly_whole = 0.9, no_index = 0.01;

struct Chain {
    const ChainedTool* tool = nullptr;
    std::vector<const Member*> writers, readers;
    std::uint64_t files = 0, bytes = 0, most_bytes = 0;
    const FileUse* most = nullptr;
};

// Of one run in one file, by whatever layer.
struct MovedByRun {
    const Member* run = nullptr;
    double written = 0, read = 0;
};

// In the end it is gone: nobody wants it but the next step.
bool is_removed(const FileCase& file)
{
    return std::any_of(file.records.begin(), file.records.end(), [](const RecordView& record) {
        return record.layer == Layer::posix && record[&PosixRecord::unlinks] > 0;
    });
}

std::vector<MovedByRun> moved_by_runs(const FileCase& file, const RunsByProcess& runs)
{
    std::vector<MovedByRun> moved;
    for (const RecordView& record : file.records) {
        const auto run = runs.find(record.process);
        if (run == runs.end() || record.layer == Layer::mpiio) continue;
        auto one = std::find_if(moved.begin(), moved.end(),
                                [&](const MovedByRun& of) { return of.run == run->second; });
        if (one == moved.end()) one = moved.insert(moved.end(), MovedByRun{run->second});
        const std::uint64_t mapped = record.layer == Layer::posix ? record[&PosixRecord::map_bytes_read] : 0;
        one->written = std::max(one->written, static_cast<double>(record[&Transfers::bytes_written]));
        one->read = std::max(one->read, static_cast<double>(record[&Transfers::bytes_read] + mapped));
    }
    return moved;
}

void add_file(Chain& chain, const FileCase& file, const RunsByProcess& runs)
{
    const std::vector<MovedByRun> moved = moved_by_runs(file, runs);
    const auto writer =
        std::max_element(moved.begin(), moved.end(),
                         [](const MovedByRun& a, const MovedByRun& b) { return a.written < b.written; });
    if (writer == moved.end() || writer->written == 0) return;
    const auto reader = std::find_if(moved.begin(), moved.end(), [&](const MovedByRun& one) {
        return one.written == 0 && one.read >= nearly_whole * writer->written &&
               static_cast<double>(one.run->application_bytes(Direction::write)) > no_index * one.read;
    });
    if (reader == moved.end()) return;
    const auto bytes = static_cast<std::uint64_t>(writer->written);
    ++chain.files;
    chain.bytes += bytes;
    add_once(chain.writers, writer->run);
    add_once(chain.readers, reader->run);
    if (bytes <= chain.most_bytes) return;
    chain.most_bytes = bytes;
    chain.most = file.use;
}

// s from the start of the first step to that of the last, but for what else the script did meanwhile: at most
// as long again as the steps that write.
double seconds_until_last(const Chain& chain)
{
    constexpr double most = 2;
    const auto starts_before = [](const Member* a, const Member* b) {
        return a->process.start < b->process.start;
    };
    const Member* const first = *std::min_element(chain.writers.begin(), chain.writers.end(), starts_before);
    const Member* const last = *std::max_element(chain.readers.begin(), chain.readers.end(), starts_before);
    const double steps = seconds_of(chain.writers),
                 span = last->process.start > first->process.start
                            ? static_cast<double>(last->process.start - first->process.start) / 1e9
                            : 0;
    return std::clamp(span, steps, most * steps);
}

// As it was called, where that is one of its names, else its executable.
std::string_view name_of(const Chain& chain)
{
    const Process& process = chain.writers.front()->process;
    std::string_view called = process.command;
    called = called.substr(0, called.find(' '));
    called = called.substr(called.rfind('/') + 1);
    const auto& names = chain.tool->names;
    return std::find(std::begin(names), std::end(names), called) != std::end(names)
               ? called
               : std::string_view(process.program).substr(process.program.rfind('/') + 1);
}

Chain longest_chain(const Scene& scene)
{
    Chain longest;
    for (const ChainedTool& tool : chained_tools) {
        const RunsByProcess runs = runs_of_tools(scene.job, tool.names);
        if (runs.size() < 2) continue;
        Chain chain;
        chain.tool = &tool;
        for (const FileCase& file : scene.files)
            if (file.use->kind == NameKind::file && is_removed(file)) add_file(chain, file, runs);
        if (chain.bytes > longest.bytes) longest = std::move(chain);
    }
    return longest;
}

}  // namespace

MaybeFinding chained_steps(const Scene& scene)
{
    const Chain chain = longest_chain(scene);
    if (chain.bytes < much_handed_on) return {};
    Finding finding;
    finding.title = fmt::format("{} written by one step of {} and read by the next",
                                counted(chain.files, "file", "files"), name_of(chain));
    const double most = std::min(seconds_until_last(chain), scene.run);
    finding.cost = seconds(most);
    finding.cost_least = most / 3;
    finding.cost_basis =
        "at most the time from the start of the first step to that of the last: what they do beside reading "
        "and writing remains; a third of it is assumed to be the least";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"handed_on", "written, and read by the next step", bytes(chain.bytes), ""},
                        {"file", "the largest", path(chain.most->path), ""},
                        {"steps", "steps that write such files", count(chain.writers.size()), ""}};
    finding.why = "Each step starts anew, decodes what it reads, and encodes what it writes.";
    finding.doubt = "Files that are to be kept; steps that need all of their input before the next begins.";
    Advice& advice = finding.advice.emplace_back(Advice{std::string(chain.tool->advice)});
    for (const std::string_view line : chain.tool->lines)
        if (!line.empty()) advice.lines.emplace_back(line);
    Found found(std::move(finding));
    found.file = chain.most;
    return found;
}

}  // namespace fathom
