// Whether what two jobs used was one file system, by what the database has of their mounts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/jobs/schema/rows.h"

namespace fathom::neighbours {

// A mount of a job. Several nodes share file systems of some types; of all others each node has its own.
struct Place {
    std::string mount, type, source;  // as jobs::OnMount has them
    std::string cluster;              // of the job; empty: not known
    std::string nodes;                // names of the job's nodes, blanks between them; empty: not known
    double bytes = 0;                 // that the job moved there
    double share = 0;                 // of all of its bytes
};

enum class Sameness : std::uint8_t { different, not_known, same };

// True of the types that nodes share: lustre, nfs4, gpfs, fuse.glusterfs and others.
bool is_shared_type(std::string_view type);

// By type and source: servers, and what they export. Of one whose source is not known, the same place and
// type count, if `sources_at` says that no two sources were seen there. Of types that each node has for
// itself, both jobs must have run on the same nodes and no others.
Sameness compare(const Place& a, const Place& b, bool one_source_at_its_place);

// What is seen of mounts, for the last argument.
class Sources {
  public:
    void add(const Place& place);
    // At most one source is known where this is mounted.
    bool is_one_at(const Place& place) const;

  private:
    struct At {
        std::string mount, type, source;
        bool several = false;
    };
    std::vector<At> seen_;
};

// "/scratch (lustre, mds:/scratch)"
std::string words_of(const Place& place);

}  // namespace fathom::neighbours
