// The servers (OSTs) that a job's files lie on, as far as layouts show, and how fast each was.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/job/job.h"
#include "analyzer/methods/server_rates.h"

namespace fathom {

struct ServerStudy {
    std::vector<std::uint64_t> numbers;  // of the servers, ascending
    std::vector<ServerRate> rates;       // as many
    // Files with a layout and reads or writes, and how their bytes lie on the servers, as if each stripe had
    // as much.
    std::vector<std::span<const RecordView>> records;  // of each
    std::vector<FileOnServers> parts;                  // as many

    // The median rate of those with bytes; 0: there are none.
    double median() const;
};
ServerStudy servers_of(const Job& job, Bounds bounds = Bounds::by_drawings);
// The rates of a study anew, with other bounds.
void find_rates(ServerStudy& study, Bounds bounds);

// The numbers in a layout's list.
std::vector<std::uint64_t> numbers_of_servers(const Layout& layout);

}  // namespace fathom
