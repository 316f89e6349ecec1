// Takes out of a log what could show who ran a program, or where.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/convert/anonymizer.h"
#include "logformat/log/log.h"

namespace fathom {

// What becomes of a text. Whatever has no row is replaced by a word: a new column or fact gives nothing away.
enum class Hide : std::uint8_t {
    stays,
    word,      // replaced as a whole
    path,      // component by component
    hints,     // MPI hints: their values
    number,    // a decimal number, replaced by another
    count,     // a decimal number stays, anything else is replaced
    left_out,  // sentences, which may name anything
};

struct HideRow {
    std::string_view name;  // of a column ("processes.host") or a fact
    Hide hide;
};
std::span<const HideRow> hidden_columns();
std::span<const HideRow> hidden_facts();

// The value of a fact as an anonymous log has it; empty where that has no such fact.
std::string hidden_fact(std::string_view name, std::string_view value, const Anonymizer& with);

// Names, and all texts of the tables; ids of files are made anew from their names. Times, sizes, counts and
// process ids stay.
void anonymize(Log& log, const Anonymizer& with);

}  // namespace fathom
