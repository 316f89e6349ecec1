// Lays out sections, paragraphs, notes and entries in columns of characters.
#include "analyzer/document/renderers/text/text.h"

#include <algorithm>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t margin = 2;
constexpr std::size_t widest_label = 32;
constexpr std::size_t widest_value = 24;
constexpr std::size_t narrowest_remark = 14;

std::string repeated(std::string_view what, std::size_t times)
{
    std::string all;
    for (; times > 0; --times) all += what;
    return all;
}

std::string text_of(const Paragraph& paragraph, const TextStyle& style)
{
    return wrapped(printable(paragraph.text), style.width, "  ", "  ");
}

std::string text_of(const Note& note, const TextStyle& style)
{
    const std::string label = note.weight == Weight::warning ? "Warning: " : "Note: ";
    return wrapped(label + printable(note.text), style.width, "  ", "    ");
}

struct Writer {
    const TextStyle& style;
    std::size_t findings = 0;

    std::string operator()(const Finding& finding) { return text_of(finding, ++findings, style); }
    template <class Other>
    std::string operator()(const Other& block)
    {
        return text_of(block, style);
    }
};

}  // namespace

// Label, value and remark in three columns; what is too long for its column gets lines of its own.
std::string text_of(const Entries& entries, const TextStyle& style)
{
    const std::size_t longest_label = std::min(widest_label, style.width / 2 - 4);
    std::size_t label_width = 0, value_width = 0;
    bool words = false;  // numbers stand to the right where they are among themselves
    for (const Entry& entry : entries.entries) {
        label_width = std::max(label_width, std::min(display_width(printable(entry.label)), longest_label));
        words = words || !is_number(entry.value.measure);
    }
    const std::size_t value_at = margin + label_width + 2;
    const std::size_t longest_value = std::min(widest_value, style.width - value_at);
    for (const Entry& entry : entries.entries) {
        const std::size_t width = display_width(printable(format(entry.value)));
        if (width <= longest_value) value_width = std::max(value_width, width);
    }
    const std::size_t remark_at = value_at + value_width + 2;
    const bool remarks_beside = remark_at + narrowest_remark <= style.width;
    const std::string below(value_at, ' ');
    std::string out;
    for (const Entry& entry : entries.entries) {
        const std::string label = printable(entry.label), value = printable(format(entry.value));
        const std::string remark = printable(entry.remark);
        if (display_width(label) > label_width)
            out += wrapped(label, style.width, "  ", "  ") + below;
        else
            out += std::string(margin, ' ') + pad(label, label_width + 2);
        if (display_width(value) > value_width) {
            const bool is_path = entry.value.measure == Measure::path;
            const std::string shown = is_path ? shorten_middle(value, style.width - value_at) : value;
            out += wrapped(shown, style.width, "", below);
            if (!remark.empty()) out += wrapped(remark, style.width, below, below);
            continue;
        }
        const Align align = words ? Align::left : Align::right;
        if (remark.empty() || !remarks_beside) {
            out += (align == Align::right ? pad(value, value_width, align) : value) + "\n";
            if (!remark.empty()) out += wrapped(remark, style.width, below, below);
            continue;
        }
        out += pad(value, value_width, align) + "  ";
        out += wrapped(remark, style.width, "", std::string(remark_at, ' '));
    }
    return out;
}

std::string render_text(const Document& document, const TextStyle& asked)
{
    const TextStyle style{std::max<std::size_t>(asked.width, 40), asked.utf8};
    std::string out = shorten_middle(printable(document.title), style.width) + "\n";
    if (!document.subtitle.empty()) out += wrapped(printable(document.subtitle), style.width, "", "");
    if (document.first) out += text_of(*document.first, style);
    Writer writer{style};
    for (const Section& section : document.sections) {
        if (!is_shown(section)) continue;
        const std::string title = shorten_middle(printable(section.title), style.width);
        out += "\n" + title + " " +
               repeated("─", style.width - std::min(style.width, display_width(title) + 1)) + "\n";
        bool first = true;
        for (const Block& block : section.blocks) {
            if (!is_shown(block)) continue;
            if (!std::exchange(first, false)) out += '\n';
            out += std::visit(writer, block);
        }
    }
    return style.utf8 ? out : to_ascii(out);
}

}  // namespace fathom::report
