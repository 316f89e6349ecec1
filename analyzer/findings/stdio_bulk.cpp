// Much data in small pieces through stdio, which copies each byte once more and asks the system for a few KiB
// at a time.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/memory_reads.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

using namespace report;

// Pieces as long as a stream's buffer pass it by, and are a fault where they lie apart.
constexpr std::uint64_t much = 1 << 20, many_calls = 10'000, large_piece = 1 << 20, of_buffer = 4 << 10;
// Calls that the buffer serves are not timed: about what they take, ns, for one byte and for more. Where a
// process has threads, as MPI gives one to each, a character takes a lock, which a piece does in any case.
constexpr double untimed_character = 4, locked_character = 10, untimed_piece = 15;
// The same of std::cin, while it is in step with stdin.
constexpr double synced_character = 8;

double character_of(const Job& job, const RecordView& record)
{
    const Member* const member = job.member_of(record);
    const bool threads = member != nullptr && member->process.threads > 1;
    return job.mpi || threads ? locked_character : untimed_character;
}

// Read after a seek each, forward, and apart.
bool is_apart(const RecordView& record)
{
    const std::uint64_t reads = record[&Transfers::reads];
    return record.has_pattern() && record[&Pattern::seeks] > reads / 2 &&
           record[&Pattern::consecutive_reads] < reads / 2 && record[&Pattern::sequential_reads] > reads / 2;
}

struct Bulk {
    std::uint64_t calls = 0, apart = 0, bytes = 0;
    double time = 0, seek_time = 0, excess = 0, least = 0;  // ns
    LostTime lost, untimed;
    std::uint64_t untimed_calls = 0, seeks = 0, in_order = 0;
    std::uint64_t switches = 0;            // of streams that seek: from reading to writing, or back
    double character = untimed_character;  // ns
    const FileUse* most = nullptr;
    std::uint64_t bytes_of_most = 0;
    double excess_of_most = 0;  // ns
    Direction direction = Direction::write;
};

constexpr Remedy stream_read_remedies[] = {
    {Language::c,
     "Move arrays whole, or some MiB, in one call:",
     {"fread(array, sizeof array[0], length, file);"}},
    {Language::c,
     "Where the pieces cannot be larger, give the stream a large buffer before its first use, and use the "
     "calls without locks for single characters:",
     {own_buffer, set_buffer, "getc_unlocked(file);"}},
    {Language::python,
     "Read arrays whole: NumPy takes those of one file by one call:",
     {"array = numpy.fromfile(path, dtype=float)"}},
    {Language::script, "Read some MiB by one call, and take them apart in memory."},
    {Language::packaged,
     "Look for an option of PROGRAM that sets a buffer size. Where it reads standard input, that can have a "
     "larger one:",
     {"stdbuf --input=4M PROGRAM < INPUT"}},
    {Language::sort,
     "sort compares bytes, which is faster, where the order of a language does not matter, and works on "
     "several cores:",
     {"LC_ALL=C sort --parallel=8 --buffer-size=4G FILE"}},
};
constexpr Remedy stream_write_remedies[] = {
    {Language::c,
     "Move arrays whole, or some MiB, in one call:",
     {"fwrite(array, sizeof array[0], length, file);"}},
    {Language::c,
     "Where the pieces cannot be larger, give the stream a large buffer before its first use, and use the "
     "calls without locks for single characters:",
     {own_buffer, set_buffer, "putc_unlocked(c, file);"}},
    {Language::python,
     "Put the pieces into one array and write it by one call:",
     {"numpy.concatenate(pieces).tofile(file)"}},
    {Language::script, "Put the pieces together in memory, and write some MiB by one call."},
    {Language::packaged,
     "Look for an option of PROGRAM that sets a buffer size. Where it writes to standard output, that can "
     "have a larger one:",
     {"stdbuf --output=4M PROGRAM > OUTPUT"}},
    {Language::sort,
     "sort compares bytes, which is faster, where the order of a language does not matter, and works on "
     "several cores:",
     {"LC_ALL=C sort --parallel=8 --buffer-size=4G FILE"}},
};
// A larger buffer is of no use: it is emptied all the same.
constexpr Remedy stream_seek_remedies[] = {
    {Language::c,
     "Keep in memory what is at the other place, such as a header or an index, and write it once, at the "
     "end, or every so many records. Where pieces lie apart, move some MiB from the first to the last by one "
     "call:",
     {"fwrite(block, 1, 4 << 20, file);"}},
    {Language::c,
     "Or keep a descriptor for each place, and move without seeking:",
     {"pwrite(fd, &header, sizeof header, 0);"}},
    {Language::script,
     "Keep in memory what is at the other place, such as a header or an index, and write it once, at the "
     "end."},
};

