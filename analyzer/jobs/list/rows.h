// Jobs of the database as rows of a table of many.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/jobs/list/choice.h"
#include "analyzer/jobs/schema/database.h"
#include "analyzer/many/order.h"

namespace fathom::jobs {

struct ChosenRows {
    std::vector<JobRow> rows;
    bool more = false;  // there are others than the first `most`
};

// "order by …", of columns of the table `jobs`.
std::string in_order(const RowOrder& order);

// A list is one of these behind the other: of a column of which most jobs have one value, the jobs below it,
// those that have it and those above; else all. Each is in the order of an index.
struct ListPart {
    std::string where;  // a condition; empty: all
    std::string order;  // "order by …"
};
std::vector<ListPart> parts_of(const RowOrder& order);

// What is wanted of a row that lies in other tables: the path of the log and of the program, what is wrong
// with the log, and the sentence of the costliest finding; or that sentence alone, as pages show it.
enum class Texts : std::uint8_t { all, finding };

// The first `most` in this order, behind `skip` others; of those that are alike in it, the last added comes
// first.
ChosenRows rows_of(Database& database, const Choice& choice, const RowOrder& order, std::size_t most,
                   std::size_t skip = 0, Texts texts = Texts::all);

std::vector<Number> ids_of(Database& database, const Choice& choice);
// Paths of the logs of a job.
std::vector<std::string> logs_of(Database& database, Number id);

}  // namespace fathom::jobs
