// What the site says (logformat/site_settings.h), for commands that make logs.
#pragma once

#include <string>
#include <vector>

#include "logformat/site_settings.h"

namespace fathom {

struct SiteRules {
    SiteSettings settings;
    std::vector<std::string> troubles;  // lines that are not obeyed, with the reason
};
// Reads the file once.
const SiteRules& the_site();

// The mode of the logs that this process makes: by FATHOM_MODE, the umask and the site.
FileMode mode_of_logs();

}  // namespace fathom
