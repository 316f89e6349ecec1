// Numbers that go through a file as text: to make text of them, and numbers of the text again, takes far
// longer than to move them.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <string_view>

#include "analyzer/document/units.h"
#include "analyzer/findings/advice_on_reads.h"
#include "analyzer/findings/fortran_statements.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/slices.h"

namespace fathom {
namespace {

using namespace report;

// Less may be for people to read. So much is a fault where it is written by Fortran, or where a sample shows
// that it is numbers, also if nobody reads it again: of packaged programs, which are simulations, and all
// others.
struct Limits {
    std::uint64_t much_text, more_than_read;
    double share = 0;  // of the run, that it costs at most
};
constexpr Limits in_any_case = {8 << 20, 32 << 20}, where_it_is_much = {4 << 20, 4 << 20, 0.25};
constexpr std::uint64_t few_pieces = 100, few_bytes = 64 << 10;
// What is only read is a fault where it is much of the run.
constexpr std::uint64_t much_to_read = 2 << 20;
constexpr double worthy_to_read = 0.25;
// Of what Fortran's statements took, which is measured, less is enough.
constexpr double worthy_of_statements = 0.1;
// And at least this part of it is saved.
constexpr double saved_of_statements = 0.7;
// Several times, and most of it outside of what is computed in between: a file that is open all the time is a
// protocol of the run.
constexpr std::uint64_t several_dumps = 4;
// What was written is for this job, where nearly as much was read.
constexpr double read_again = 0.8;
// ns a byte: what takes less is no text; and what the quickest take to make it.
constexpr double least_made = 10, surely_made = 6;
// Of what Python computes meanwhile, up to so much a byte (numpy.savetxt takes 100), this part is for the
// text.
constexpr double most_by_python = 150, surely_by_python = 0.75;

// Other text has a structure of its own.
bool is_table(std::string_view path)
{
    constexpr std::string_view endings[] = {".txt", ".csv", ".tsv", ".dat", ".asc", ".xyz"};
    return std::any_of(std::begin(endings), std::end(endings),
                       [&](std::string_view ending) { return path.ends_with(ending); });
}

// By printf and scanf.
bool is_formatted_by_stdio(const FileCase& file)
{
    std::uint64_t formatted = 0, calls = 0;
    for (const RecordView& record : file.records) {
        if (record.layer != Layer::stdio) continue;
        formatted += record[&StdioRecord::formatted];
        calls += record[&Transfers::reads] + record[&Transfers::writes];
    }
    return formatted >= few_pieces && formatted > calls / 2;
}

// A process may have two, of a stream's buffer and of what it moves: one of them tells how long it had the
// file.
bool is_first_of_process(const FileCase& file, const RecordView& record)
{
    return record.layer == Layer::posix ||
           std::none_of(file.records.begin(), file.records.end(), [&](const RecordView& one) {
               return one.layer == Layer::posix && one.process == record.process;
           });
}

// ns that making text takes at least, of what was computed meanwhile: where that is no more than it may take
// (`most`), hardly anything else was.
double surely_for_text(double computed, std::uint64_t text, double most)
{
    constexpr double nearly = 0.96, for_text = 0.6;
    return std::max(surely_made * static_cast<double>(text),
                    computed < nearly * most ? for_text * computed : 0);
}

struct Text {
    std::uint64_t bytes = 0, files = 0, opens = 0;
    LostTime calls, made;
    double surely = 0;  // ns of the latter, at least
    MostLost<FileUse> most = {};
    bool again = false, read = false, written = false;
};

// Of its own code, or a simulation's that others wrote: other packaged programs are there to pass text on.
bool makes_numbers(const Scene& scene, const AdvisedProgram& program)
{
    return is_packaged(program)
               ? scene.job.mpi
               : (!is_interpreted(program) || is_python(program)) && program.language != Language::shell;
}

// Moved by calls of the program's own, and not read again and again, which is a fault of its own.
bool is_data(const Scene& scene, const FileCase& file)
{
    constexpr std::uint64_t passes = 4;
    const FileView& view = file.use->system;
    return file.use->kind == NameKind::file && !file.use->by_mpiio &&
           view.bytes_read + view.bytes_written > 0 &&
           (view.highest_read == 0 ||
            view.bytes_read <=
                passes * std::max(view.highest_read * view.readers().count, view.bytes_written)) &&
           scene.datasets.file_of(file.use->file) == nullptr;
}

struct Users {
    LostTime time;
    AdvisedProgram program;
};

Users users_of(const Scene& scene, const FileCase& file)
{
    LostTime time(scene.job);
    time.add_by_time(file.records, static_cast<double>(file.use->system.time()));
    AdvisedProgram program = program_of(scene.job, time, file.use->path);
    return {std::move(time), std::move(program)};
}

// What was written as text, of all files: by Fortran's formats, and numbers by Python.
struct Written {
    std::uint64_t by_formats = 0, by_python = 0;
};
Written written_as_text(const Scene& scene)
{
    Written written;
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->system;
        const bool formats = is_formatted_by_fortran(view.writes, view.bytes_written);
        if (!is_data(scene, file) || !(formats || file.holds_numbers())) continue;
        const AdvisedProgram program = users_of(scene, file).program;
        if (formats && program.language == Language::fortran) written.by_formats += view.bytes_written;
        if (is_python(program) && file.holds_numbers()) written.by_python += view.bytes_written;
    }
    return written;
}

// ns, at most: where statements are timed, no more than they took counts in the end.
double formatting(const Scene& scene, const FileCase& file, const RecordView& record)
{
    constexpr double most_a_byte = 100;
    const std::int64_t rank = scene.job.rank_index(record.process);
    const bool timed =
        rank >= 0 && scene.job.ranks[static_cast<std::size_t>(rank)].process.fortran_formatted > 0;
    return timed ? most_a_byte * static_cast<double>(record.bytes())
                 : scene.work_on_whole(file, record, false);
}

void add(Text& all, const Scene& scene, const FileCase& file, const Written& written, const Limits& limits)
{
    const FileView& view = file.use->system;
    const FileView& above = file.use->application();
    const std::uint64_t bytes = view.bytes_read + view.bytes_written;
    if (!is_data(scene, file)) return;
    const auto [of_file, program] = users_of(scene, file);
    const bool fortran = program.language == Language::fortran &&
                         is_formatted_by_fortran(view.writes, view.bytes_written),
               numbers = makes_numbers(scene, program) && file.holds_numbers(),
               again = view.bytes_written > 0 && static_cast<double>(view.bytes_read) >=
                                                     read_again * static_cast<double>(view.bytes_written),
               by_python = numbers && is_python(program),
               only_read = numbers && view.bytes_written == 0 && bytes >= much_to_read,
               once = (fortran &&
                       (above.opens >= several_dumps || written.by_formats >= limits.more_than_read)) ||
                      (by_python ? written.by_python >= limits.more_than_read && view.creates < several_dumps
                                 : numbers && (bytes >= (is_packaged(program) ? limits.much_text
                                                                              : limits.more_than_read) ||
                                               (only_read && !is_packaged(program))));
    // What awk reads has to be text.
    if (program.name.ends_with("awk")) return;
    const bool is_text =
        (numbers && (once || !by_python)) ||
        (!is_packaged(program) && program.language != Language::shell &&
         (fortran || (is_table(file.use->path) && !file.holds_words()) || is_formatted_by_stdio(file)));
    if (!is_text || !(again || once)) return;
    LostTime made(scene.job);
    for (const RecordView& record : file.records)
        if (is_first_of_process(file, record))
            made.add(record, fortran ? formatting(scene, file, record)
                             : numbers && !is_interpreted(program)
                                 ? scene.work_on_numbers(file, record)
                                 : scene.work_on_whole(file, record, is_interpreted(program)));
    // Calls of printf and scanf make it themselves.
    const double in_calls = is_formatted_by_stdio(file) ? of_file.total() : 0;
    if (made.total() + in_calls < least_made * static_cast<double>(bytes)) return;
    all.bytes += bytes;
    ++all.files;
    all.opens += above.opens;
    all.again = all.again || again;
    all.read = all.read || view.bytes_read > 0;
    all.written = all.written || view.bytes_written > 0;
    if (numbers)
        all.surely += is_interpreted(program)
                          ? surely_by_python * std::min(made.total(), most_by_python * scene.stretched *
                                                                          static_cast<double>(bytes))
                          : surely_for_text(made.total(), bytes,
                                            scene.most_on_numbers(view.bytes_read, view.bytes_written));
    // A line at a time: what these calls take is another fault's, but for some of it.
    constexpr std::uint64_t a_line = 512;
    constexpr double for_bytes = 0.1;
    const bool by_lines = !is_formatted_by_stdio(file) && bytes < a_line * (view.reads + view.writes);
    all.calls.add(of_file, (by_lines ? for_bytes : 1) * of_file.total());
    all.made.add(made, made.total());
    all.most.add(*file.use, made.total());
}

constexpr Remedy text_remedies[] = {
    {Language::fortran,
     "Write the numbers as they are, rather than as text, which takes far longer to make than to write, and "
     "to take apart than to read:",
     {"open (newunit=unit, file=path, access=\"stream\", form=\"unformatted\")", "write(unit) array"}},
    {Language::fortran,
     "Where it has to stay text, have gfortran pass it on in larger pieces:",
     {"export GFORTRAN_FORMATTED_BUFFER_SIZE=4194304"}},
    {Language::cxx,
     "Write the numbers as they are, rather than as text:",
     {"file.write(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(double));"}},
    {Language::c,
     "Write the numbers as they are, rather than as text:",
     {"fwrite(array, sizeof *array, length, file);"}},
    {Language::h5py,
     "Keep the numbers as they are, rather than as text:",
     {"file.create_dataset(name, data=array)"}},
    {Language::python,
     "Keep the numbers as they are, rather than as text: arrays by NumPy, tables of pandas as Parquet or "
     "Feather, other objects by pickle:",
     {"numpy.save(path, array)", "array = numpy.load(path)", "table.to_feather(path)",
      "pickle.dump(state, file, protocol=-1)"}},
    {Language::script, "Keep the numbers as they are, rather than as text, or leave the file out."},
    {Language::packaged,
     "Have LAMMPS dump less often, or positions in the binary form of DCD:",
     {"dump ID GROUP dcd 1000 FILE.dcd"},
     "lmp"},
    {Language::packaged,
     "Look for an option of PROGRAM that has it write and read numbers as they are, in binary files."},
};

// ns: no more than Fortran's statements took beside the calls in them, where they are timed.
double most_made(const Process& process, double in_calls)
{
    return process.fortran_formatted > 0
               ? std::max(static_cast<double>(process.fortran_formatted_time) - in_calls, 0.0)
               : std::numeric_limits<double>::max();
}

// Of one file that ranks read: who takes it apart for whom.
void add_readers(Finding& finding, const Scene& scene, const FileUse& file)
{
    constexpr double nearly_all = 0.9;
    const FileView& view = file.application();
    const Movers readers = view.readers();
    const std::size_t ranks = scene.job.ranks.size();
    if (!scene.job.mpi || ranks < 2 || readers.at_most) return;
    if (readers.count == 1) {
        finding.title += fmt::format(", by one of {} ranks", format_count(ranks));
        finding.advice.push_back(
            {"Or have each rank take a part of the file apart, from the first line after its share of the "
             "bytes on."});
    } else if (static_cast<double>(view.bytes_read) >=
               nearly_all * static_cast<double>(readers.count * view.highest_read)) {
        finding.title += fmt::format(", the same by {} ranks", format_count(readers.count));
        finding.advice.insert(finding.advice.begin(), {"Have one rank take it apart and send the numbers to "
                                                       "the others by MPI_Bcast, or to each what it "
                                                       "needs by MPI_Scatterv."});
    }
}

// Nothing where it is less than these limits.
MaybeFinding finding_within(const Scene& scene, const Written& written, const Limits& limits)
{
    Text all{.calls = LostTime(scene.job), .made = LostTime(scene.job)};
    for (const FileCase& file : scene.files) add(all, scene, file, written, limits);
    if (all.most.use == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, all.calls, all.most.use->path);
    // What an interpreter makes, and reads again, takes it far longer.
    constexpr std::uint64_t much_interpreted = 4 << 20;
    const bool only_read = all.read && !all.written;
    if (all.bytes < (only_read                              ? much_to_read
                     : all.again && is_interpreted(program) ? much_interpreted
                                                            : limits.much_text))
        return {};
    all.made.limit(
        [&](std::size_t rank) { return most_made(scene.job.ranks[rank].process, all.calls.of(rank)); });
    // Ranks that hand a turn on make it one after the other.
    const bool by_turns = scene.turns.handed_over;
    const double in_calls = scene.cost(all.calls), made = by_turns
                                                              ? std::min(all.made.total() / 1e9, scene.run)
                                                              : scene.cost_beyond_io(all.made);
    if (only_read && all.bytes < limits.more_than_read && in_calls + made < worthy_to_read * scene.run)
        return {};
    const bool statements =
        std::any_of(scene.job.ranks.begin(), scene.job.ranks.end(),
                    [](const Member& member) { return member.process.fortran_formatted_time > 0; });
    if (in_calls + made <
        (statements ? std::min(limits.share, worthy_of_statements) : limits.share) * scene.run)
        return {};
    Finding finding;
    const std::string_view passed = all.again || (all.read && all.written) ? "pass through"
                                    : all.read                             ? "are read from"
                                                                           : "are written to";
    finding.title = fmt::format("{} of numbers {} {} as text", format_bytes(all.bytes), passed,
                                all.files == 1 ? "a file" : format_count(all.files) + " files");
    finding.cost = seconds(std::min(in_calls + made, scene.run));
    const double surely = all.surely / std::max(all.made.total(), 1.0);
    finding.cost_least =
        in_calls / 2 + made * std::min(std::max(surely, statements ? saved_of_statements : 0), 1.0);
    finding.cost_basis =
        "at most the time in calls on these files and all that the program computed while it had them open; "
        "at least half of the time in calls, as numbers take half the bytes of their text or less";
    if (statements)
        finding.cost_basis += "; and of the rest of Fortran's statements";
    else if (all.surely > 0 && is_interpreted(program))
        finding.cost_basis += "; and three quarters of up to 150 ns a byte that Python computes meanwhile";
    else if (all.surely > 0)
        finding.cost_basis +=
            "; of a compiled program between 6 and 40 ns a byte (25 of what it reads), which are assumed, or "
            "most of what it "
            "computes meanwhile, where that is less";
    finding.confidence = all.again ? Confidence::medium : Confidence::low;
    finding.evidence = {
        {"text", "text", bytes(all.bytes),
         !all.read      ? "written"
         : !all.written ? "read"
                        : "read and written"},
        {"made", "computed for it, at most", seconds(made),
         fmt::format("{} a byte", format_seconds(all.made.total() / 1e9 / static_cast<double>(all.bytes)))},
        {"file", "most of it for", path(all.most.use->path),
         all.most.number > 1 ? fmt::format("one of {} files, opened {} in all", format_count(all.most.number),
                                           counted(all.opens, "time", "times"))
                             : fmt::format("opened {}", counted(all.opens, "time", "times"))}};
    for (const Member& member : scene.job.ranks)
        if (const std::string line = fortran_line_of(member.process); !line.empty()) {
            finding.evidence.push_back({"line", "Fortran's line with most time", text(line), ""});
            break;
        }
    finding.why = "To make text of a number, or a number of text, takes far longer than to copy it.";
    finding.doubt =
        only_read ? "An input that comes as text and is read once; where several runs read it, it can be "
                    "converted once."
                  : "Text that people, or a program that nobody can change, have to read.";
    finding.advice = advice_in(program, text_remedies);
    if (only_read) {
        finding.advice = on_reads(std::move(finding.advice));
        // It is taken apart piece by piece all the same.
        std::erase_if(finding.advice,
                      [](const Advice& one) { return one.text.starts_with("Where it has to stay text"); });
    }
    if (only_read && all.files == 1) add_readers(finding, scene, *all.most.use);
    Found found(std::move(finding), all.calls);
    found.file = all.most.use;
    found.explains_others = !only_read;
    return found;
}

// Whether what is written comes in bursts, or from most ranks: a protocol of the run comes evenly, and from
// one of them.
bool are_dumps(const Scene& scene)
{
    constexpr std::size_t slices_of_run = 64, few = 2;
    constexpr double much_of_highest = 0.25, most_of_time = 0.8;
    std::size_t writers = 0;
    for (const Member& member : scene.job.ranks)
        writers += member.application_bytes(Direction::write) >= few_bytes;
    if (scene.job.mpi && writers > 1 && 2 * writers > scene.job.ranks.size()) return true;
    const JobSlices slices = slices_of(scene.job, slices_of_run, 1);
    double highest = 0;
    for (const Activity& one : slices.lowest) highest = std::max(highest, one.bytes_written);
    std::size_t number = 0, filled = 0, first = 0, last = 0, at = 0;
    bool in_burst = false;
    for (const Activity& one : slices.lowest) {
        const bool now = one.bytes_written > much_of_highest * highest;
        if (now && filled++ == 0) first = at;
        if (now) last = at;
        number += now && !in_burst;
        in_burst = now;
        ++at;
    }
    return number >= few &&
           static_cast<double>(filled) < most_of_time * static_cast<double>(last - first + 1);
}

}  // namespace

MaybeFinding text_data(const Scene& scene)
{
    const Written written = written_as_text(scene);
    if (MaybeFinding found = finding_within(scene, written, in_any_case)) return found;
    if (!are_dumps(scene)) return {};
    MaybeFinding found = finding_within(scene, written, where_it_is_much);
    if (found) found->explains_others = false;
    return found;
}

}  // namespace fathom
