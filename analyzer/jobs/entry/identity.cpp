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
    return fmt::format("{}/{}/{}/{}", *user, number, processes_of(job), program_name_of(job));
}

}  // namespace fathom::jobs
