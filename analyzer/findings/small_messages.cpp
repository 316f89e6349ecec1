// Small writes into FIFOs, standard streams and devices, and reads of a few bytes from them: a system call
// for each, and often another process to wake. Those through a program's own pipes are in pipe_messages.cpp.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/messages.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// A reader that asks for more gets what was written: small writes are the writer's.
constexpr double small_read = 16;
bool is_random(const FileUse& use)
{
    return use.path == "/dev/urandom" || use.path == "/dev/random";
}
// What the kernel makes of random bytes where it makes some KiB at a time, and the reads that are small
// there.
constexpr double random_rate_mib = 400, small_random = 64;

struct Messages {
    std::uint64_t calls = 0, bytes = 0;
    double usual = 0;  // ns: were none of them to wait for the other process
    LostTime lost;
    const FileUse* most = nullptr;
    double time_of_most = 0;
};

// Its calls reach the kernel one by one: it has no buffer, as that of standard error, or is flushed each
// time.
bool is_unbuffered(const FileUse& use, const RecordView& record)
{
    if (record.layer != Layer::stdio) return record.layer == Layer::posix;
    return record[&Transfers::syncs] >= record[&Transfers::writes] / 2 || use.path == "<stderr>";
}

Messages messages_of(const Scene& scene, Direction direction)
{
    const bool reads = direction == Direction::read;
    Messages all{.lost = LostTime(scene.job)};
    const ClassBins bins = bins_of(scene.job.log);
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if ((use.kind != NameKind::device && use.kind != NameKind::stream) || use.path == pipes) return;
        const bool random = is_random(use);
        const double small = !reads   ? small_message
                             : random ? small_random
                                      : small_read,
                     rate = random ? random_rate_mib : assumed_rate_mib;
        double time = 0;
        for (const RecordView& record : records) {
            const std::uint64_t number = reads ? record[&Transfers::reads] : record[&Transfers::writes],
                                bytes = reads ? record[&Transfers::bytes_read]
                                              : record[&Transfers::bytes_written];
            // Opened for each number: the stream's buffer is filled, and thrown away.
            const bool reopened =
                random && reads && record.layer == Layer::stdio && record[&Transfers::opens] >= number / 2;
            const std::uint64_t spent =
                reopened ? record[&Transfers::read_time] + record[&Transfers::metadata_time]
                : reads  ? record[&Transfers::read_time]
                         : record[&Transfers::write_time];
            const auto calls = static_cast<double>(number);
            if (number < few_messages || !is_unbuffered(use, record) ||
                (reads && record.layer != Layer::posix && !reopened) ||
                static_cast<double>(bytes) > small * calls)
                continue;
            const double needed = static_cast<double>(bytes) * 1e9 / (rate * mebibyte),
                         most = reads && !reopened ? longest_read * calls : static_cast<double>(spent),
                         took = std::clamp(static_cast<double>(spent) - needed, 0.0, most),
                         usual =
                             reopened
                                 ? took
                                 : calls * usual_time(bins, record.layer, direction,
                                                      SizeHistogram::class_of((bytes + number - 1) / number));
            all.calls += number;
            all.bytes += bytes;
            all.usual += usual > 0 ? std::min(usual, took) : took;
            all.lost.add(record, took);
            time += took;
        }
        if (time <= all.time_of_most) return;
        all.time_of_most = time;
        all.most = &use;
    });
    return all;
}

constexpr Remedy message_remedies[] = {
    {Language::c,
     "Collect what is written, and write a page or more at a time; a stream of stdio does so:",
     {own_buffer, set_buffer}},
    {Language::cxx,
     "Collect what is written: end lines by '\\n' rather than std::endl, and leave std::unitbuf and "
     "std::cerr to what has to be seen at once."},
    {Language::fortran, "Write several records by one WRITE, and leave FLUSH out."},
    {Language::python,
     "Collect what is written, with a buffer, and without flushing each line:",
     {"open(path, \"wb\", buffering=65536)", "print(line)    # not flush=True, nor python -u"}},
    {Language::script, "Collect what is written, and flush it once in a while."},
    {Language::shell,
     "Each echo is a write of its own: have one program make the lines, or give them on together:",
     {"awk 'BEGIN { for (i = 0; i < 1000000; i++) print i }' | PROGRAM"}},
    {Language::packaged,
     "Look for an option that has PROGRAM buffer its output, or not flush each line; stdbuf sets that of "
     "many:",
     {"stdbuf -o64K PROGRAM    # not -o0 or -oL"}},
    {Language::dd, "Have dd move larger blocks:", {"dd bs=1M", "dd bs=SIZE obs=1M    # of records"}},
};

constexpr Remedy reader_remedies[] = {
    {Language::c,
     "Read a page or more at a time, and take what is needed from memory; a stream of stdio does so:",
     {"read(fd, page, 65536);"}},
    {Language::cxx,
     "Leave std::unitbuf and reads by single characters to terminals:",
     {"std::cin.read(page, 65536);"}},
    {Language::python,
     "Read through a buffer, as sys.stdin has one:",
     {"for line in sys.stdin:    # not os.read(0, 1), nor sys.stdin.buffer.raw"}},
    {Language::script, "Read through a buffer, a page or more at a time."},
    {Language::shell,
     "The shell reads a pipe byte by byte, since what follows the line is for others: have one program read "
     "it, or have bash read a file:",
     {"… | awk '{ print $1 }'", "… > FILE; mapfile -t lines < FILE"}},
    {Language::packaged,
     "Look for an option that has PROGRAM buffer its input; stdbuf sets that of many:",
     {"stdbuf -i64K PROGRAM"}},
    {Language::dd, "Have dd move larger blocks:", {"dd bs=1M", "dd ibs=1M obs=SIZE    # of records"}},
};

