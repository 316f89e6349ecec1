// Letters that mean nothing in addresses stay as they are.
#include "analyzer/serve/address.h"

#include <algorithm>
#include <fmt/format.h>

namespace fathom::serve {

std::string encoded(std::string_view text)
{
    std::string out;
    for (const char letter : text) {
        const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' ||
                           letter == '.' || letter == '~';
        if (plain)
            out += letter;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    }
    return out;
}

namespace {

void add(std::string& address, std::string_view name, std::string_view value)
{
    if (!value.empty())
        address += fmt::format("{}{}={}", address.find('?') == std::string::npos ? '?' : '&', encoded(name),
                               encoded(value));
}

}  // namespace

std::string address_of(std::string_view path,
                       std::initializer_list<std::pair<std::string_view, std::string_view>> parameters)
{
    std::string address(path);
    for (const auto& [name, value] : parameters) add(address, name, value);
    return address;
}

std::string address_with(std::string_view path, const std::multimap<std::string, std::string>& parameters,
                         std::initializer_list<std::pair<std::string_view, std::string_view>> changed)
{
    std::string address(path);
    for (const auto& [name, value] : parameters)
        if (std::ranges::none_of(changed, [&](const auto& one) { return one.first == name; }))
            add(address, name, value);
    for (const auto& [name, value] : changed) add(address, name, value);
    return address;
}

}  // namespace fathom::serve
