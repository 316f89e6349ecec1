// What an interpreter, or the library of a language, does around each of a program's calls, which no call
// shows and a repair saves as well.
#pragma once

#include "analyzer/findings/language.h"

namespace fathom {

struct Scene;

// An array is one of numpy.load or numpy.save: a header in Python's own words around the data.
enum class Around { open, look, write, line, read, list, mpiio, array, map };

// Seconds of the run for so many calls by this program, which lie on the ranks as `lost` does. None for a
// program in C or Fortran. Assumed: CPython 3.11, bash 5.2, Node.js 20 and libstdc++ 12 on a machine of 2022.
double around_calls(const Scene& scene, const AdvisedProgram& program, Around what, double calls,
                    const LostTime& lost);
// Seconds of the run that so many names of folders may take beyond that, as where pathlib makes an
// object of each or glob compares it with a pattern: the most of these that the processes had CPU time for.
double most_around_lists(const Scene& scene, const AdvisedProgram& program, double names,
                         const LostTime& lost);
// Seconds of the run that Python's logging may take beyond its writes: it makes a record of each message,
// formats it and flushes it by itself. No more than the processes computed. `messages`: how many, by rank.
double most_around_messages(const Scene& scene, const LostTime& messages);
// ns with a core of its own around a write or a read of a pipe that is a message, or half of one: to make it
// of objects, and to take turns.
double around_message(const AdvisedProgram& program, Direction direction);
// What the basis of a cost says of it; empty for a program in C or Fortran.
std::string_view words_on_interpreter(const AdvisedProgram& program);

}  // namespace fathom
