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
    if (!absolute || is_excluded(absolute.view()) || !enter()) return nullptr;
    const std::uint64_t id = path_id(absolute.view());
    return files::find_in(files::bucket_of(id).load(std::memory_order_acquire), id, absolute.view());
}

}  // namespace fathom::libraries
