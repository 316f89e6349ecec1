// One recording of `fathom record`, from before its program starts to the log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/commands/record_options.h"
#include "analyzer/record/executable.h"
#include "analyzer/record/job.h"
#include "analyzer/record/launch.h"
#include "logformat/log/log.h"

namespace fathom {

struct Recording {
    explicit Recording(
        const RecordOptions& given);  // throws std::runtime_error where there is no place for a spool

    const RecordOptions& options;
    std::uint64_t start;
    pid_t pid;
    std::optional<Launched> by;
    bool inside;       // a launcher, which has started one recorder for each rank
    OwnerNames names;  // empty where another rank asks for them
    std::string job;   // job_key()
    // Of the recorders of a launch, those that were asked for the same log have this in common.
    std::string key;
    std::string spool;
    // Around a launcher all ranks of this node share the spool; inside it they need a folder in common.
    std::string ranks_folder;
    Hindrance hindrance;

    // Where the log shall be, made absolute: the program may be anywhere else by then.
    std::string output(const std::string& program) const;
};

// What its program shall find in its environment. Nodes of a launch meet in `launch_folder`.
Environment environment_for(const Recording& recording, const std::string& output,
                            const std::string& launch_folder);

// The facts that are known before the program starts, and once it has ended.
Log facts_at_start(const Recording& recording);
Log facts_at_end(const Recording& recording, const LaunchOutcome& outcome);

// Keeps them in the spool, for whoever collects. Throws LogError. `folder`: see Kept in spool.h.
void keep_facts(const Recording& recording, Log facts, const std::string& folder);

// Said before the program runs: afterwards it would explain a log that is not there.
std::string sentence_on(const Hindrance& hindrance);
void check_output(const std::string& path);

// Said of what could not be written.
std::string sentence_on_trouble(std::string_view why, const std::string& spool);

// Runs the program and collects. Each returns what `fathom record` shall exit with, or ends as the program
// did.
int record_outside(const Recording& recording);
int record_inside(const Recording& recording);

// Says why the program was not started, and returns the status for it.
int report_failed_start(const std::string& program, int error);

inline constexpr int exit_no_log = 125;

}  // namespace fathom
