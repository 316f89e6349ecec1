// What tables that count the ranks of a file have to say where the log does not.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "analyzer/job/job.h"
#include "analyzer/job/source.h"

namespace fathom {

// A sentence, with a space before it; empty where it is known which ranks moved each file's data.
inline std::string note_on_movers(const Job& job)
{
    const bool doubtful = std::any_of(job.files.begin(), job.files.end(), [](const FileUse& use) {
        return use.application().movers().at_most || use.system.movers().at_most;
    });
    if (!doubtful) return {};
    return fmt::format(
        " Of a file that all ranks opened {} does not record how many of them were active: all are counted, "
        "unless one alone did.",
        source_of(job.log).name);
}

}  // namespace fathom