// Where the next piece follows the last one, and where they lie apart.
constexpr Remedy stream_needless_seek_remedies[] = {
    {Language::c, "Leave out the seeks: nearly all pieces follow the last one, which fread goes on from."},
    {Language::script, "Leave out the seeks: nearly all pieces follow the last one."},
};
constexpr Remedy stream_seek_and_read_remedies[] = {
    {Language::c,
     "Read some MiB from the first place to the last by one call, and pick from memory:",
     {"fread(block, 1, 4 << 20, file);"}},
    {Language::c, "Leave out the seek where the next piece follows the last one."},
    {Language::script, "Read the region that has the pieces, and pick from memory."},
};

// A packaged tool under an option that has it do without buffers.
constexpr Remedy unbuffered_remedies[] = {
    {Language::packaged,
     "Leave out the option that has PROGRAM do without buffers, such as sed -u, grep --line-buffered or "
     "stdbuf: the calls take as long as if there were none."},
};

// A stream has to seek between reading and writing.
constexpr Remedy stream_update_remedies[] = {
    {Language::c,
     "Read some MiB, change the records in memory, and write them back by one call:",
     {"size_t n = fread(block, 1, sizeof block, file);", "fseek(file, -(long)n, SEEK_CUR);",
      "fwrite(block, 1, n, file);", "fseek(file, 0, SEEK_CUR);    // before the next block"}},
    {Language::script, "Read some MiB, change the records in memory, and write them back by one call."},
};

std::span<const Remedy> remedies_on_seeks(const Bulk& bulk)
{
    if (bulk.switches > bulk.calls / 2) return stream_update_remedies;
    if (bulk.direction == Direction::write) return stream_seek_remedies;
    if (bulk.in_order > bulk.calls / 2) return stream_needless_seek_remedies;
    return stream_seek_and_read_remedies;
}

// A call that its buffer serves takes some ns, or, each time it is empty, some us.
bool are_unbuffered(const Bulk& bulk)
{
    constexpr double served = 10e3, small = 4096;
    constexpr double few_served = 0.2e3, few_bytes = 16;  // of which a buffer holds hundreds
    const auto calls = static_cast<double>(bulk.calls), bytes = static_cast<double>(bulk.bytes);
    return bulk.calls >= many_calls && bulk.seek_time < bulk.time / 2 &&
           ((bytes < small * calls && bulk.time > served * calls) ||
            (bytes < few_bytes * calls && bulk.time > few_served * calls));
}

// Of a program whose own streams do so.
Advice advice_on_no_buffer(const AdvisedProgram& program)
{
    if (is_interpreted(program))
        return {"Leave the stream its buffer: each of these calls takes as long as if there were none."};
    return {
        "Leave the stream its buffer: each of these calls takes as long as if there were none, as after "
        "setvbuf with _IONBF or setbuf(file, NULL):",
        {std::string(own_buffer), std::string(set_buffer)}};
}

constexpr Remedy synced_remedies[] = {
    {Language::cxx,
     "Have std::cin read by itself, in large pieces, before its first use:",
     {"std::ios::sync_with_stdio(false);", "std::cin.tie(nullptr);"}},
};

// std::cin on a redirected file: each character is a call, and some are put back.
bool is_synced_input(const Scene& scene, const AdvisedProgram& program, const Bulk& sum)
{
    if (program.language != Language::cxx || sum.direction != Direction::read || sum.calls <= sum.bytes)
        return false;
    return std::any_of(scene.files.begin(), scene.files.end(), [&](const FileCase& file) {
        return file.use == sum.most &&
               std::all_of(file.records.begin(), file.records.end(), [](const RecordView& record) {
                   return record[&Transfers::bytes_read] == 0 || record[&Transfers::opens] == 0;
               });
    });
}

}  // namespace

