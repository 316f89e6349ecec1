// What a program's library makes between small writes: messages of Python's logging, text of Fortran's
// formats.
#pragma once

#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/scene.h"

namespace fathom {

// At most, in seconds of the run.
struct MadeBetween {
    double messages = 0, text = 0;
    const FileCase* most = nullptr;  // the file that most of it is for

    double all() const { return messages + text; }
};

MadeBetween made_between(const Scene& scene, const AdvisedProgram& program);

// Adds what was made to a finding about the writes, which cost `in_calls` s: as the upper end of a range.
void add_made(report::Finding& finding, const MadeBetween& made, double in_calls, double run);
// Puts first what to do about it.
void advise_on_made(report::Finding& finding, const MadeBetween& made, const AdvisedProgram& program);

}  // namespace fathom
