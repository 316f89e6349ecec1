// Many parts to one log.
#include "analyzer/record/fold.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <vector>

#include "analyzer/record/liveness.h"
#include "analyzer/record/merge.h"
#include "analyzer/record/part_clock.h"
#include "analyzer/record/part_file.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

// Fewer new parts are not worth a log of their own. Each takes at least 8 KiB.
constexpr std::size_t least_parts = 200;

// MPI ranks may be in a log of theirs, or go on in another part: that is for the end to sort out.
bool can_fold(const PartFile& part)
{
    return part.good() && !part.has_rank() && life_of(part) == Life::ended;
}

}  // namespace

void Folding::look()
{
    if (tired_) return;
    try {
        if (parts_in(spool_).size() >= stayed_ + std::max(least_parts, stayed_ / 2)) fold();
    } catch (const std::exception&) {
        tired_ = true;
    }
}

void Folding::fold()
{
    Merger merger;
    std::vector<std::string> done;
    stayed_ = 0;
    for (const std::string& path : parts_in(spool_)) {
        // Whether it lives is asked first: a part that is read before its process's last call lacks it.
        const bool ended = can_fold(load_header(path));
        if (!ended) {
            ++stayed_;
            continue;
        }
        const PartFile part = load_part(path);
        merger.add(log_of(part, clock_of(part.header())));
        done.push_back(path);
    }
    if (done.empty()) return;
    // Parts are removed only once the log is there. Who dies in between leaves both, and the parts are passed
    // over (collect.cpp).
    write_log(merger.pause(), folded_path(spool_, folded_++));
    for (const std::string& path : done) std::filesystem::remove(path);
}

}  // namespace fathom
