// Who asks, and what they may see.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/serve/http/exchange.h"

namespace fathom::serve {

struct Viewer {
    std::string user;
    std::vector<std::string> projects;  // whose jobs they see beside their own
    bool everything = false;
    bool runs_here = false;  // it is the user who runs this server

    // The same for viewers who see the same.
    std::string key() const;
};

struct AccessRules {
    std::string user_header;           // empty: only the user who runs this server, from this machine
    std::vector<std::string> proxies;  // addresses whose header is trusted
    std::vector<uid_t> proxy_users;    // whose processes on this machine may be one
    std::vector<std::string> staff, staff_groups;
    bool projects_are_groups = false;
    bool everything = false;  // of the user who runs this server
};

struct Refusal {
    int status = 403;
    std::string sentence;
};

class Access {
  public:
    explicit Access(AccessRules rules);

    // By the connection and the headers.
    std::variant<Viewer, Refusal> viewer_of(const Request& request);

  private:
    Viewer named(const std::string& user);
    std::vector<std::string> groups_of(const std::string& user);

    AccessRules rules_;
    std::mutex mutex_;
    struct Known {
        std::int64_t until = 0;  // s, steady
        std::vector<std::string> groups;
    };
    std::map<std::string, Known> known_;
};

// The name of the user of a number, or the number where it has none: as job databases call users.
std::string user_name(uid_t user);

}  // namespace fathom::serve
