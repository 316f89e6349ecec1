// The files that accounting comes in. A reader gives out each job and step that it finds, and says what it
// cannot use.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "analyzer/jobs/accounting/listed.h"

namespace fathom::jobs {

struct Reading {
    // A job or step that has started.
    std::function<void(Listed&&)> take;
    // One that has not.
    std::function<void()> leave_out;
    // What cannot be used, and where: "line 3".
    std::function<void(const std::string& where, const std::string& what)> complain;
    // Told how many bytes are read; false: stop.
    std::function<bool(std::uint64_t done)> go_on;
};

// Gives out what has started, and counts what has not.
void give(Listed&& listed, const Reading& reading);

// What a field of sacct says, by its name in lower case; fields that have no row there are left alone. The id
// stays as it is until finish(), which throws Unusable.
struct SacctFields {
    Listed listed;
    std::string id, raw;
    bool no_nodes = false;

    using Set = void (*)(SacctFields& fields, std::string_view text);
    // nullptr: nothing is made of it.
    static Set setter(std::string_view name);
    void finish(const Reading& reading);
};
std::string lower_case(std::string_view text);

// `sacct -P` or `sacct -p`: a line with the names of columns, then a line each.
bool is_sacct_text(std::string_view first_bytes);
void read_sacct_text(const std::string& path, const Reading& reading);

// `sacct --json`.
bool is_sacct_json(std::string_view first_bytes);
void read_sacct_json(const std::string& path, const Reading& reading);

// What pytokio keeps of sacct: a dictionary by the id of jobs and steps.
bool is_pytokio_json(std::string_view first_bytes);
void read_pytokio_json(const std::string& path, const Reading& reading);

// A file of SQLite with a table of jobs, as NERSC has one: summary(stepid, hostname, start, completion,
// numnodes).
bool is_job_summary(const std::string& path, std::string_view first_bytes);
void read_job_summary(const std::string& path, const Reading& reading);

}  // namespace fathom::jobs
