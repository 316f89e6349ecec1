// The report as one HTML file that needs nothing else: no network, and no script to be read.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "analyzer/document/document.h"

namespace fathom::report {

std::string render_html(const Document& document);

// What a page of a site has around its document. The texts are HTML: what comes from outside is escaped
// already.
struct HtmlFrame {
    std::string_view policy;  // of content, in place of that of a report
    std::string_view style;   // behind that of a report
    std::string head;         // before </head>
    std::string above;        // before the document's title
    std::string_view script;  // behind that of a report; empty: none
    // Where a cell of a table leads; empty: nowhere.
    std::function<std::string(const DataTable& table, std::size_t row, std::size_t column)> link;
};
std::string render_html(const Document& document, const HtmlFrame& frame);

// The script that every page has, as it stands between its tags.
std::string_view html_page_script();

}  // namespace fathom::report
