// Messages through pipes between a program's own processes.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/messages.h"
#include "analyzer/methods/intervals.h"

namespace fathom {
namespace {

using namespace report;

// ns that a write takes at most where it wakes the reader, and does not wait until that has made room.
constexpr double longest_write = 5000;

// What one process moved through its pipes: ns of its calls, none of which waits for the other end.
struct OfProcess {
    std::size_t rank = 0;
    std::uint64_t writes = 0, reads = 0, bytes_written = 0, bytes_read = 0;
    double took = 0, usual = 0, around = 0;
    double lived = 0, busy = 0;  // ns

    double lost() const { return std::min(took + around, busy); }
    double lost_at_least() const { return std::min(usual + around, busy); }
};

double without_waits(const RecordView& record, const ClassBins& bins, Direction direction, bool usually)
{
    const bool reads = direction == Direction::read;
    const std::uint64_t calls = reads ? record[&Transfers::reads] : record[&Transfers::writes],
                        bytes = reads ? record[&Transfers::bytes_read] : record[&Transfers::bytes_written],
                        time = reads ? record[&Transfers::read_time] : record[&Transfers::write_time];
    if (calls == 0) return 0;
    const double usual = usually ? usual_time(bins, Layer::posix, direction,
                                              SizeHistogram::class_of((bytes + calls - 1) / calls))
                                 : 0;
    const double longest = std::min(reads ? longest_read : longest_write, usual > 0 ? usual : longest_write);
    const double needed = static_cast<double>(bytes) * 1e9 / (assumed_rate_mib * mebibyte);
    return std::max(std::min(static_cast<double>(time), longest * static_cast<double>(calls)) - needed, 0.0);
}

// Those with many small messages.
std::vector<OfProcess> processes_with_pipes(const Scene& scene)
{
    std::vector<OfProcess> all;
    const ClassBins bins = bins_of(scene.job.log);
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (use.kind != NameKind::stream || use.path != pipes) return;
        for (const RecordView& record : records) {
            const std::int64_t rank = scene.job.rank_index(record.process);
            if (rank < 0 || record.layer != Layer::posix) continue;
            OfProcess one{.rank = static_cast<std::size_t>(rank),
                          .writes = record[&Transfers::writes],
                          .reads = record[&Transfers::reads],
                          .bytes_written = record[&Transfers::bytes_written],
                          .bytes_read = record[&Transfers::bytes_read]};
            const auto calls = static_cast<double>(one.writes + one.reads);
            if (one.writes + one.reads < few_messages ||
                static_cast<double>(one.bytes_written + one.bytes_read) > small_message * calls)
                continue;
            for (const Direction direction : directions) {
                one.took += without_waits(record, bins, direction, false);
                one.usual += without_waits(record, bins, direction, true);
            }
            const Member& member = scene.job.ranks[one.rank];
            one.lived = static_cast<double>(member.run_time());
            one.busy = static_cast<double>(member.process.cpu_time) * scene.stretched;
            if (one.busy <= 0) one.busy = one.lived;
            all.push_back(one);
        }
    });
    return all;
}

double side_by_side(const Scene& scene, const std::vector<OfProcess>& all)
{
    std::vector<Interval> lives;
    double lived = 0;
    for (const OfProcess& one : all) {
        const Process& process = scene.job.ranks[one.rank].process;
        lives.push_back({process.start, process.end});
        lived += one.lived;
    }
    const auto covered = static_cast<double>(union_length(std::move(lives)));
    return covered > 0 ? std::max(lived / covered, 1.0) : 1;
}

// ns of the run. Those at both ends work side by side, so that the one with most to do is waited for. Where
// none is busy for most of its life, each waits for the others.
struct OfPipes {
    double cost = 0, least = 0;
};
OfPipes cost_of_pipes(const Scene& scene, const std::vector<OfProcess>& all)
{
    constexpr double most_of_life = 0.6;
    double most = 0, most_left = 0, least_left = 0, together = 0, share = 0;
    for (const OfProcess& one : all) {
        most = std::max(most, one.busy);
        most_left = std::max(most_left, one.busy - one.lost());
        least_left = std::max(least_left, one.busy - one.lost_at_least());
        together += one.lost();
        share = std::max(share, one.busy / std::max(one.lived, 1.0));
    }
    if (share >= most_of_life) together /= side_by_side(scene, all);
    return {std::max(most - most_left, together), most - least_left};
}

