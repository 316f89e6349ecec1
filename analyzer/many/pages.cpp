// A log's path without what it shares with the others.
#include "analyzer/many/pages.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace fathom {

std::string common_folder(std::span<const JobRow> rows)
{
    if (rows.empty()) return {};
    std::string_view common = rows.front().log;
    for (const JobRow& row : rows) {
        const auto differ = std::mismatch(common.begin(), common.end(), row.log.begin(), row.log.end());
        common = common.substr(0, static_cast<std::size_t>(differ.first - common.begin()));
    }
    const std::size_t slash = common.rfind('/');
    return slash == std::string_view::npos || slash == 0 ? "" : std::string(common.substr(0, slash + 1));
}

namespace {

// Names of logs may be anything: a link must lead to a file beside the table and nowhere else.
bool means_something_in_links(char c)
{
    constexpr std::string_view plain = "-._~+,=@";
    return std::isalnum(static_cast<unsigned char>(c)) == 0 && plain.find(c) == std::string_view::npos;
}

}  // namespace

std::vector<std::string> page_names(std::span<const JobRow> rows)
{
    constexpr std::string_view table_page = "index.html";
    const std::size_t shared = common_folder(rows).size();
    std::set<std::string> taken = {std::string(table_page)};
    std::vector<std::string> names;
    for (const JobRow& row : rows) {
        std::string name = row.log.substr(shared);
        const std::size_t begin = name.find_first_not_of("./"), dot = name.rfind('.');
        if (dot != std::string::npos && dot > name.rfind('/') + 1) name.resize(dot);
        name.erase(0, std::min(begin, name.size()));
        std::replace(name.begin(), name.end(), '/', '-');
        std::replace_if(name.begin(), name.end(), means_something_in_links, '_');
        std::string page = name + ".html";
        for (int number = 2; !taken.insert(page).second; ++number)
            page = fmt::format("{}-{}.html", name, number);
        names.push_back(std::move(page));
    }
    return names;
}

}  // namespace fathom
