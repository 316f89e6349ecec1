// Paths as a database can hold them: valid UTF-8, and each path another text.
#pragma once

#include <string>
#include <string_view>

namespace fathom::jobs {

// Most paths stay as they are; in others what is no printable UTF-8 becomes \xNN and the like, and a
// backslash is doubled.
std::string stored_path(const std::string& path);
// The path of a text that stored_path() gave.
std::string path_of_stored(std::string_view stored);

}  // namespace fathom::jobs
