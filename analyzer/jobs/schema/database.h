// What the job database is written with, by its short names.
#pragma once

#include "parsers/database/database.h"

namespace fathom::jobs {

using namespace database;

}  // namespace fathom::jobs
