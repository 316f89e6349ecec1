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

// The first `most` in this order, behind `skip` others; of those that are alike in it, the last added comes
// first.
ChosenRows rows_of(Database& database, const Choice& choice, const RowOrder& order, std::size_t most,
                   std::size_t skip = 0);

std::vector<Number> ids_of(Database& database, const Choice& choice);
// Paths of the logs of a job.
std::vector<std::string> logs_of(Database& database, Number id);

}  // namespace fathom::jobs
