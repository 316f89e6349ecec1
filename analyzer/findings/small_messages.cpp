// Small writes into FIFOs, pipes and terminals: a system call for each, and often a reader to wake.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// So many cost some 10 ms; a pipe takes a page and more as it is.
constexpr std::uint64_t few_messages = 10000;
constexpr double small_message = 4096;

struct Messages {
    std::uint64_t writes = 0, bytes = 0;
    double time = 0, usual = 0;  // ns; `usual`: were none of them to wait for the reader
    LostTime lost;
    const FileUse* most = nullptr;
    double time_of_most = 0;
};

// ns that half of such writes took at most.
double usual_time(const ClassBins& bins, std::size_t size_class)
{
    const auto found = bins.find(
        {static_cast<std::uint64_t>(Layer::posix), 1, static_cast<std::uint64_t>(Kind::write), size_class});
    return found == bins.end()
               ? 0
               : static_cast<double>(quantile(found->second, ~std::uint64_t{0}, 500).value_or(0));
}

Messages messages_of(const Scene& scene)
{
    Messages all{.lost = LostTime(scene.job)};
    const ClassBins bins = bins_of(scene.job.log);
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (use.kind != NameKind::device && use.kind != NameKind::stream) return;
        double time = 0;
        for (const RecordView& record : records) {
            const std::uint64_t writes = record[&Transfers::writes],
                                bytes = record[&Transfers::bytes_written];
            if (record.layer != Layer::posix || writes < few_messages ||
                static_cast<double>(bytes) > small_message * static_cast<double>(writes))
                continue;
            const auto calls = static_cast<double>(writes);
            const double needed = static_cast<double>(bytes) * 1e9 / (assumed_rate_mib * mebibyte),
                         took = std::max(static_cast<double>(record[&Transfers::write_time]) - needed, 0.0),
                         usual = calls * usual_time(bins, SizeHistogram::class_of(bytes / writes));
            all.writes += writes;
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
     {"setvbuf(file, NULL, _IOFBF, 65536);"}},
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
};

}  // namespace

MaybeFinding small_messages(const Scene& scene)
{
    const Messages all = messages_of(scene);
    if (all.most == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, all.lost, all.most->path);
    const double in_calls = scene.cost_beyond_io(all.lost),
                 around =
                     around_calls(scene, program, Around::write, static_cast<double>(all.writes), all.lost);
    Finding finding;
    finding.title =
        fmt::format("{} writes of {} to {}", format_count(all.writes), format_bytes(all.bytes / all.writes),
                    all.most->kind == NameKind::stream ? "a standard stream" : "a FIFO or device");
    finding.cost = seconds(std::min(in_calls + around, scene.run));
    finding.cost_least = in_calls * std::min(all.usual / std::max(all.lost.total(), 1.0), 1.0) + around;
    finding.cost_basis =
        "the time in them beyond what the bytes take at 2 GiB/s; at least as if none of them had waited for "
        "the one that reads";
    finding.cost_basis += words_on_interpreter(program);
    finding.confidence = Confidence::medium;
    finding.evidence = {{"writes", "writes", count(all.writes),
                         fmt::format("took {}", format_seconds(all.lost.total() / 1e9))},
                        {"file", "most time in", path(all.most->path), ""}};
    finding.why = "Each is a system call, and wakes the process that reads, which then reads as little.";
    finding.doubt =
        "A reader that needs each message at once; and one that is slower than the writer, which waits for "
        "it "
        "in any case.";
    finding.advice = advice_in(program, message_remedies);
    return Found(std::move(finding));
}

}  // namespace fathom
