// Reports as text, in lines so long that none is wrapped.
#pragma once

#include <string>
#include <utility>

#include "analyzer/book/book.h"
#include "analyzer/document/renderers/renderers.h"
#include "analyzer/job/job.h"

namespace fathom::testing {

inline std::string text_of_document(const report::Document& document)
{
    return report::renderer_of_format("text")->render(document, {400, true});
}

inline std::string report_text(const Log& log)
{
    return text_of_document(make_report(Job(log), {}));
}

// Of a section that consists of them.
inline std::string section_text(report::Blocks blocks)
{
    report::Document document;
    document.sections.push_back({"section", "section", std::move(blocks)});
    return text_of_document(document);
}

}  // namespace fathom::testing
