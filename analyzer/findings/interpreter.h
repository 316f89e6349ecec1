// What an interpreter does around each of a program's calls, which no call shows and a repair saves as well.
#pragma once

#include "analyzer/findings/language.h"

namespace fathom {

struct Scene;

enum class Around { open, look, write, read };

// Seconds of the run for so many calls by this program, which lie on the ranks as `lost` does. None for a
// program that is compiled. Assumed: CPython 3.11 and bash 5.2 on a machine of 2022.
double around_calls(const Scene& scene, const AdvisedProgram& program, Around what, double calls,
                    const LostTime& lost);
// What the basis of a cost says of it; empty for a program that is compiled.
std::string_view words_on_interpreter(const AdvisedProgram& program);

}  // namespace fathom
