// Facts of the job, its mounts, and what the file says is missing from it.
#include <algorithm>
#include <fmt/format.h>

#include "logformat/job_identity.h"
#include "logformat/log/lacking.h"
#include "logformat/log/words.h"
#include "parsers/darshan/import.h"

namespace fathom::darshan {
namespace {

struct MetadataName {
    std::string_view key, fact;
};
constexpr MetadataName metadata_names[] = {
    {"lib_ver", "darshan_version"}, {"h", "mpi_hints"}, {"fork_parent", "fork_parent"}, {"note", "note"}};

// Of these keys Darshan has none: logs that we made of our own have them by the names of the facts.
std::string_view fact_of(std::string_view key)
{
    const auto* const known = std::find_if(std::begin(metadata_names), std::end(metadata_names),
                                           [&](const MetadataName& name) { return name.key == key; });
    if (known != std::end(metadata_names)) return known->fact;
    return identity::is_identity(key) ? key : std::string_view();
}

constexpr Module decoded[] = {Module::posix,     Module::mpiio,     Module::stdio,        Module::h5f,
                              Module::h5d,       Module::lustre,    Module::pnetcdf_file, Module::pnetcdf_var,
                              Module::dxt_posix, Module::dxt_mpiio, Module::heatmap};

std::string name_of_slot(const ModuleRegion& region)
{
    return region.module == Module::none ? fmt::format("module {}", region.slot)
                                         : std::string(name_of(region.module));
}

void add_modules(Import& import)
{
    std::string names, not_decoded;
    for (const ModuleRegion& region : import.file.modules()) {
        const bool known =
            std::find(std::begin(decoded), std::end(decoded), region.module) != std::end(decoded);
        std::string& list = known ? names : not_decoded;
        add_to_list(list, name_of_slot(region));
        if (region.partial)
            import.problem(
                fmt::format("module {} is incomplete: Darshan had no memory left for it, so that "
                            "records are missing and sums are too low; let it have more "
                            "(DARSHAN_MODMEM), or leave out files (NAME_EXCLUDE in its "
                            "configuration)",
                            name_of_slot(region)));
    }
    if (!names.empty()) import.log.add_fact("modules", names);
    if (!not_decoded.empty()) import.log.add_fact("not_decoded", not_decoded);
}

}  // namespace

void import_job(Import& import)
{
    Log& log = import.log;
    const JobRecord& job = import.file.job();
    log.add_fact("source", "darshan");
    log.add_fact("darshan_log_format", import.file.version());
    if (!job.command.empty()) log.add_fact("command", job.command);
    if (job.processes > 0) {
        log.add_fact("job_id", fmt::format("{}", job.jobid));
        if (job.uid != -1) log.add_fact("user", fmt::format("{}", job.uid));
    }
    for (const auto& [key, value] : job.metadata) {
        if (const std::string_view fact = fact_of(key); !fact.empty())
            log.add_fact(fact, value);
        else
            log.add_fact("metadata", key + "=" + value);
    }
    add_modules(import);
    for (const MountEntry& mount : job.mounts)
        log.rows<Mount>().push_back({log.keep(mount.path), log.keep(mount.type), {}});
    log.mark_lacking(&Mount::source);
    mark_lacking<Hints>(log);
    mark_lacking<FailedPath>(log);
    mark_lacking<CollectiveCall>(log);
    mark_lacking<DataFileRecord>(log);
    mark_lacking<DatasetRecord>(log);
    for (const Problem& problem : import.file.problems()) import.problem(problem);
    if (job.processes <= 0) import.problem("the number of processes of the job is not known");
    if (import.clock.start == 0) import.problem("when the job started is not known; times count from 1970");
}

}  // namespace fathom::darshan
