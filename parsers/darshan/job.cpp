// The record of the job: numbers, metadata, command line and mounts.
#include "parsers/darshan/job.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "parsers/darshan/region_reader.h"
#include "parsers/darshan/words.h"

namespace fathom::darshan {
namespace {

constexpr std::size_t metadata_bytes = 1024, most_job_bytes = 4096;

std::string_view up_to(std::string_view& rest, char mark)
{
    const std::size_t at = rest.find(mark);
    const std::string_view piece = rest.substr(0, at);
    rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
    return piece;
}

std::string_view text_in(std::span<const std::byte> bytes)
{
    const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    return text.substr(0, text.find('\0'));
}

void read_metadata(std::string_view text, JobRecord& job)
{
    while (!text.empty()) {
        std::string_view line = up_to(text, '\n');
        if (line.find('=') == std::string_view::npos) continue;
        const std::string_view key = up_to(line, '=');
        job.metadata.emplace_back(key, line);
    }
}

void read_command_and_mounts(std::string_view text, JobRecord& job)
{
    job.command = up_to(text, '\n');
    while (!text.empty()) {
        std::string_view line = up_to(text, '\n');
        if (line.find('\t') == std::string_view::npos) continue;
        const std::string_view type = up_to(line, '\t');
        job.mounts.push_back({std::string(line), std::string(type)});
    }
}

}  // namespace

Problem read_job(const Source& source, const Header& header, JobRecord& job)
{
    RegionReader reader(source, header.job, header.compression);
    const auto numbers = [&](std::span<std::int64_t* const> fields) {
        const auto bytes = reader.take(fields.size() * 8);
        if (bytes.size() < fields.size() * 8) return false;
        for (std::size_t at = 0; at < fields.size(); ++at)
            *fields[at] = load_number<std::int64_t>(bytes.data() + at * 8, header.swapped);
        return true;
    };
    job.has_ns = !header.short_job;
    const std::array<std::int64_t*, 7> fields = {&job.uid,    &job.start,     &job.start_ns, &job.end,
                                                 &job.end_ns, &job.processes, &job.jobid};
    const std::array<std::int64_t*, 5> short_fields = {&job.uid, &job.start, &job.end, &job.processes,
                                                       &job.jobid};
    const bool whole = header.short_job ? numbers(short_fields) : numbers(fields);
    if (!whole)
        return fmt::format("the job's record, from byte {} on: {}", header.job.offset,
                           reader.problem().empty() ? "it is too short" : reader.problem());
    read_metadata(text_in(reader.take(metadata_bytes)), job);
    read_command_and_mounts(text_in(reader.take(most_job_bytes - reader.taken())), job);
    const Problem trouble = reader.problem();
    return trouble.empty() ? "" : fmt::format("the job's record: {}", trouble);
}

}  // namespace fathom::darshan
