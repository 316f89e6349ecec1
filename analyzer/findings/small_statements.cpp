// Fortran's reads and writes of an element, or a short record, each: gfortran's library works for each
// statement, also where its buffer spares the calls.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/fortran_statements.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t many_statements = 20'000;
constexpr double small_statement = 2 << 10;  // bytes

struct Statements {
    std::uint64_t number = 0;
    double bytes = 0, time = 0;  // ns
    LostTime lost;
    const Member* most = nullptr;
    double lost_of_most = 0;

    // What they took beyond the same bytes in large requests, and what recording adds. What has a format
    // takes as long in one statement.
    void add(const Scene& scene, const Member& member)
    {
        const Process& process = member.process;
        const std::uint64_t statements =
            process.fortran_statements - std::min(process.fortran_formatted, process.fortran_statements);
        const auto number_of = static_cast<double>(statements);
        const auto in_them = static_cast<double>(
            process.fortran_time - std::min(process.fortran_formatted_time, process.fortran_time));
        const Totals& files = member.in(Layer::posix, Scope::direct);
        const auto read = static_cast<double>(files.bytes_read),
                   written = static_cast<double>(files.bytes_written);
        if (statements < many_statements || read + written > small_statement * number_of) return;
        const double needed = read * scene.reference(Direction::read).ns_per_byte +
                              written * scene.reference(Direction::write).ns_per_byte,
                     more = std::max(in_them - needed - number_of * scene.clock_cost, 0.0);
        number += statements;
        bytes += read + written;
        time += in_them;
        lost.add(member, more);
        if (more <= lost_of_most) return;
        lost_of_most = more;
        most = &member;
    }
};

// Of statements with a format it may be one of those.
std::string line_of(const Process& process)
{
    return process.fortran_formatted_time > process.fortran_time / 2 ? std::string()
                                                                     : fortran_line_of(process);
}

constexpr Remedy statement_remedies[] = {
    {Language::unknown,
     "Read and write whole arrays by one statement, rather than elements or short records by one each:",
     {"write(unit) array", "write(unit) (array(:, j), j = 1, n)    ! also an implied loop is one statement"}},
};

}  // namespace

MaybeFinding small_statements(const Scene& scene)
{
    Statements all{.lost = LostTime(scene.job)};
    for (const Member& member : scene.job.ranks) all.add(scene, member);
    if (all.most == nullptr) return {};
    const Process& process = all.most->process;
    Finding finding;
    finding.title =
        fmt::format("{} read and write statements of Fortran, {} each on average", format_count(all.number),
                    format_bytes(static_cast<std::uint64_t>(all.bytes / static_cast<double>(all.number))));
    const std::string line = line_of(process);
    if (!line.empty()) finding.title += ", most time at " + line;
    finding.cost = seconds(std::min(scene.cost_beyond_io(all.lost), scene.run));
    finding.cost_basis = "the time in these statements beyond what the bytes take in large requests";
    finding.confidence = Confidence::medium;  // seen on few programs
    finding.evidence = {
        {"statements", "statements without a format", count(all.number), ""},
        {"time", "time in them", seconds(all.time / 1e9),
         fmt::format("{} each", format_seconds(all.time / 1e9 / static_cast<double>(all.number)))}};
    if (!line.empty())
        finding.evidence.push_back(
            {"line", "most time at", text(line),
             fmt::format("{} in {} statements",
                         format_seconds(static_cast<double>(process.fortran_line_time) / 1e9),
                         format_count(process.fortran_line_statements))});
    finding.why =
        "gfortran's library looks up and locks the unit, and works on the record's ends, for each statement, "
        "also where its buffer spares the call.";
    finding.doubt = "Records that have to be short for a program that reads them.";
    finding.advice = advice_in(AdvisedProgram{}, statement_remedies);
    return Found(std::move(finding));
}

}  // namespace fathom
