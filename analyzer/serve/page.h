// A view as a page of the site: menu, time span, other forms, links from names to their pages.
#pragma once

#include <string>

#include "analyzer/serve/routes.h"

namespace fathom::serve {

std::string page_of(const View& view, const Asked& asked, const Route& route);
// One sentence, for what cannot be shown. `again`: s, after which the page asks again; 0: never.
std::string page_of_sentence(const std::string& title, const std::string& sentence, unsigned again = 0);

// What browsers may do with pages: scripts by their hashes, and nothing from elsewhere.
const std::string& content_policy();

}  // namespace fathom::serve