MaybeFinding stdio_bulk(const Scene& scene)
{
    Bulk sum{.lost = LostTime(scene.job), .untimed = LostTime(scene.job)};
    std::uint64_t all = 0;
    const Mounts mounts(scene.job.log);
    for (const FileCase& file : scene.files) {
        all += file.use->application().bytes();
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::stdio || file.use->by_mpiio) continue;
            for (const Direction direction : directions) {
                const bool reads = direction == Direction::read;
                const std::uint64_t all_calls =
                                        reads ? record[&Transfers::reads] : record[&Transfers::writes],
                                    all_bytes = reads ? record[&Transfers::bytes_read]
                                                      : record[&Transfers::bytes_written];
                if (all_calls == 0 || all_bytes / all_calls >= large_piece) continue;
                const bool apart = reads && is_apart(record);
                if (all_bytes / all_calls >= of_buffer && !apart && is_local(mounts.type_of(*file.use)))
                    continue;
                const std::uint64_t buffered =
                                        std::min(all_calls, reads ? record[&StdioRecord::buffered_reads]
                                                                  : record[&StdioRecord::buffered_writes]),
                                    timed = all_calls - buffered;
                // So much at a time goes on as it is: that a server is slow is another matter.
                constexpr std::uint64_t enough_for_server = 8 << 10;
                if (all_bytes >= enough_for_server * timed)
                    if (const auto type = mounts.type_of(*file.use); !type.empty() && !is_local(type))
                        continue;
                // One call an open moves a small file whole.
                if (all_calls <= record[&Transfers::opens]) continue;
                // Making text, or taking it apart, takes as long with larger pieces. Which of a record that
                // is both read and written were such calls is not known: by number.
                const double other = 1 - static_cast<double>(std::min(
                                             record[&StdioRecord::formatted],
                                             record[&Transfers::reads] + record[&Transfers::writes])) /
                                             static_cast<double>(record[&Transfers::reads] +
                                                                 record[&Transfers::writes]),
                             part =
                                 static_cast<double>(all_calls) /
                                 static_cast<double>(record[&Transfers::reads] + record[&Transfers::writes]);
                const auto calls = static_cast<std::uint64_t>(other * static_cast<double>(all_calls)),
                           bytes = static_cast<std::uint64_t>(other * static_cast<double>(all_bytes));
                if (calls == 0) continue;
                sum.untimed_calls += buffered;
                const bool characters = all_bytes < 2 * all_calls;
                const double each = characters ? character_of(scene.job, record) : untimed_piece;
                sum.untimed.add(record,
                                static_cast<double>(buffered) * each * (characters ? scene.stretched : 1));
                if (characters) sum.character = std::max(sum.character, each);
                const double moving =
                    std::max(static_cast<double>(reads ? record[&Transfers::read_time]
                                                       : record[&Transfers::write_time] -
                                                             record[&Transfers::sync_time]) -
                                 part * static_cast<double>(record[&StdioRecord::format_time]) -
                                 scene.clock_cost * static_cast<double>(std::min(calls, timed)),
                             0.0);
                // A seek before each piece: without it, libc would take the next one from its buffer.
                // A few at each open are those of a library that reads the file's header, as NumPy does.
                constexpr std::uint64_t few_an_open = 8;
                const bool seeks = record.has_pattern() && record[&Pattern::seeks] > all_calls / 2 &&
                                   record[&Pattern::seeks] > few_an_open * file.use->system.opens;
                const double seeking =
                                 seeks ? part * static_cast<double>(record[&Transfers::metadata_time]) : 0,
                             time = moving + seeking;
                // What memory serves is work: it waits for cores as all work does, whatever the pieces.
                const bool is_work = are_from_memory(scene, static_cast<double>(timed), 0, time);
                const double worked = time / (is_work ? scene.stretched : 1);
                sum.seeks += seeks ? record[&Pattern::seeks] : 0;
                sum.in_order += seeks ? record[&Pattern::consecutive_reads] : 0;
                sum.switches += seeks ? record[&Transfers::switches] : 0;
                sum.seek_time += seeking;
                sum.calls += calls;
                sum.apart += apart ? calls : 0;
                sum.bytes += bytes;
                sum.time += time;
                const double excess = std::max(
                    worked - static_cast<double>(bytes) * scene.reference(direction).ns_per_byte, 0.0);
                sum.excess += excess;
                sum.least +=
                    scene.at_least(direction, worked, static_cast<double>(calls), static_cast<double>(bytes));
                sum.lost.add(record, excess);
                const double in_it = excess + static_cast<double>(buffered) * each;
                if (sum.most != nullptr && in_it <= sum.excess_of_most) continue;
                sum.excess_of_most = in_it;
                sum.bytes_of_most = bytes;
                sum.most = file.use;
                sum.direction = direction;
            }
        }
    }
    // An interpreter's own stream, which the program cannot give a buffer, matters where much goes through
    // it.
    const auto interpreted = [&] {
        const Language language = program_of(scene.job, sum.lost).language;
        return language == Language::shell || language == Language::script;
    };
    if (sum.most == nullptr ||
        (sum.bytes < much && (sum.calls < many_calls || (sum.seek_time < sum.time / 2 && interpreted()))))
        return {};
    const AdvisedProgram program = program_of(scene.job, sum.lost, sum.most->path);
    // Nobody who reads this could change it, nor where a script starts it.
    const AdvisedProgram tool = executable_of(scene.job, sum.lost);
    const bool unbuffered = is_packaged(tool) && are_unbuffered(sum);
    if ((is_packaged(program) || is_packaged(tool)) && !unbuffered) return {};
    // Their own printf, echo and print do so.
    if (program.language == Language::shell || (program.name.ends_with("awk") && !are_unbuffered(sum)))
        return {};
    const auto& reference = scene.reference(sum.direction);
    Finding finding;
    const std::string pieces =
        format_bytes(std::max<std::uint64_t>((sum.bytes + sum.calls / 2) / sum.calls, 1));
    const bool mostly_seeks = sum.seek_time > sum.time / 2 || sum.apart > sum.calls / 2;
    finding.title =
        mostly_seeks
            ? fmt::format("{} seeks in streams, between pieces of {}", format_count(sum.seeks), pieces)
            : fmt::format("{} go through stdio in pieces of {}", format_bytes(sum.bytes), pieces);
    const bool synced = is_synced_input(scene, program, sum);
    const double character = synced ? synced_character : sum.character;
    const double untimed = scene.cost_beyond_io(sum.untimed) * character / sum.character,
                 timed = scene.cost(sum.lost);
    finding.cost = seconds(timed + untimed);
    if (!reference.measured)
        finding.cost_least = scene.cost(sum.lost, sum.least) + untimed / 2;
    else if (untimed > 0)
        finding.cost_least = timed + untimed / 2;
    finding.cost_basis = fmt::format(
        "the time of these calls, less what they waited for cores, beyond what their bytes would have "
        "taken {}",
        reference.words);
    if (untimed > 0)
        finding.cost_basis += fmt::format(
            "; and {}, which are not timed: {:.0f} ns each for one byte, {:.0f} ns for more are assumed, and "
            "at "
            "least half of that",
            counted(sum.untimed_calls, "call that the buffer served", "calls that the buffer served"),
            character, untimed_piece);
    finding.confidence = reference.measured && untimed <= timed ? Confidence::high
                         : finding.cost_least < worthy_seconds  ? Confidence::low
                                                                : Confidence::medium;
    finding.evidence = {
        {"stdio_bytes", "bytes through stdio", bytes(sum.bytes),
         fmt::format(
             "{} of all that went to or came from files",
             format_share(static_cast<double>(sum.bytes) / static_cast<double>(std::max(all, sum.bytes))))},
        {"stdio_calls", "calls for them", count(sum.calls),
         fmt::format("took {}, {}", format_seconds(sum.time / 1e9),
                     format_rate(static_cast<double>(sum.bytes) / mebibyte / (sum.time / 1e9)))},
        {"file", "most time in", path(sum.most->path), format_bytes(sum.bytes_of_most)}};
    if (sum.seeks > 0)
        finding.evidence.push_back({"stdio_seeks", "seeks between them", count(sum.seeks),
                                    "each empties the buffer or asks the system where it is"});
    const bool reads = sum.direction == Direction::read;
    finding.why =
        "Every call of stdio costs time, however little it moves, and each byte is copied once more than it "
        "has to be, some KiB at a time.";
    finding.doubt = "Pieces that cannot be put together before they are needed.";
    if (mostly_seeks)
        finding.why =
            "A seek empties a stream's buffer, or has it read anew: each piece becomes a system call or two, "
            "whatever it moves.";
    if (synced)
        finding.why =
            "std::cin is in step with stdin, as if both were used: it takes each character from there by a "
            "call, and puts back the last one of each word.";
    finding.advice = synced         ? advice_in(program, synced_remedies)
                     : unbuffered   ? advice_in(tool, unbuffered_remedies)
                     : mostly_seeks ? advice_in(program, remedies_on_seeks(sum))
                     : reads        ? advice_in(program, stream_read_remedies)
                                    : advice_in(program, stream_write_remedies);
    if (!mostly_seeks && !synced && !is_packaged(tool) && are_unbuffered(sum)) {
        std::erase_if(finding.advice, [](const Advice& one) {
            return std::find(one.lines.begin(), one.lines.end(), set_buffer) != one.lines.end();
        });
        finding.advice.insert(finding.advice.begin(), advice_on_no_buffer(program));
    }
    Found found(std::move(finding), sum.lost);
    found.file = sum.most;
    return found;
}

}  // namespace fathom
