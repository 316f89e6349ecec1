// A job beside the servers and devices that it used, by the series of the site.
#pragma once

#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"
#include "logformat/series/table.h"

namespace fathom::serve {

// What of a site's series is read for one job: files that may have something of the window. Where these have
// more bytes than `most`, of those of fathom monitor only the ones of these hosts.
struct ChosenSeries {
    std::vector<std::string> paths;
    std::size_t left_out = 0;  // files of other hosts
    bool too_much = false;     // even so: nothing is chosen
};
ChosenSeries choose_series(const std::vector<std::string>& places, const series::Window& window,
                           const std::vector<std::string>& hosts, std::uint64_t most);

// As `fathom report LOG --system` has it, of files, folders and URLs of databases. `earlier`: when earlier
// runs like it were in I/O.
report::Document servers_document(fathom::Job& job, const std::vector<std::string>& places,
                                  std::vector<std::vector<series::Window>> earlier);

}  // namespace fathom::serve