constexpr Remedy random_remedies[] = {
    {Language::c,
     "Read some KiB at a time and take numbers from memory, or seed a generator of the program's own once:",
     {"read(fd, numbers, 8192);", "getrandom(&seed, sizeof seed, 0);"}},
    {Language::cxx,
     "Seed a generator once, rather than take each number from std::random_device:",
     {"std::mt19937_64 generator(std::random_device{}());"}},
    {Language::python,
     "Read some KiB at a time, or use a generator that is seeded once:",
     {"numbers = numpy.random.default_rng().integers(2**63, size=1000)", "random.getrandbits(64)"}},
    {Language::shell, "Use a generator of the shell's own:", {"echo $RANDOM $SRANDOM"}},
    {Language::script, "Open it once, and read some KiB at a time; or use a generator that is seeded once."},
    {Language::packaged, "Look for an option that has PROGRAM use a generator of its own."},
};

// ns of the one with most of such calls that reads lines in a loop: what it computed, and all of its calls.
double longest_loop(const Scene& scene, const LostTime& calls)
{
    double longest = 0;
    for (std::size_t at = 0; at < scene.job.ranks.size(); ++at)
        if (calls.of(at) > 0)
            longest = std::max(
                longest, scene.most_computed(at) + static_cast<double>(scene.job.ranks[at].time().total()));
    return longest;
}

// To and from standard streams, FIFOs and devices.
MaybeFinding messages_by_name(const Scene& scene)
{
    const Messages written = messages_of(scene, Direction::write), read = messages_of(scene, Direction::read);
    const bool reads = read.lost.total() > written.lost.total();
    const Messages& all = reads ? read : written;
    if (all.most == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, all.lost, all.most->path);
    // A tool's own buffer, which is full each time.
    constexpr std::uint64_t full_buffer = 2048;
    if (!reads && is_packaged(program) && all.bytes > full_buffer * all.calls) return {};
    const bool by_bytes = reads && program.language == Language::shell;
    // Processes of a pipeline run side by side, and wait for the one with most to do.
    double of_one = 0;
    for (std::size_t at = 0; at < scene.job.ranks.size(); ++at) of_one = std::max(of_one, all.lost.of(at));
    const double in_calls = std::max(scene.cost_beyond_io(all.lost), std::min(of_one / 1e9, scene.run)),
                 around = by_bytes ? 0
                                   : around_calls(scene, program, reads ? Around::read : Around::write,
                                                  static_cast<double>(all.calls), all.lost);
    const std::string_view what = direction_names[reads ? 0 : 1];
    const bool random = is_random(*all.most);
    Finding finding;
    finding.title =
        fmt::format("{} {} of {} {} {}", format_count(all.calls), what,
                    format_bytes(std::max<std::uint64_t>((all.bytes + all.calls / 2) / all.calls, 1)),
                    reads ? "from" : "to",
                    random                               ? all.most->path
                    : all.most->kind == NameKind::stream ? "a standard stream"
                                                         : "a FIFO or device");
    finding.cost = seconds(std::min(in_calls + around, scene.run));
    finding.cost_least = in_calls * std::min(all.usual / std::max(all.lost.total(), 1.0), 1.0) + around;
    finding.cost_basis =
        random
            ? "the time in them beyond what the bytes take at 400 MiB/s, of which the kernel makes them; at "
              "least by the time that half of them took at most"
            : fmt::format(
                  "the time in them beyond what the bytes take at 2 GiB/s; at least as if none of "
                  "them had waited for the one that {}",
                  reads ? "writes" : "reads");
    if (by_bytes) {
        constexpr double least_of_loop = 0.6;
        const double loop = std::min(longest_loop(scene, all.lost) / 1e9, scene.run);
        finding.cost = seconds(std::max(loop, in_calls));
        finding.cost_least = std::max(*finding.cost_least, least_of_loop * loop);
        finding.cost_basis += fmt::format(
            "; and what the shell does around them: between {:.0f} % and all of its time in the loop, as is "
            "assumed of what one program does in its place",
            least_of_loop * 100);
    } else {
        finding.cost_basis += words_on_interpreter(program);
    }
    finding.confidence = Confidence::medium;
    finding.evidence = {{std::string(what), std::string(what), count(all.calls),
                         fmt::format("took {}", format_seconds(all.lost.total() / 1e9))},
                        {"file", "most time in", path(all.most->path), ""}};
    finding.why =
        reads ? "Each is a system call, for next to nothing."
              : "Each is a system call, and wakes the process that reads, which then reads as little.";
    finding.doubt = random ? "Keys, each of which has to come from the kernel."
                    : reads
                        ? "A program that has to leave the rest of the input to another one."
                        : "A reader that needs each message at once; and one that is slower than the writer, "
                          "which waits for it in any case.";
    finding.advice = random  ? advice_in(program, random_remedies)
                     : reads ? advice_in(program, reader_remedies)
                             : advice_in(program, message_remedies);
    return Found(std::move(finding));
}

}  // namespace

MaybeFinding small_messages(const Scene& scene)
{
    MaybeFinding in_pipes = messages_in_pipes(scene), by_name = messages_by_name(scene);
    if (!in_pipes || !by_name) return in_pipes ? in_pipes : by_name;
    return cost_of(*in_pipes) > cost_of(*by_name) ? in_pipes : by_name;
}

}  // namespace fathom
