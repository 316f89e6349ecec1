// The table of sources.
#include <algorithm>

#include "parsers/series/readers.h"

namespace fathom::series {
namespace {

constexpr Source table_of_sources[] = {
    {"fathom monitor", is_monitor, read_monitor_file},
    {"LMT (a file of SQLite, or MySQL)", is_lmt, read_lmt},
    {"iostat -x -t -o JSON", is_iostat_json, read_iostat_json},
    {"sadf -j", is_sadf, read_sadf},
    {"collectd, JSON", is_collectd_json, read_collectd_json},
    {"collectd, CSV", is_collectd_csv, read_collectd_csv},
    {"iostat -x -t", is_iostat_text, read_iostat_text},
    {"lctl get_param *.*.job_stats", is_job_stats, read_job_stats},
    {"lfs df", is_lfs_df, read_lfs_df},
    {"lctl dl -t", is_lctl_dl, read_lctl_dl},
    {"mmperfmon query", is_mmperfmon, read_mmperfmon},
    {"gluster volume profile", is_gluster_profile, read_gluster_profile},
    {"/proc/self/mountstats", is_mountstats, read_mountstats},
    {"Prometheus, text", is_prometheus, read_prometheus},
};

}  // namespace

std::span<const Source> sources()
{
    return table_of_sources;
}

const Source* source_of(const std::string& path, std::string_view first_bytes)
{
    const auto* const row = std::ranges::find_if(
        table_of_sources, [&](const Source& source) { return source.recognises(path, first_bytes); });
    return row == std::end(table_of_sources) ? nullptr : row;
}

}  // namespace fathom::series
