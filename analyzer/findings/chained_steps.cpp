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
    std::vector<const Member*> writers;
    std::uint64_t files = 0, bytes = 0, most_bytes = 0;
    const FileUse* most = nullptr;
};

void add_file(Chain& chain, const FileCase& file, const RunsByProcess& runs)
{
    const Member *writer = nullptr, *reader = nullptr;
    double written = 0, read = 0;
    for (const RecordView& record : file.records) {
        const auto one = runs.find(record.process);
        if (record.layer != Layer::posix || one == runs.end()) continue;
        const auto bytes = static_cast<double>(record[&Transfers::bytes_read]);
        if (record[&Transfers::bytes_written] > 0) {
            writer = one->second;
            written += static_cast<double>(record[&Transfers::bytes_written]);
        } else if (bytes > read &&
                   static_cast<double>(one->second->application_bytes(Direction::write)) > no_index * bytes) {
            reader = one->second;
            read = bytes;
        }
    }
    if (writer == nullptr || reader == nullptr || read < nearly_whole * written) return;
    const auto bytes = static_cast<std::uint64_t>(written);
    ++chain.files;
    chain.bytes += bytes;
    if (std::find(chain.writers.begin(), chain.writers.end(), writer) == chain.writers.end())
        chain.writers.push_back(writer);
    if (bytes <= chain.most_bytes) return;
    chain.most_bytes = bytes;
    chain.most = file.use;
}

Chain longest_chain(const Scene& scene)
{
    Chain longest;
    for (const ChainedTool& tool : chained_tools) {
        const RunsByProcess runs = runs_of_tools(scene.job, tool.names);
        if (runs.size() < 2) continue;
        Chain chain{&tool, {}};
        for (const FileCase& file : scene.files)
            if (file.use->kind == NameKind::file) add_file(chain, file, runs);
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
                                counted(chain.files, "file", "files"), chain.tool->names[0]);
    finding.cost = seconds(std::min(seconds_of(chain.writers), scene.run));
    finding.cost_least = 0.0;
    finding.cost_basis =
        "at most the time of the steps that write these files: what they do beside reading and writing "
        "remains";
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