constexpr Remedy pipe_remedies[] = {
    {Language::c,
     "Collect messages, and write and read a page or more at a time; or hand them on in memory that both "
     "processes share:",
     {"char block[65536];    // write(fd, block, filled) where it is full, and at the end",
      "mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);    // before fork"}},
    {Language::python,
     "Put many items into a message: chunksize= of imap and map, lists through pipes and queues:",
     {"pool.imap(function, items, chunksize=1000)", "connection.send(items[at:at + 1000])"}},
    {Language::script, "Put many items into a message, and read some KiB at a time."},
    {Language::shell,
     "A shell reads a pipe byte by byte: have one program read it, or have the shell read a file:",
     {"… | awk '{ print $1 }'", "… > FILE; mapfile -t lines < FILE"}},
    {Language::packaged, "Look for an option that has PROGRAM hand on more at a time."},
};

// Byte by byte: a stream without a buffer, which looks for the end of a line.
constexpr Remedy unbuffered_pipe_remedies[] = {
    {Language::c,
     "Read some KiB at a time, or through a stream with a buffer:",
     {"FILE* pipe = fdopen(fd, \"r\");", "getline(&line, &size, pipe);"}},
    {Language::python,
     "Give the pipe a buffer, which it has unless bufsize=0 or buffering=0 takes it away:",
     {"subprocess.Popen(command, stdout=subprocess.PIPE)    # without bufsize=0", "os.fdopen(fd, \"rb\")"}},
    {Language::script, "Read some KiB at a time, through a stream with a buffer."},
};

}  // namespace

MaybeFinding messages_in_pipes(const Scene& scene)
{
    std::vector<OfProcess> all = processes_with_pipes(scene);
    if (all.empty()) return {};
    LostTime lost(scene.job);
    for (const OfProcess& one : all) lost.add(scene.job.ranks[one.rank], one.took);
    const AdvisedProgram program = program_of(scene.job, lost, pipes);
    std::uint64_t writes = 0, reads = 0, written = 0, read = 0;
    for (OfProcess& one : all) {
        one.around =
            scene.stretched * (static_cast<double>(one.writes) * around_message(program, Direction::write) +
                               static_cast<double>(one.reads) * around_message(program, Direction::read));
        writes += one.writes, reads += one.reads, written += one.bytes_written, read += one.bytes_read;
    }
    const OfPipes cost = cost_of_pipes(scene, all);
    const bool sends = writes >= few_messages;
    const std::uint64_t calls = sends ? writes : reads, bytes = sends ? written : read;
    Finding finding;
    finding.title = fmt::format("{} {} of {} {} pipes", format_count(calls), sends ? "messages" : "reads",
                                format_bytes((bytes + calls - 1) / calls), sends ? "through" : "from");
    finding.cost = seconds(std::min(cost.cost / 1e9, scene.run));
    finding.cost_least = std::min(cost.least, cost.cost) / 1e9;
    finding.cost_basis =
        "the time in reads and writes without what they wait for the other end, at most 2 µs and 5 µs each, "
        "of the process that has most to do; of all where none is busy for most of its life";
    finding.cost_basis += words_on_interpreter(program);
    finding.confidence = Confidence::medium;
    finding.evidence = {{"writes", "writes", count(writes), fmt::format("of {}", format_bytes(written))},
                        {"reads", "reads", count(reads), fmt::format("of {}", format_bytes(read))},
                        {"processes", "processes with 10,000 of them or more", count(all.size()), ""}};
    finding.why =
        "Each is a system call at both ends, and often wakes the process that reads, which then reads as "
        "little.";
    finding.doubt = "A process that needs each message at once, as for its answer.";
    const bool by_byte =
        !sends && bytes <= 2 * calls && program.language != Language::shell && !is_packaged(program);
    finding.advice =
        by_byte ? advice_in(program, unbuffered_pipe_remedies) : advice_in(program, pipe_remedies);
    return Found(std::move(finding));
}

}  // namespace fathom
