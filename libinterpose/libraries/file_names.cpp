// As for calls of the program's own.
#include "libinterpose/libraries/file_names.h"

#include "libinterpose/recording/files.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/recorder.h"

namespace fathom::libraries {

NameChunk* recorded_file(const char* path)
{
    const AbsolutePath absolute(AT_FDCWD, path);
    if (!absolute) return missed(), nullptr;
    return is_excluded(absolute.view()) || !enter() ? nullptr : file_of(absolute.view(), {});
}

const NameChunk* known_file(const char* path)
{
    const AbsolutePath absolute(AT_FDCWD, path);
    return !absolute || is_excluded(absolute.view()) || !enter() ? nullptr : find_file(absolute.view());
}

}  // namespace fathom::libraries
