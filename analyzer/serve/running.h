// What runs now of the user who runs this server, for any number of viewers of it.
#pragma once

#include <cstdint>
#include <mutex>

#include "analyzer/document/document.h"
#include "analyzer/watch/snapshot.h"

namespace fathom::serve {

class Running {
  public:
    // A row a recording that is under way on this node; nothing of none. Looks at most once in two seconds,
    // however many ask.
    report::Section section();

  private:
    std::mutex mutex_;
    watch::Snapshot before_, now_;
};

}  // namespace fathom::serve
