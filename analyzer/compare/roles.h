// Files of two runs are the same in role rather than in name: `out.0003.dat` of step 3 and `out.0004.dat` of
// step 4, `/scratch/run-17/log` and `/scratch/run-18/log`.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom {

// A path with what differs from run to run, rank to rank and step to step as "#": digits, UUIDs, and words of
// 8 or more hexadecimal digits with a decimal one among them. The last digits of well-known endings (.h5,
// .bz2) stay.
std::string role_of(std::string_view path);

// Which roles of an earlier run (distinct) go with which of a later one (distinct): pairs of indices. First
// those that are equal; of the others those that are equal but for one folder that stands for another, such
// as the runs' own: the pair of folders that matches most roles goes first. Each role is in one pair at most.
std::vector<std::pair<std::size_t, std::size_t>> match_roles(std::span<const std::string> earlier,
                                                             std::span<const std::string> later);

}  // namespace fathom
