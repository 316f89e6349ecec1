// What a file holds.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace fathom::testing {

inline std::string content_of(const std::string& path)
{
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace fathom::testing
