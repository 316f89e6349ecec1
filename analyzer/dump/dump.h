// Every value of a log, as text for grep and awk or as JSON, what its traces and slices hold as tables, and
// the schema that all logs share.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/log/log.h"

namespace fathom {

struct DumpChoice {
    std::set<std::string, std::less<>> tables;  // empty: all
    std::string file;                           // only names and records whose path contains this; empty: all
    bool nonzero = false;                       // leave out counters that are 0

    bool wants(std::string_view table) const { return tables.empty() || tables.contains(table); }
};

// Takes a piece of output; false: nobody reads on, stop.
using Sink = std::function<bool(std::string_view)>;

// One counter a line: table, process, counter, value, subject; tabs between, a '#' header first.
void dump_text(const Log& log, const DumpChoice& choice, const Sink& sink);

// One JSON document; `fathom dump --help` describes it.
void dump_json(const Log& log, const DumpChoice& choice, const Sink& sink);

// Every operation of the log's traces, as CSV with a header, in the order of processes and threads and of
// when operations ended; only those on files whose path contains `file`. Returns what is wrong with the
// traces, a sentence each.
std::vector<std::string> dump_trace(const Log& log, std::string_view file, const Sink& sink);

// The same as a Chrome trace, which Perfetto and chrome://tracing open.
std::vector<std::string> dump_chrome_trace(const Log& log, std::string_view file, const Sink& sink);

// What each process did in each slice of time, as CSV with a header.
void dump_slices(const Log& log, const Sink& sink);

// One column a line: table, column, type, unit, rule, meaning; tabs between, a '#' header first.
std::string schema_text();

}  // namespace fathom
