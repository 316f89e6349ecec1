// Ranks that do their I/O one after the other, each while the others wait.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

// Of the time on a disk of the one node, what ranks that use it together save: the disk, or the memory, is
// the same for all.
constexpr double saved_on_own_disk = 0.5;

// Each rank opens the file for each of its turns: so often, at least.
constexpr std::uint64_t few_openings = 5, few_held = 3;

constexpr Remedy together_remedies[] = {
    {Language::c,
     "Have all ranks write at the same time, each at its own place, which they know from the sizes before "
     "them; text is made in memory first:",
     {"MPI_Exscan(&size, &offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD);    // rank 0: offset = 0",
      "MPI_File_write_at(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Have all ranks write at the same time, each at its own place, which they know from the sizes before "
     "them; text is made in memory first:",
     {"call MPI_Exscan(size, offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD, error)    ! rank 0: offset = 0",
      "call MPI_File_write_at(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::python,
     "Have all ranks write at the same time, each at its own place, with mpi4py; text is made in memory "
     "first:",
     {"offset = comm.exscan(array.nbytes) or 0", "file.Write_at(offset, array)    # or text.encode()"}},
    {Language::script, "Have all ranks do it at the same time, each at its own place."},
    {Language::packaged, "Look for an option of PROGRAM that has all ranks take part at the same time."},
};

const FileUse* most_used(const Scene& scene)
{
    const FileUse* most = nullptr;
    for (const FileCase& file : scene.files)
        if (most == nullptr || file.use->application().time() > most->application().time()) most = file.use;
    return most;
}

// The file with most of the data, some of it written, which ranks open for each of their turns and keep open
// meanwhile, and for how long in all (ns); or one of many such files, each for one turn of all ranks.
struct Opened {
    const FileUse* file = nullptr;
    double time = 0;
    std::uint64_t openings = 0, bytes = 0, users = 0;
};

// Each of their turns begins about when the file, which the last rank has kept open for its own, is closed:
// ranks that compute meanwhile side by side have theirs at the same time.
bool is_held_for_turns(const Opened& one, const Turns& turns)
{
    constexpr double about = 1.5;
    const double held = one.openings > 0 ? one.time / static_cast<double>(one.openings) : 0;
    return held > 0 && held <= about * turns.spacing && turns.spacing <= about * held;
}

bool is_opened_often(const Opened& one, std::uint64_t users, const Turns& turns)
{
    return one.openings >= (is_held_for_turns(one, turns) ? few_held : few_openings) * users;
}

Opened opened_by_turns(const Scene& scene)
{
    const std::uint64_t all =
        scene.job.application_bytes(Direction::read) + scene.job.application_bytes(Direction::write);
    Opened most, many;
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->application();
        const std::uint64_t users = view.users().count, bytes = view.bytes_read + view.bytes_written;
        if (users < 2 || view.bytes_written == 0) continue;
        std::array<Opened, layers> of_layer{};  // an open through one may be counted in that beneath as well
        for (const RecordView& record : file.records) {
            Opened& sum = of_layer[static_cast<std::size_t>(record.layer)];
            sum.openings += record[&Transfers::opens];
            if (tells(scene.job.log, record.layer, &Transfers::held_time))
                sum.time += static_cast<double>(record[&Transfers::held_time]);
        }
        Opened& sum =
            *std::max_element(of_layer.begin(), of_layer.end(),
                              [](const Opened& a, const Opened& b) { return a.openings < b.openings; });
        if (many.file == nullptr || bytes > many.file->application().bytes()) many.file = file.use;
        many.time += sum.time;
        many.openings += sum.openings;
        many.bytes += bytes;
        many.users = std::max(many.users, users);
        if (bytes < all / 2 || !is_opened_often(sum, users, scene.turns) || sum.openings <= most.openings)
            continue;
        most = sum;
        most.file = file.use;
    }
    if (most.file != nullptr || many.bytes < all / 2 || !is_opened_often(many, many.users, scene.turns))
        return most;
    return many;
}

}  // namespace

