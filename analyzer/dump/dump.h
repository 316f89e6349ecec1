// Every value of a log, as text for grep and awk or as JSON, and the schema that all logs share.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "logformat/log.h"

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

// One column a line: table, column, type, unit, rule, meaning; tabs between, a '#' header first.
std::string schema_text();

}  // namespace fathom
