// The report of one log: which sections it has, in which order.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"
#include "analyzer/sections/sections.h"

namespace fathom {

struct ModelFile;

struct BookChoice {
    SectionChoice sections = {};
    const ModelFile* model = nullptr;  // of operation times; nullptr: none
    std::string model_name = {};       // as the report calls it
    bool brief = false;                // the first page alone
};

// A row of the table: the section, which jobs have something to say there, and the function that says it.
struct BookRow {
    std::string_view id;
    std::string_view title;
    bool (*applies)(const Job& job, const BookChoice& choice);
    report::Blocks (*write)(const Job& job, const BookChoice& choice);
    bool on_first_page = false;  // the first page shows some of it
};

// All sections, in the order of the report: most important first.
std::span<const BookRow> book_rows();

// The first page, and every section that applies and has something to say.
report::Document make_report(const Job& job, const BookChoice& choice);

}  // namespace fathom
