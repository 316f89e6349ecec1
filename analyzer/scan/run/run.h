// A scan from its beginning, or from where one stopped, to its end or until it is to stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "analyzer/scan/file/scan.h"
#include "logformat/log/tick.h"

namespace fathom::scan {

struct RunOptions {
    unsigned threads = 1;
    double limit = 0;        // calls a second that may reach the file system; 0: no limit
    double checkpoint = 10;  // s from one to the next, or longer, where making one takes a twentieth of that
};

struct RunWorld {
    std::function<void(const Scan&)> keep;  // a scan that has not ended, to go on from; may throw
    const std::atomic<bool>& stop;
    Tick tick;  // gets the inodes looked at, of 0: nobody knows how many there are
};

// `scan` is one that has asked for something and has not begun (`began` is 0), or one that was kept. Gives
// one that has ended, or, where it was to stop, one to go on from, which was kept. Throws std::runtime_error
// where a root cannot be opened, and what keep() throws.
Scan run_scan(Scan scan, const RunOptions& options, const RunWorld& world);

}  // namespace fathom::scan
