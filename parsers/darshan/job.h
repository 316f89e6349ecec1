// Reads the record of the job, and the names.
#pragma once

#include <string_view>
#include <unordered_map>

#include "parsers/darshan/header.h"
#include "parsers/darshan/source.h"

namespace fathom::darshan {

// What could be read of it goes to `job`.
Problem read_job(const Source& source, const Header& header, JobRecord& job);

// Keeps names and finds them by id; of an id that repeats, the first name that is not empty.
class Names {
  public:
    Problem read(const Source& source, const Header& header);
    const std::unordered_map<std::uint64_t, std::string_view>& all() const { return names_; }

  private:
    void add(std::uint64_t id, std::string_view name);

    std::unordered_map<std::uint64_t, std::string_view> names_;
    std::vector<std::unique_ptr<char[]>> blocks_;  // of the names' letters
    std::size_t used_ = 0, room_ = 0;
};

}  // namespace fathom::darshan
