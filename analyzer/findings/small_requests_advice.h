// What to do about small requests, by the language of the program, and where they go in the file.
#pragma once

#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/scene.h"

namespace fathom {

// Bytes: pieces as large as a buffer of the language, which is full each time.
inline constexpr double full_buffer = 4000;

// What most of the small requests have in common.
struct RequestsInFile {
    Direction direction;
    bool in_order;   // most of them follow one another
    bool ascending;  // most of them begin behind the last one
    double each;       // bytes
    bool past_memory;  // each goes to the device by itself, as with O_DIRECT
};

// `program` made the requests; `tool` is its executable, which a script may start again and again.
std::vector<report::Advice> advice_on_small_requests(const Scene& scene, AdvisedProgram program,
                                                     const AdvisedProgram& tool, const FileCase& file,
                                                     RequestsInFile requests);

}  // namespace fathom
