// What a route is given, and what it gives.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/jobs/schema/rows.h"
#include "analyzer/serve/http/exchange.h"
#include "analyzer/serve/running.h"
#include "analyzer/serve/sessions.h"
#include "analyzer/serve/slow.h"

namespace fathom::serve {

using jobs::Number;

// There is no such thing, or not for this viewer: the answer is the same.
struct NotThere {};
// The address asks for what cannot be: a sentence.
struct BadAddress : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// Not now.
struct NotYet : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Shared {
    SlowDocuments& slow;
    Running& running;
    std::vector<std::string> series{};  // files, folders and URLs, as whoever started the server named them
};

struct Asked {
    const Request& request;
    const Viewer& viewer;
    Sessions& sessions;
    Shared& shared;
    Number id = 0;         // of the job that the address names
    std::int64_t now = 0;  // ns of UNIX time

    jobs::Database& database(Scope scope = Scope::own) const { return sessions.of(viewer, scope); }
};

enum class Form : unsigned char { html, json, csv };

struct Link {
    std::string words, address;
    bool here = false;
};

struct View {
    report::Document document{};
    std::optional<std::string> csv{};  // where that was asked for
    std::vector<Link> beside{};        // other views of the same thing
    std::vector<Link> pages{};         // before and behind this one
    std::string form{};                // HTML: fields of a filter
    bool with_span = false;            // parameters since and until choose a stretch of time
    unsigned refresh = 0;              // s, after which it is looked at again; 0: never
};

}  // namespace fathom::serve
