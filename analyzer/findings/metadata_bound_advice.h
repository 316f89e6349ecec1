// What to do about calls that move no data, by their kind and by what they ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "analyzer/findings/language.h"
#include "analyzer/findings/other_calls.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/scene.h"

namespace fathom {

// Where files are that calls did not find: they are data, and no modules or libraries.
enum class Places { one_folder, several };
std::optional<Places> places_asked(const Scene& scene);

// Most of the names that ranks list are in folders which all of them list, for themselves.
bool is_listed_by_all(const Job& job);

// The file for which nearly all of so many stats ask; nullptr: they ask for several.
const FileUse* of_one_file(const Scene& scene, std::uint64_t stats);
// Of so many seeks of a program that reads in order, several for each read: they ask for the place.
bool ask_for_place(const Scene& scene, std::uint64_t seeks);

// About so many calls of a kind; `other`: which of those of kind `other` are most, if any.
std::span<const Remedy> remedies_on_metadata(const Scene& scene, const AdvisedProgram& program, Kind kind,
                                             std::uint64_t operations, const OtherCalls* other);

}  // namespace fathom