MaybeFinding ranks_by_turns(const Scene& scene)
{
    const Job& job = scene.job;
    const Turns& turns = scene.turns;
    if (!job.mpi || !turns.one_by_one) return {};
    const Opened opened = opened_by_turns(scene);
    const bool later = !turns.handed_over && !turns.taken_over;
    const bool held = later && opened.file != nullptr && is_held_for_turns(opened, turns),
               by_order = later && !held;
    if (!turns.handed_over && (opened.file == nullptr || (by_order && !turns.in_rounds))) return {};
    LostTime lost(job);
    std::uint64_t movers = 0;
    for (const Member& member : job.ranks) {
        const TimeSplit split = member.time();
        lost.add(member, static_cast<double>(split.read + split.write));
        movers += member.application_bytes(Direction::read) + member.application_bytes(Direction::write) > 0;
    }
    const FileUse* const most = opened.file != nullptr ? opened.file : most_used(scene);
    if (movers < 2 || most == nullptr) return {};
    // One that they read again and again, each for itself.
    const FileView& view = most->application();
    if (view.bytes_written == 0 && view.opens >= few_openings * view.users().count) return {};
    const bool own = on_own_disk(job, *most);
    // Between the calls of its turn a rank makes text, say: each could do so at the same time. Each turn but
    // the first waits for a word of the one before.
    const double all = scene.cost(lost), others = 1 - 1 / static_cast<double>(movers),
                 in_turns = std::max(turns.time, opened.time) / 1e9, between = std::max(in_turns - all, 0.0),
                 handing = by_order ? static_cast<double>(opened.openings) * turns.pause / 1e9 * others
                           : held
                               ? 0
                               : std::min(static_cast<double>(opened.openings) * turns.pause / 1e9, in_turns);
    Finding finding;
    finding.title = fmt::format("{} ranks do their I/O one after the other", format_count(movers));
    finding.cost =
        seconds(std::min(all * (own ? saved_on_own_disk : others) + between * others + handing, scene.run));
    // A turn that another rank waits for ends with a message, say: of what lies between them half at least.
    finding.cost_least = by_order ? std::min(handing / 2, scene.run) : held ? between * others / 2 : 0.0;
    finding.cost_basis = fmt::format("at most {} the time of all of them in reads and writes, which add up",
                                     own ? "half of" : "all but one's share of");
    if (between > 0)
        finding.cost_basis += "; all but one's share of what lies between these calls, as where text is made";
    if (held) finding.cost_basis += ", of which half are taken to be saved at least";
    if (handing > 0) finding.cost_basis += "; and the pauses between turns, by their median";
    if (by_order) finding.cost_basis += ", of which half are taken to be saved at least";
    finding.confidence = (own && !held) || by_order ? Confidence::low : Confidence::medium;
    finding.evidence = {
        {"time", "all ranks in reads and writes", seconds(all),
         fmt::format("of {}", format_seconds(scene.run))},
        {"turns", "turns of all ranks", seconds(in_turns),
         opened.file == nullptr
             ? "what lies between their calls included"
             : fmt::format("what lies between their calls included; the file was opened {} times",
                           format_count(opened.openings))},
        {"file", opened.file == nullptr ? "most time in" : "opened by turns", path(most->path), ""}};
    finding.why = "While one is at it the others wait, and what could serve several at a time serves one.";
    finding.doubt = "An order that the data need, because each rank goes on from what the one before left.";
    if (!turns.handed_over) finding.doubt += " Ranks that compute between their turns and wait for nobody.";
    if (own && !held)
        finding.doubt +=
            " On one node with a file system of its own, as here, ranks together may be no quicker than one.";
    finding.advice = advice_in(program_of(job, lost, most->path), together_remedies);
    if (view.bytes_written == 0)
        finding.advice = {
            {"Have all ranks read at the same time: leave out what has each wait for the one before "
             "it, such as a barrier in a loop over the ranks, or a message."}};
    return Found(std::move(finding), std::move(lost));
}

}  // namespace fathom
