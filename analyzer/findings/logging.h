// What Python's logging does for each message, between small writes.
#pragma once

#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/scene.h"

namespace fathom {

// At most, in seconds of the run.
struct LoggedMessages {
    double messages = 0;
    const FileCase* most = nullptr;  // the file that most of it is for
};

LoggedMessages logged_messages(const Scene& scene, const AdvisedProgram& program);

// Adds what was made to a finding about the writes, which cost `in_calls` s: as the upper end of a range.
void add_messages(report::Finding& finding, const LoggedMessages& made, double in_calls, double run);
// Puts first what to do about it.
void advise_on_messages(report::Finding& finding, const AdvisedProgram& program);

}  // namespace fathom
