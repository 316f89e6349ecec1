// Hides what a job's record says, of which only the version of the library stays.
#include "analyzer/convert/darshan_changes.h"

#include "analyzer/convert/anonymize_log.h"
#include "logformat/job_identity.h"

namespace fathom {
namespace {

constexpr const char* note_key = "note";

void hide(darshan::JobRecord& job, const Anonymizer& with)
{
    job.uid = with.positive_number(job.uid);
    job.jobid = with.positive_number(job.jobid);
    job.command = with.word(job.command);
    std::erase_if(job.metadata, [](const auto& entry) { return entry.first == note_key; });
    for (auto& [key, value] : job.metadata) {
        if (key == "h")
            value = with.hints(value);
        else if (identity::is_identity(key))
            value = hidden_fact(key, value, with);
        else if (key != "lib_ver")
            value = with.word(value);
    }
    for (darshan::MountEntry& mount : job.mounts) mount.path = with.path(mount.path);
}

}  // namespace

darshan::Changes darshan_changes(const std::optional<Anonymizer>& anonymizer,
                                 const std::optional<FileChoice>& only, const std::string& note)
{
    darshan::Changes changes;
    changes.job = [&](darshan::JobRecord& job) {
        if (anonymizer) hide(job, *anonymizer);
        if (!note.empty()) job.metadata.emplace_back(note_key, note);
    };
    if (anonymizer) {
        changes.name = [&](std::string_view name) { return anonymizer->path(name); };
        changes.unnamed = [&](std::uint64_t id) { return anonymizer->number(id); };
        changes.text = [&](std::string_view text) { return anonymizer->word(text); };
    }
    if (only) changes.only = [&](std::uint64_t id, std::string_view) { return only->has(id); };
    return changes;
}

}  // namespace fathom
