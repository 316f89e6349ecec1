// Reads what sites have of their servers, devices and networks into one table.
#pragma once

#include <string>
#include <vector>

#include "logformat/log/tick.h"
#include "logformat/series/table.h"

namespace fathom::series {

struct ReadOptions {
    std::string time_zone = {};  // of local times that do not say theirs; empty: this machine's
    Window window = {};
    std::string host = {}, system = {};  // of files that name none
    Tick tick = {};                      // of bytes
};

// Files, folders of them (all below but hidden ones; those that no source knows are counted and left out),
// archives (tar, gzip) and URLs of databases. What cannot be read is a problem of the table, with the file's
// name. Throws std::invalid_argument: there is no such time zone.
Table read_series(const std::vector<std::string>& paths, const ReadOptions& options);

}  // namespace fathom::series
