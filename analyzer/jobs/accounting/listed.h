// A job of the batch system, or a step of one, as a source lists it; and how sources write times, numbers and
// ids.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

struct Listed {
    std::string job, step;  // no step: the allocation
    std::string array_job, array_index;
    std::string name, user, account, queue, cluster, state;
    Number start = 0, end = 0;  // nanoseconds of UNIX time; 0: not yet
    Known nodes, cores, tasks;
    Known elapsed;  // nanoseconds, without those in which it was suspended

    bool is_step() const { return !step.empty(); }
    // What Slurm runs beside the programs of a job, for what comes in by ssh, is none.
    bool is_program() const { return is_step() && step != "extern"; }
};

// What a line says that cannot be: a sentence without a full stop.
struct Unusable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// "2017-03-20T01:59:02", in the time zone of this process, or seconds of UNIX time. 0: "Unknown", "None" and
// the like. Throws Unusable.
Number time_of(std::string_view text);
// Throws Unusable where it is no instant that nanoseconds can tell.
Number time_of_seconds(std::uint64_t seconds);

// Nothing inside: an empty text. Throws Unusable where it is no whole number.
Known count_of(std::string_view text);
inline Known unless_none(Known count)
{
    return count && *count > 0 ? count : std::nullopt;
}

// Valid UTF-8, no zero bytes: as the database gives it back.
std::string stored_text(std::string_view text);

// Slurm writes "CANCELLED by 1000".
std::string state_of_words(std::string_view text);

// Job, step and array of "4711", "4711_3", "4711.0" and "4711.batch". `raw` is the id without the array where
// that is known: the one by which the job knows itself. Throws Unusable where there is no such id.
void set_id(std::string_view id, std::string_view raw, Listed& listed);
// "batch" of the number that Slurm has for it.
std::string step_named(std::string_view step);

// Whether it began at all. Throws Unusable where its times contradict each other. What runs
// still has no end, whatever is printed there.
bool has_started(Listed& listed);

}  // namespace fathom::jobs
