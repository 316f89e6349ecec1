// The table of routes: an address, the forms that it has, what it is, and the function that makes it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyzer/serve/view.h"

namespace fathom::serve {

struct Route {
    std::string_view path;  // "{id}" stands for the number of a job
    std::string_view parameters;
    std::string_view meaning;
    View (*make)(const Asked& asked, Form form);
    bool with_csv = false;
    std::string_view menu = {};  // its name in the menu of all pages; empty: it is not in it
};

std::span<const Route> routes();

struct Found {
    const Route* route = nullptr;  // nullptr: no route has this address
    Form form = Form::html;
    Number id = 0;
};
Found find_route(std::string_view path);

// docs/API.md's part on addresses.
std::string routes_as_markdown();

// Each in a file of its own.
View jobs_view(const Asked& asked, Form form);
View job_view(const Asked& asked, Form form);
View report_view(const Asked& asked, Form form);
View history_view(const Asked& asked, Form form);
View neighbours_view(const Asked& asked, Form form);
View servers_view(const Asked& asked, Form form);
View running_view(const Asked& asked, Form form);
View programs_view(const Asked& asked, Form form);
View program_view(const Asked& asked, Form form);
View users_view(const Asked& asked, Form form);
View user_view(const Asked& asked, Form form);
View site_view(const Asked& asked, Form form);
View file_systems_view(const Asked& asked, Form form);
View file_system_view(const Asked& asked, Form form);
View minute_view(const Asked& asked, Form form);

}  // namespace fathom::serve
