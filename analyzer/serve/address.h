// Addresses of this site's pages.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace fathom::serve {

// As it stands behind = in an address.
std::string encoded(std::string_view text);

// "/user?name=anna"; parameters without a value are left out.
std::string address_of(std::string_view path,
                       std::initializer_list<std::pair<std::string_view, std::string_view>> parameters);

// The same parameters, but for some; empty values take one away.
std::string address_with(std::string_view path, const std::multimap<std::string, std::string>& parameters,
                         std::initializer_list<std::pair<std::string_view, std::string_view>> changed);

}  // namespace fathom::serve
