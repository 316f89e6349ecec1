// Logs: what Python's logging does for each message, between small writes, and logs that are rotated.
#pragma once

#include <span>
#include <string_view>
#include <unordered_set>

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
// Puts first what to do about it; nothing else where Python's logging writes them for certain.
void advise_on_messages(report::Finding& finding, const Scene& scene, const AdvisedProgram& program,
                        const LoggedMessages& made);

// Paths of files that were given the name PATH.1 and made anew, as logs are rotated: nothing of them is lost.
std::unordered_set<std::string_view> rotated_logs(const Scene& scene);
// What to do about renames, of which most are those of older logs; nothing where they are not.
std::span<const Remedy> remedies_on_rotation(const Scene& scene);
// Whether most of so many stats are of a log, two before each message, as those of Python's
// RotatingFileHandler; and what to do about these.
bool asks_at_each_message(const Scene& scene, std::uint64_t stats);
std::span<const Remedy> remedies_on_asking(const Scene& scene, std::uint64_t stats);

}  // namespace fathom
