// The table of renderers.
#include "analyzer/document/renderers/renderers.h"

#include <algorithm>

#include "analyzer/document/renderers/html/html.h"
#include "analyzer/document/renderers/json.h"
#include "analyzer/document/renderers/pdf/pdf.h"

namespace fathom::report {
namespace {

constexpr Renderer table[] = {
    {"text", ".txt .text", render_text},
    {"json", ".json", [](const Document& document, const TextStyle&) { return render_json(document); }},
    {"html", ".html .htm", [](const Document& document, const TextStyle&) { return render_html(document); }},
    {"pdf", ".pdf", [](const Document& document, const TextStyle&) { return render_pdf(document); }},
};

}  // namespace

std::span<const Renderer> renderers()
{
    return table;
}

const Renderer* renderer_of_format(std::string_view format)
{
    const auto found = std::find_if(std::begin(table), std::end(table),
                                    [&](const Renderer& one) { return one.format == format; });
    return found == std::end(table) ? nullptr : found;
}

const Renderer* renderer_for_file(std::string_view path)
{
    const std::string_view name = path.substr(path.find_last_of('/') + 1);
    const std::size_t dot = name.find_last_of('.');
    if (dot == std::string_view::npos) return nullptr;
    const std::string_view ending = name.substr(dot);
    for (const Renderer& one : table) {
        std::string_view endings = one.endings;
        while (!endings.empty()) {
            const std::size_t length = std::min(endings.find(' '), endings.size());
            if (endings.substr(0, length) == ending) return &one;
            endings.remove_prefix(std::min(length + 1, endings.size()));
        }
    }
    return nullptr;
}

}  // namespace fathom::report
