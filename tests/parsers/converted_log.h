// A log of ours written as one of Darshan.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/darshan/file.h"
#include "parsers/darshan/from_log.h"
#include "parsers/darshan/record_id.h"
#include "tests/parsers/darshan_logs.h"

namespace fathom::testing {

struct Converted {
    TemporaryFolder folder;
    std::string path = folder.path / "job.darshan";
    std::vector<std::string> told;

    explicit Converted(const Log& log) : told(darshan::write_darshan_log(log, path)) {}
    bool tells(const std::string& words) const
    {
        return std::any_of(told.begin(), told.end(),
                           [&](const std::string& one) { return one.find(words) != std::string::npos; });
    }
};

// The record of a file in a module.
inline void with_record(const darshan::File& file, darshan::Module module, std::string_view name,
                        const std::function<void(const darshan::CounterRecord&)>& check)
{
    std::size_t found = 0;
    CHECK(file.each_record(module,
                           [&](const darshan::CounterRecord& record) {
                               if (record.id != darshan::record_id(name)) return true;
                               ++found;
                               check(record);
                               return true;
                           })
              .empty());
    CHECK(found == 1);
}

}  // namespace fathom::testing
