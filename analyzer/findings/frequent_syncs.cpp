// Data flushed to the device after every few bytes.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_syncs = 20, enough_between = 16 << 20;

struct Syncs {
    std::uint64_t syncs = 0, bytes = 0;
    double time = 0;  // ns
    LostTime lost;
    const FileUse* most = nullptr;
    std::uint64_t syncs_of_most = 0;
    bool flushes = false;  // mostly of stdio: fflush
};

// Files that are synced after less than `enough_between`; the last sync of each is taken as needed.
Syncs syncs_of(const Scene& scene)
{
    Syncs all{.lost = LostTime(scene.job)};
    double flush_time = 0;
    const auto timed = layers_that_tell(scene.job.log, &Transfers::sync_time);
    for (const FileCase& file : scene.files) {
        std::uint64_t syncs = 0, bytes = 0;
        double time = 0, flushing = 0;
        for (const RecordView& record : file.records) {
            if (!timed[static_cast<std::size_t>(record.layer)]) continue;
            if (record.layer == Layer::mpiio) continue;  // what it syncs, it syncs by POSIX
            const Transfers& one = *record.transfers;
            syncs += one.syncs;
            bytes += one.bytes_written;
            time += static_cast<double>(one.sync_time);
            if (record.layer == Layer::stdio) flushing += static_cast<double>(one.sync_time);
        }
        if (syncs < 2 || bytes / syncs >= enough_between) continue;
        const double needless = 1 - 1 / static_cast<double>(syncs);
        all.syncs += syncs;
        all.bytes += bytes;
        all.time += needless * time;
        for (const RecordView& record : file.records)
            if (timed[static_cast<std::size_t>(record.layer)] && record.layer != Layer::mpiio)
                all.lost.add(record, needless * static_cast<double>(record.transfers->sync_time));
        flush_time += needless * flushing;
        if (syncs <= all.syncs_of_most) continue;
        all.syncs_of_most = syncs;
        all.most = file.use;
    }
    all.flushes = flush_time > all.time / 2;
    return all;
}

constexpr Remedy flush_remedies[] = {
    {Language::c, "Leave flushing to fclose, or flush after every few MiB."},
    {Language::python, "Leave flushing to the end of the file, or flush after every few MiB."},
    {Language::packaged, "Look for an option of PROGRAM that has it flush its output less often."},
};
constexpr Remedy sync_remedies[] = {
    {Language::c,
     "Sync once, after the last write, or after every few hundred MiB. Where only the data matter:",
     {"fdatasync(fd);"}},
    {Language::c,
     "In SQLite, put many changes into one transaction:",
     {"sqlite3_exec(database, \"BEGIN\", NULL, NULL, NULL);",
      "sqlite3_exec(database, \"COMMIT\", NULL, NULL, NULL);"},
     "libsqlite3"},
    {Language::unknown,
     "Sync once, after the last write, or after every few hundred MiB. Where only the data matter:",
     {"fdatasync(fd);"}},
    {Language::unknown, "In SQLite, put many changes into one transaction:", {"BEGIN; …; COMMIT;"}},
    {Language::python,
     "Sync once, after the last write, or after every few hundred MiB. Where only the data matter:",
     {"file.flush()", "os.fdatasync(file.fileno())"}},
    {Language::python,
     "In SQLite, put many changes into one transaction:",
     {"with connection:", "    connection.executemany(\"INSERT INTO data VALUES (?, ?)\", rows)"},
     "libsqlite3"},
    {Language::script, "Sync once, after the last write, or after every few hundred MiB."},
    {Language::packaged, "Look for an option of PROGRAM that has it sync less often, or once at its end."},
    {Language::dd,
     "Sync once, at the end, rather than by oflag=sync or oflag=dsync after each block:",
     {"dd if=INPUT of=OUTPUT bs=4M conv=fdatasync"}},
    {Language::sqlite, "Put many changes into one transaction:", {"BEGIN; …; COMMIT;"}},
    {Language::sqlite,
     "Or have it sync less often, where the last changes may be lost with the machine, but not the database:",
     {"PRAGMA journal_mode = WAL;", "PRAGMA synchronous = NORMAL;"}},
};

}  // namespace

MaybeFinding frequent_syncs(const Scene& scene)
{
    const Syncs all = syncs_of(scene);
    if (all.syncs < few_syncs) return {};
    Finding finding;
    finding.title =
        fmt::format("{} {}, one after every {} written", format_count(all.syncs),
                    all.flushes ? "flushes of streams" : "syncs", format_bytes(all.bytes / all.syncs));
    finding.cost = seconds(scene.cost(all.lost));
    finding.cost_basis = "the time in them, but for one a file";
    finding.confidence = Confidence::high;
    finding.evidence = {{"syncs", all.flushes ? "flushes" : "syncs", count(all.syncs),
                         fmt::format("took {}, {} each", format_seconds(all.time / 1e9),
                                     format_seconds(all.time / 1e9 / static_cast<double>(all.syncs)))},
                        {"bytes_between", "written between two", bytes(all.bytes / all.syncs), ""},
                        {"file", "most of them on", path(all.most->path),
                         fmt::format("{} times", format_count(all.syncs_of_most))}};
    finding.why =
        all.flushes
            ? "Each flush empties the stream's buffer by a system call, however little is in it."
            : "Each waits until the device has the data, and often its cache and the file's metadata.";
    finding.doubt = "Data that must not be lost even if the machine fails at any moment: a database's log.";
    const AdvisedProgram program = program_of(scene.job, all.lost, all.most->path);
    finding.advice = all.flushes ? advice_in(program, flush_remedies) : advice_in(program, sync_remedies);
    return finding;
}

}  // namespace fathom
