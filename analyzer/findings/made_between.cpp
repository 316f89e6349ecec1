// Found by the files: logs, and the buffers that gfortran writes.
#include "analyzer/findings/made_between.h"

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

// gfortran's units have a buffer of 8 KiB for text, which they pass on by halves where its lines are short,
// and of 128 KiB for others. So much text is data for another program; less may be for people to read.
bool is_formatted(const FileCase& file)
{
    constexpr std::uint64_t buffer_for_text = 8 << 10, much = 16 << 20;
    const FileView& view = file.use->system;
    if (view.writes < few_writes || view.bytes_written < much || file.use->by_mpiio) return false;
    const std::uint64_t each = view.bytes_written / view.writes;
    return each <= buffer_for_text && each >= buffer_for_text / 2;
}

constexpr Remedy less_logged[] = {
    {Language::python,
     "Log less: a message takes longer to make than to write. Where all are needed, collect them:",
     {"logging.basicConfig(filename=path, level=logging.INFO)",
      "handler = logging.handlers.MemoryHandler(10000, target=logging.FileHandler(path))"}},
};
constexpr Remedy unformatted[] = {
    {Language::fortran,
     "Write the numbers as they are, rather than as text, which takes far longer to make than to write:",
     {"open (newunit=unit, file=path, access=\"stream\", form=\"unformatted\")", "write(unit) array"}},
};

}  // namespace

MadeBetween made_between(const Scene& scene, const AdvisedProgram& program)
{
    constexpr double most_a_byte = 100;  // ns with a core of its own; what takes longer computes there
    const bool python = is_python(program), fortran = program.uses("libgfortran") && !scene.job.mpi;
    MadeBetween made;
    if (!python && !fortran) return made;
    LostTime messages(scene.job), text(scene.job);
    std::uint64_t writes_of_most = 0;
    for (const FileCase& file : scene.files) {
        if (!(python ? is_of_messages(file) : is_formatted(file))) continue;
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::posix) continue;
            if (python) {
                messages.add(record, static_cast<double>(record[&Transfers::writes]));
                continue;
            }
            const auto bytes = static_cast<double>(record[&Transfers::bytes_written]);
            const double between = scene.work_on(file, record, bytes, Scene::Pauses::any);
            if (between <= most_a_byte * scene.stretched * bytes) text.add(record, between);
        }
        if (file.use->system.writes <= writes_of_most) continue;
        writes_of_most = file.use->system.writes;
        made.most = &file;
    }
    made.messages = most_around_messages(scene, messages);
    made.text = scene.cost_beyond_io(text);
    return made;
}

void add_made(report::Finding& finding, const MadeBetween& made, double in_calls, double run)
{
    finding.cost = report::seconds(std::min(in_calls + made.all(), run));
    if (!finding.cost_least) finding.cost_least = in_calls;
    finding.cost_basis +=
        made.text > 0 ? "; at most also what lies between the writes, in which Fortran makes text"
                      : "; at most also what Python's logging does for each message, which is assumed";
    finding.confidence =
        made.text > 0 ? report::Confidence::low : std::min(finding.confidence, report::Confidence::medium);
    finding.evidence.push_back({"made",
                                made.text > 0 ? "between writes of text" : "to make messages, at most",
                                report::seconds(made.all()), fmt::format("for {}", made.most->use->path)});
}

void advise_on_made(report::Finding& finding, const MadeBetween& made, const AdvisedProgram& program)
{
    const std::vector<report::Advice> first =
        made.text > 0 ? advice_in(program, unformatted) : advice_in(program, less_logged);
    finding.advice.insert(finding.advice.begin(), first.begin(), first.end());
}

}  // namespace fathom
