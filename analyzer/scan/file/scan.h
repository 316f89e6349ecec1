// A scan as it lies in a file: what was counted, and of one that has not ended what is still to be done.
//
// docs/FILES.md describes the bytes.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "analyzer/projects/rules.h"
#include "analyzer/scan/count/counts.h"
#include "analyzer/scan/walk/walk.h"

namespace fathom::scan {

// What was asked for: a scan goes on only where this is the same.
struct Asked {
    std::vector<std::string> roots;  // absolute paths
    bool other_mounts = false;
    std::vector<ProjectRule> projects;
};

struct Scan {
    Asked asked;
    bool has_ended = false;
    std::int64_t began = 0, ended = 0;  // seconds of UNIX time; ages are those when it began
    std::uint64_t walked = 0;           // ms that were spent, less the time between
    std::uint32_t sittings = 1;         // how often it was started or gone on with
    std::string host, program;          // where, and by which version
    Counts counts;
    std::map<std::uint32_t, std::string> users, groups;  // names of those that have inodes

    // Of one that has not ended: counts are without these links.
    std::vector<PendingFolder> pending;
    std::vector<LinkedFile> links;
};

// A file that is no scan, or is damaged, or cannot be read: which, why.
struct ScanError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws ScanError.
Scan read_scan(const std::string& path);

// The bytes of such a file.
std::string packed(Scan scan);

}  // namespace fathom::scan
