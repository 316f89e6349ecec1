// The paths that calls failed on most, of many logs as those of one.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "logformat/log/log.h"

namespace fathom {

class FailedPathMerger {
  public:
    // Takes the rows out of a log, whose texts may go then.
    void take(Log& other);

    // Puts into the log what is left: no more rows than one log may have.
    void settle(Log& log);

  private:
    struct Sum {
        FailedPath row;  // without its path
        std::uint64_t certain_of_cause = 0;
    };
    void leave_rare(std::size_t most);

    std::map<std::string, Sum, std::less<>> sums_;
};

}  // namespace fathom
