// Messages are found by their files, which are called *.log, rotated logs by their older ones.
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

// Where Python's own modules are recorded, as they are outside of /usr, its module for messages is not among
// them.
bool has_no_logging(const Scene& scene)
{
    bool modules = false, logging = false;
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView>) {
        const std::string_view path = use.path;
        const auto contains = [&](std::string_view part) {
            return path.find(part) != std::string_view::npos;
        };
        if (!contains("/lib/python3.") || contains("/site-packages")) return;
        modules = modules || path.ends_with(".pyc");
        logging = logging || contains("/logging/");
    });
    return modules && !logging;
}

constexpr Remedy less_logged[] = {
    {Language::python,
     "Log less: a message takes longer to make than to write:",
     {"logging.basicConfig(filename=path, level=logging.INFO)"}},
    {Language::python,
     "Where all are needed, leave those that may be lost with the program to the stream's buffer; all "
     "handlers of Python flush it after each message, MemoryHandler too:",
     {"class BufferedHandler(logging.FileHandler):",
      "    def flush(self): pass    # close() writes the rest"}},
};

constexpr Remedy rotation_remedies[] = {
    {Language::python,
     "Rotate the log less often, let it grow larger, and keep fewer: each time all older ones are renamed:",
     {"logging.handlers.RotatingFileHandler(path, maxBytes=100_000_000, backupCount=5)"}},
    {Language::script,
     "Rotate the log less often, let it grow larger, and keep fewer: each time all older ones are renamed."},
};
// The first of them where it is also rotated often.
constexpr Remedy asking_remedies[] = {
    rotation_remedies[0],
    {Language::python,
     "Write to a plain FileHandler, and have logrotate rotate the log: Python's RotatingFileHandler asks for "
     "its file twice before each message:",
     {"handler = logging.FileHandler(path)", "copytruncate    # in logrotate's entry for PATH"}},
};

// The log's path behind that of an older one; empty: it is none.
std::string_view path_of_log(std::string_view older)
{
    const auto end = older.find_last_not_of("0123456789");
    return end == std::string_view::npos || end + 1 == older.size() || older[end] != '.'
               ? std::string_view()
               : older.substr(0, end);
}

}  // namespace

LoggedMessages logged_messages(const Scene& scene, const AdvisedProgram& program)
{
    LoggedMessages made;
    if (!is_python(program) || has_no_logging(scene)) return made;
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

void advise_on_messages(report::Finding& finding, const Scene& scene, const AdvisedProgram& program,
                        const LoggedMessages& made)
{
    std::vector<report::Advice> advice = advice_in(program, less_logged);
    // Else they may be the program's own prints.
    const bool by_logging = rotated_logs(scene).contains(made.most->use->path) ||
                            asks_at_each_message(scene, scene.sums.posix.stats);
    if (!by_logging) advice.insert(advice.end(), finding.advice.begin(), finding.advice.end());
    finding.advice = std::move(advice);
}

std::unordered_set<std::string_view> rotated_logs(const Scene& scene)
{
    std::unordered_set<std::string_view> logs;
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView>) {
        const std::string_view path = use.path;
        if (path.ends_with(".1")) logs.insert(path_of_log(path));
    });
    return logs;
}

std::span<const Remedy> remedies_on_rotation(const Scene& scene)
{
    const auto logs = rotated_logs(scene);
    std::uint64_t all = 0, of_logs = 0;
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        const std::uint64_t renames = FileCase{&use, records}.in_posix(&PosixCounters::renames);
        all += renames;
        if (logs.contains(use.path) || logs.contains(path_of_log(use.path))) of_logs += renames;
    });
    if (of_logs <= all / 2) return {};
    return rotation_remedies;
}

bool asks_at_each_message(const Scene& scene, std::uint64_t stats)
{
    constexpr std::uint64_t some_messages = 200;
    for (const FileCase& file : scene.files) {
        const std::uint64_t asked = file.in_posix(&PosixCounters::stats), messages = file.use->system.writes;
        if (asked > stats / 2 && messages >= some_messages && asked > 2 * messages - messages / 10 &&
            asked < 2 * messages + messages / 10)
            return true;
    }
    return false;
}

std::span<const Remedy> remedies_on_asking(const Scene& scene, std::uint64_t stats)
{
    constexpr std::uint64_t often = 10;  // stats a rename
    const std::span<const Remedy> remedies = asking_remedies;
    return scene.sums.posix.renames > stats / often ? remedies : remedies.subspan(1);
}

}  // namespace fathom
