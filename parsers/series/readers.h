// The sources, a pair of functions and a file each; sources.cpp has the table.
#pragma once

#include "parsers/series/source.h"

namespace fathom::series {

bool is_iostat_text(const std::string& path, std::string_view first_bytes);
void read_iostat_text(const Reading& reading, Builder& builder);

bool is_iostat_json(const std::string& path, std::string_view first_bytes);
void read_iostat_json(const Reading& reading, Builder& builder);

bool is_sadf(const std::string& path, std::string_view first_bytes);
void read_sadf(const Reading& reading, Builder& builder);

// By its content and its path, HOST/PLUGIN-INSTANCE/TYPE-INSTANCE-DATE: the path alone says what it counts.
bool is_collectd_csv(const std::string& path, std::string_view first_bytes);
void read_collectd_csv(const Reading& reading, Builder& builder);

bool is_collectd_json(const std::string& path, std::string_view first_bytes);
void read_collectd_json(const Reading& reading, Builder& builder);

// A file of SQLite, or the URL of a database.
bool is_monitor(const std::string& path, std::string_view first_bytes);
void read_monitor_file(const Reading& reading, Builder& builder);

bool is_lmt(const std::string& path, std::string_view first_bytes);
void read_lmt(const Reading& reading, Builder& builder);

bool is_job_stats(const std::string& path, std::string_view first_bytes);
void read_job_stats(const Reading& reading, Builder& builder);

bool is_lfs_df(const std::string& path, std::string_view first_bytes);
void read_lfs_df(const Reading& reading, Builder& builder);

bool is_lctl_dl(const std::string& path, std::string_view first_bytes);
void read_lctl_dl(const Reading& reading, Builder& builder);

bool is_mmperfmon(const std::string& path, std::string_view first_bytes);
void read_mmperfmon(const Reading& reading, Builder& builder);

bool is_gluster_profile(const std::string& path, std::string_view first_bytes);
void read_gluster_profile(const Reading& reading, Builder& builder);

bool is_mountstats(const std::string& path, std::string_view first_bytes);
void read_mountstats(const Reading& reading, Builder& builder);

bool is_prometheus(const std::string& path, std::string_view first_bytes);
void read_prometheus(const Reading& reading, Builder& builder);

}  // namespace fathom::series
