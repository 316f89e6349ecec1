// Sections of the documents, and the words and cells that several of them have.
#pragma once

#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/history/course.h"
#include "analyzer/history/kind.h"
#include "analyzer/history/usual.h"

namespace fathom::history {

struct Circumstances;

// "2026-11-23", "2026-11-23 08:30"
std::string day_words(Number moment);
std::string minute_words(Number moment);
// Words before another time: "20 % longer than", "2.3 times", "as long as"
std::string slower_words(double ratio);
// "1 in 40"
std::string chance_words(double chance);
report::Cell known_count(const Known& number);

// Table IV, a row a kind.
report::DataTable variance_table(const std::vector<const Kind*>& kinds, bool with_users);
// Of a kind: what its runs agree in.
report::Blocks kind_section(const Kind& kind, const KindRun& today, const Match& match);
report::Blocks time_section(const Course& course, const KindRun& today);
report::Blocks change_section(const Course& course, const Circumstances& circumstances);
report::Blocks today_section(const Course& course, const KindRun& today);

// "MPI library: Open MPI 5, before Open MPI 4; ..." of what is new with this run; empty where nothing is.
std::string what_is_new(const Course& course, const KindRun& today, const Circumstances& circumstances);

// A sentence without its capital and its point.
std::string sentence_on(const Slower& slower, const Course& course);

}  // namespace fathom::history
