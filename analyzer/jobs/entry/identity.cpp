// Hashes what a log says, not its bytes.
#include "analyzer/jobs/entry/identity.h"

#include <array>
#include <fmt/format.h>
#include <sodium.h>

#include "analyzer/job/who.h"
#include "logformat/job_identity.h"

namespace fathom::jobs {
namespace {

// "4711" of "4711.server".
std::string_view number_in(std::string_view id)
{
    return id.substr(0, id.find_first_not_of("0123456789"));
}

// As it was called, which may be a link to what ran: Darshan knows no other name.
std::string called_program(const fathom::Job& job)
{
    const Process* const main = main_process_of(job);
    if (main == nullptr || main->command.empty()) return program_name_of(job);
    const std::string_view word = main->command.substr(0, main->command.find(' '));
    return std::string(word.substr(word.find_last_of('/') + 1));
}

// Of "anna_ior_id4711-22842_11-23-..." the second number.
std::string_view process_in_name(std::string_view name)
{
    constexpr std::string_view digits = "0123456789";
    for (std::size_t at = name.find("_id"); at != std::string_view::npos; at = name.find("_id", at + 1)) {
        std::string_view rest = name.substr(at + 3);
        const std::size_t dash = rest.find_first_not_of(digits);
        if (dash == 0 || dash == std::string_view::npos || rest[dash] != '-') continue;
        rest.remove_prefix(dash + 1);
        const std::size_t end = rest.find_first_not_of(digits);
        if (end != 0 && end != std::string_view::npos && rest[end] == '_') return rest.substr(0, end);
    }
    return {};
}

}  // namespace

std::string identity_of(const fathom::Job& job)
{
    std::string said = fmt::format("{} {} {}\n", job.start, job.end, job.log.rows<Process>().size());
    for (const Fact& fact : job.log.rows<Fact>()) said += fmt::format("{}={}\n", fact.name, fact.value);
    for (std::size_t at = 0; at < layers; ++at) {
        const Transfers& sums = job.layer_sums.transfers(static_cast<fathom::Layer>(at));
        said += fmt::format("{} {} {} {} {} {} {}\n", sums.opens, sums.reads, sums.writes, sums.bytes_read,
                            sums.bytes_written, sums.read_time, sums.write_time);
    }
    std::array<unsigned char, 16> hash{};
    crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(said.data()),
                       said.size(), nullptr, 0);
    std::string digits;
    for (const unsigned char byte : hash) digits += fmt::format("{:02x}", byte);
    return digits;
}

std::string match_key_of(const fathom::Job& job)
{
    const auto user = job.log.fact(identity::user), batch_job = job.log.fact(identity::job_id);
    std::string number;
    if (batch_job)
        number = number_in(*batch_job);
    else if (const Process* const main = main_process_of(job); main != nullptr && main->pid != 0)
        number = fmt::format("{}", main->pid);
    if (!user || number.empty()) return {};
    return fmt::format("{}/{}/{}/{}", *user, number, processes_of(job), called_program(job));
}

std::string process_key_of(const fathom::Job& job, const std::string& path)
{
    const auto user = job.log.fact(identity::user);
    const Process* const main = main_process_of(job);
    std::string process;
    if (main != nullptr && main->pid != 0)
        process = fmt::format("{}", main->pid);
    else
        process = process_in_name(std::string_view(path).substr(path.find_last_of('/') + 1));
    return !user || process.empty() ? std::string()
                                    : fmt::format("{}/{}/{}", *user, process, called_program(job));
}

}  // namespace fathom::jobs
