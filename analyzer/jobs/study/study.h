// One document on all jobs of a database: what a site's programs do with its storage.
//
// Sources: Carns et al. (ACM TOS 2011), sections 2.4 to 5; Yang et al. (NSDI 2019), section 4.3. Each section
// of the document says which table or figure it has the numbers of.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/jobs/schema/database.h"
#include "analyzer/jobs/study/choice.h"
#include "logformat/log/tick.h"

namespace fathom::jobs {

// The same for databases of the same content, whatever kind they are and in whatever order that came in.
// Throws DatabaseError.
report::Document make_study(Database& database, const StudyChoice& choice, const Tick& tick);

}  // namespace fathom::jobs
