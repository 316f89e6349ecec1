// Data that a compressor leaves as large as they were: pictures, films, random numbers.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t much_in_vain = 8 << 20;
// As large as what was read; and ns a byte that a compressor takes at least, with a core of its own.
constexpr double as_large = 0.95, no_larger = 1.05, least_each = 8;
// What was computed was to compress, but for this part.
constexpr double least_saved = 0.6;
// ns that NumPy takes for each byte that it writes into an archive: to deflate what cannot be made smaller
// takes some 30, and more for each byte that is left of what can; to store it takes 1.
constexpr double deflated_least = 12, deflated_most = 50;

constexpr Remedy vain_remedies[] = {
    {Language::c, "Store these data as they are, without compression."},
    {Language::python,
     "Store these data as they are: they are compressed already, or cannot be:",
     {"numpy.savez(path, a=a)    # rather than savez_compressed",
      "zipfile.ZipFile(path, \"w\", zipfile.ZIP_STORED)", "tarfile.open(path, \"w\")"}},
    {Language::shell,
     "Store these data as they are: they are compressed already, or cannot be:",
     {"tar -cf ARCHIVE FOLDER", "zip -0 ARCHIVE FILES"}},
    {Language::packaged,
     "Store these data as they are: they are compressed already, or cannot be:",
     {"tar -cf ARCHIVE FOLDER", "zip -0 ARCHIVE FILES"}},
    {Language::script, "Store these data as they are: they are compressed already, or cannot be."},
};

}  // namespace

MaybeFinding compressed_in_vain(const Scene& scene)
{
    LostTime work(scene.job);
    MostLost<FileUse> most;
    std::uint64_t made = 0;
    double by_length = 0, by_time = 0;  // ns
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file || !(is_compressed(file.use->path) || is_zip(file.use->path)))
            continue;
        for (const RecordView& record : file.records) {
            const Member* const member = scene.job.member_of(record);
            const std::uint64_t written = record[&Transfers::bytes_written];
            if (member == nullptr || !record.has_pattern() || written < much_in_vain) continue;
            const std::uint64_t all = member->application_bytes(Direction::read),
                                own = record[&Transfers::bytes_read];
            const auto others = static_cast<double>(all - std::min(all, own)),
                       kept = static_cast<double>(written), computed = scene.computed_for(file, record);
            const bool as_read = kept >= as_large * others && kept <= no_larger * others &&
                                 computed >= least_each * scene.stretched * kept;
            const bool by_numpy = file.use->path.ends_with(".npz") && static_cast<double>(own) < kept / 2 &&
                                  computed >= deflated_least * scene.stretched * kept &&
                                  computed <= deflated_most * scene.stretched * kept;
            if (!as_read && !by_numpy) continue;
            (as_read ? by_length : by_time) += computed;
            work.add(record, computed);
            made += written;
            most.add(*file.use, computed);
        }
    }
    if (most.use == nullptr) return {};
    const AdvisedProgram program = executable_of(scene.job, work);
    const double computed = scene.cost_beyond_io(work);
    Finding finding;
    const bool guessed = by_time > by_length;
    finding.title = fmt::format("{} compressed, and {}", format_bytes(made),
                                guessed ? "hardly smaller" : "as large as before");
    finding.cost = seconds(std::min(computed, scene.run));
    finding.cost_least = least_saved * computed;
    finding.cost_basis = "what was computed while the file was open, or most of it";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"written", "written, compressed", bytes(made),
         guessed ? fmt::format("{:.0f} ns of computing for each byte, as where data cannot be made smaller",
                               1e9 * computed / static_cast<double>(made))
                 : "about as much as was read from other files"},
        {"computed", "computed meanwhile", seconds(computed), ""},
        {"file", "most time for", path(most.use->path), ""}};
    finding.why =
        "Pictures, films, archives, and numbers with noise in them have nothing that a compressor could "
        "leave out.";
    finding.doubt =
        guessed ? "The program computed something else while it had the file open; `unzip -v` shows how "
                  "much smaller the data became."
                : "A program that reads something else as well, which happens to be as large.";
    finding.advice = advice_in(program, vain_remedies);
    Found found(std::move(finding));
    found.file = most.use;
    return found;
}

}  // namespace fathom
