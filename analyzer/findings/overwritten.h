// What was written over what had just been written.
#pragma once

#include "analyzer/findings/scene.h"

namespace fathom {

struct Overwritten {
    double bytes = 0, written = 0;  // of these
    double time = 0;                // ns in writes of the file, with syncs that had much to write

    double share() const { return written > 0 ? bytes / written : 0; }
};

// Of a record's file, 0 bytes unless more than 1.25 times its extent was written, each time that it was made,
// and half of the time from the first write to the last went into writes: else it is a state that is kept up
// to date. Of what was read, bytes beyond a tenth of those that were written show the same; with
// `read_before`, so may be as much as was written over, which was read before that.
Overwritten overwritten_in(const FileCase& file, const RecordView& record, bool read_before = false);

// Of a file of several ranks: what one wrote of all of it, beside its own part, before all wrote theirs.
struct Filled {
    std::int64_t process = 0;
    double bytes = 0, time = 0;  // 0 bytes: nothing shows that; ns
};
Filled filled_before(const RecordView& record);

}  // namespace fathom
