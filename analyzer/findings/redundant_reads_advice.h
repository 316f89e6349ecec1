// What to do about data that are read again, by the language of the program, and by who had read them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/scene.h"

namespace fathom {

// `same_as_it_grows`: the same process, while others or itself write on; `seeks_of_stream`: the same process,
// whose stream of C++ fills its buffer after each seek; `tasks`: those of a batch system, without MPI;
// `others`: other ranks, or processes; `others_file_by_file`: ranks that open many small files;
// `others_in_part`: which each read from the beginning to the part that they want.
enum class ReadAgainBy : std::uint8_t {
    same_process,
    same_by_formats,  // of Fortran
    same_as_it_grows,
    seeks_of_stream,
    tasks,
    others,
    others_file_by_file,
    others_in_part
};

std::vector<report::Advice> advice_on_redundant_reads(const Scene& scene, const AdvisedProgram& program,
                                                      std::string_view path, ReadAgainBy by);

}  // namespace fathom
