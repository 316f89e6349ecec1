// Found by their files, which are called *.log.
#include "analyzer/findings/logging.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/interpreter.h"

namespace fathom {
namespace {

constexpr std::uint64_t few_writes = 1000;

// Written a line each, to a log.
bool is_of_messages(const FileCase& file)
{
    constexpr std::uint64_t longest_message = 500;
    const FileView& view = file.use->system;
    return view.writes >= few_writes && view.bytes_written <= longest_message * view.writes &&
           file.use->path.ends_with(".log");
}

constexpr Remedy less_logged[] = {
    {Language::python,
     "Log less: a message takes longer to make than to write. Where all are needed, collect them:",
     {"logging.basicConfig(filename=path, level=logging.INFO)",
      "handler = logging.handlers.MemoryHandler(10000, target=logging.FileHandler(path))"}},
};

}  // namespace

LoggedMessages logged_messages(const Scene& scene, const AdvisedProgram& program)
{
    LoggedMessages made;
    if (!is_python(program)) return made;
    LostTime messages(scene.job);
    std::uint64_t writes_of_most = 0;
    for (const FileCase& file : scene.files) {
        if (!is_of_messages(file)) continue;
        for (const RecordView& record : file.records)
            if (record.layer == Layer::posix)
                messages.add(record, static_cast<double>(record[&Transfers::writes]));
        if (file.use->system.writes <= writes_of_most) continue;
        writes_of_most = file.use->system.writes;
        made.most = &file;
    }
    made.messages = most_around_messages(scene, messages);
    return made;
}

void add_messages(report::Finding& finding, const LoggedMessages& made, double in_calls, double run)
{
    finding.cost = report::seconds(std::min(in_calls + made.messages, run));
    if (!finding.cost_least) finding.cost_least = in_calls;
    finding.cost_basis += "; at most also what Python's logging does for each message, which is assumed";
    finding.confidence = std::min(finding.confidence, report::Confidence::medium);
    finding.evidence.push_back({"made", "to make messages, at most", report::seconds(made.messages),
                                fmt::format("for {}", made.most->use->path)});
}

void advise_on_messages(report::Finding& finding, const AdvisedProgram& program)
{
    const std::vector<report::Advice> first = advice_in(program, less_logged);
    finding.advice.insert(finding.advice.begin(), first.begin(), first.end());
}

}  // namespace fathom
