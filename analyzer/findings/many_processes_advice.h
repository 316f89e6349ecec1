// The advice of many_processes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/findings/language.h"

namespace fathom {

inline bool is_one_of(std::string_view name, std::span<const std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether it cuts, changes or joins text: a shell and awk do so by themselves.
bool is_text_tool(std::string_view name);

// Whether one run of it can do what many do, though each of these writes a file of its own.
bool takes_all_at_once(std::string_view name);

// What is known of why a program is started again and again.
enum class StartedFor : std::uint8_t {
    each_file,         // or name, or task
    same_command,      // the same each time
    shell,             // it is a shell, for each task of another tool
    slow_start,        // it takes long before it reads data
    calculation,       // it reads none
    variable_of_make,  // a shell of make's, for $(shell …)
};

// `program`: in what the loop is written, with the name of what it starts.
std::vector<report::Advice> advice_on_processes(const AdvisedProgram& program, StartedFor what);

}  // namespace fathom
