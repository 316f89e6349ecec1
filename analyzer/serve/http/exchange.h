// A request and its answer, as the rest of the room sees them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/serve/http/peer.h"

namespace fathom::serve {

struct Request {
    std::string method, path;  // the path is decoded
    std::string query;         // behind the ?, as it came
    std::multimap<std::string, std::string> parameters;
    std::vector<std::pair<std::string, std::string>> headers;
    Peer peer;

    // All values of a header; capitals in its name do not matter.
    std::vector<std::string> header(std::string_view name) const;
    // The first of the name; empty where there is none.
    std::string parameter(const std::string& name) const;
};

struct Reply {
    int status = 200;
    std::string type = "text/plain; charset=utf-8", body;
    std::vector<std::pair<std::string, std::string>> headers{};
};

}  // namespace fathom::serve
