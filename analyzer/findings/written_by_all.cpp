// A file that each rank writes whole: all but one of them for nothing.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t much_by_all = 1 << 20;
// A rank's bytes are a whole number of times the file's extent, by this part of it.
constexpr double hardly_off = 0.02;

// Of one file. What a process wrote by stdio and what it wrote by itself, such as a header, are one whole.
class WholeWriters {
  public:
    explicit WholeWriters(const FileCase& file)
    {
        std::map<std::int64_t, Writers> writers;
        for (const RecordView& record : file.records) {
            const auto written = static_cast<double>(record[&Transfers::bytes_written]);
            if (record.layer == Layer::mpiio || written == 0) continue;
            const bool of_all = record.process == reduced;
            Writers& one = writers[record.process];
            one.number = std::max(one.number, of_all ? static_cast<double>(record[&Sharing::writers]) : 1.0);
            one.bytes += written;
            writes_ += static_cast<double>(record[&Transfers::writes]);
            if (record.layer == Layer::posix)
                made_ += static_cast<double>(record[&PosixRecord::creates] + record[&PosixRecord::truncates]);
            extent_ = std::max(extent_, static_cast<double>(record[&Pattern::highest_written]));
            all_ = all_ && one.number > 0 && (!of_all || record[&Sharing::bytes].squares == 0);
        }
        for (const auto& [process, one] : writers) {
            const double passes = extent_ > 0 ? one.bytes / one.number / extent_ : 0;
            all_ = all_ && passes > 1 - hardly_off && std::abs(passes - std::round(passes)) < hardly_off;
            number += one.number;
            bytes += one.bytes;
        }
    }
    bool found() const { return all_ && number > 1 && !is_added_to(); }

    double number = 0, bytes = 0;

  private:
    struct Writers {
        double number = 0, bytes = 0;
    };
    // Ranks that add their lines to one file (O_APPEND): where the lines of others are, no record says. They
    // do not make it each, though those that find it empty seem to.
    bool is_added_to() const
    {
        constexpr double line = 1 << 10, piece = 64 << 10;
        return bytes < (2 * made_ < number ? piece : line) * writes_;
    }

    double extent_ = 0, writes_ = 0, made_ = 0;
    bool all_ = true;  // each that wrote, wrote the whole
};

constexpr Remedy one_writer_remedies[] = {
    {Language::c,
     "Have one rank write what all of them have; or each rank a part of it:",
     {"if (rank == 0) write_file(path);"}},
    {Language::fortran,
     "Have one rank write what all of them have; or each rank a part of it:",
     {"if (rank == 0) call write_file(path)"}},
    {Language::python,
     "Have one rank write what all of them have; or each rank a part of it:",
     {"if comm.rank == 0: write_file(path)"}},
    {Language::script, "Have one rank write what all of them have."},
    {Language::packaged, "Look for an option of PROGRAM that has one rank write for all."},
};

}  // namespace

MaybeFinding written_by_all(const Scene& scene)
{
    const Job& job = scene.job;
    if (!job.mpi) return {};
    const Mounts mounts(job.log);
    double bytes = 0, ranks = 0;
    std::uint64_t files = 0;
    LostTime lost(job);
    MostLost<FileUse> most;
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file || file.use->by_mpiio || file.use->files > 1) continue;
        // Each node has one of its own.
        if (job.nodes() > 1 && is_local(mounts.type_of(*file.use))) continue;
        const WholeWriters writers(file);
        double time = 0;
        for (const RecordView& record : file.records) {
            if (record.layer == Layer::mpiio) continue;
            time += static_cast<double>(record[&Transfers::write_time] + record[&Transfers::metadata_time]);
        }
        if (!writers.found() || writers.bytes < much_by_all) continue;
        const double needless = 1 - 1 / writers.number;
        ++files;
        bytes += needless * writers.bytes;
        ranks = std::max(ranks, writers.number);
        lost.add_by_time(file.records, needless * time);
        most.add(*file.use, needless * time);
    }
    if (most.use == nullptr) return {};
    Finding finding;
    finding.title = fmt::format("{:.0f} ranks each write the whole of {}", ranks,
                                files == 1 ? "one file" : fmt::format("{} files", format_count(files)));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_least = 0.0;
    finding.cost_basis =
        "at most the time in writes of these files and in opening and closing them, but for one rank's part "
        "of it: where the file system has room for all of them at once, one alone takes as long";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"needless_bytes", "written by all but one", report::bytes(static_cast<std::uint64_t>(bytes)), ""},
        {"file", "most time in", path(most.use->path),
         fmt::format("{} written, of which it holds {}", format_bytes(most.use->application().bytes_written),
                     format_bytes(most.use->application().highest_written))}};
    finding.why = "What each rank writes, the next one writes over: all wait for what one of them could do.";
    finding.doubt = "Ranks that write different data to the same place, of which the last ones remain.";
    finding.advice = advice_in(program_of(job, lost, most.use->path), one_writer_remedies);
    Found found(std::move(finding), lost);
    found.file = most.use;
    return found;
}

}  // namespace fathom
