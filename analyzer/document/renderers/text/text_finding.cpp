// Findings in text: a numbered line with the cost, the evidence below it, and lines to copy as they are.
#include <fmt/format.h>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/finding_words.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/text/text.h"

namespace fathom::report {
namespace {

constexpr std::string_view indent = "     ";
constexpr std::size_t deeper = 3;  // than other blocks: so much are entries moved to stand below the heading

std::string moved(std::string_view lines, std::size_t columns)
{
    std::string out;
    while (!lines.empty()) {
        const std::size_t length = std::min(lines.find('\n'), lines.size() - 1) + 1;
        out.append(columns, ' ').append(lines.substr(0, length));
        lines.remove_prefix(length);
    }
    return out;
}

std::string labelled(std::string_view label, std::string_view words, const TextStyle& style)
{
    return wrapped(fmt::format("{}: {}", label, printable(words)), style.width, indent, indent);
}

}  // namespace

std::string text_of(const Finding& finding, std::size_t number, const TextStyle& style)
{
    const std::string heading = printable(heading_of(finding, number)) + " — " + cost_words(finding);
    std::string out = wrapped(heading, style.width, "  ", indent);
    out += labelled(confidence_label, confidence_of(finding), style);
    if (!finding.evidence.empty()) {
        out += '\n';
        out += moved(text_of(Entries{finding.evidence}, {style.width - deeper, style.utf8}), deeper);
        out += '\n';
    }
    for (const Labelled& part : explanations_of(finding)) out += labelled(part.label, part.words, style);
    for (const Advice& advice : finding.advice) {
        out += labelled(advice_label, advice.text, style);
        // Neither wrapped nor shortened: a line is copied whole or is of no use.
        for (const std::string& line : advice.lines)
            out.append(indent).append("  ").append(printable(line)).append("\n");
    }
    return out;
}

}  // namespace fathom::report
