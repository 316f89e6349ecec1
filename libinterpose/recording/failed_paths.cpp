// Finds the thread's own count of paths, and makes paths absolute for it.
#include "libinterpose/recording/failed_paths.h"

#include <cerrno>
#include <fcntl.h>

#include "libinterpose/recording/descriptors.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/recording/thread_chunk.h"
#include "libinterpose/system/vfork.h"

namespace fathom {
namespace {

// Whether it is known what a path is below, without asking the kernel, which takes longer than the call.
bool is_known_folder(int folder, const char* path)
{
    if (path[0] == '/' || folder == AT_FDCWD) return true;
    const Description* const open = in_borrowed_memory() ? nullptr : known(folder);
    const NameChunk* const file = open == nullptr ? nullptr : open->file.load(std::memory_order_relaxed);
    return file != nullptr && file->kind == NameKind::directory;
}

void note_path(int folder, const char* path)
{
    constexpr std::size_t most_of_path = 4096;  // that the kernel reads
    if (path[0] == '\0' || strnlen(path, most_of_path) == most_of_path || !enter()) return;
    auto* const failures =
        chunk_of_thread<FailuresChunk>(here.thread->failures, arena.header().failures, ChunkKind::failures);
    if (failures == nullptr || !is_known_folder(folder, path)) return;
    const AbsolutePath absolute(folder, path);
    if (absolute && !is_excluded(absolute.view()))
        failures->common.count(absolute.view(), static_cast<std::uint32_t>(errno));
}

}  // namespace

void count_failed_call(int folder, const char* path, Interval when)
{
    if (is_excluded_failure(path)) return;
    note_path(folder, path);
    count_unopened(when);
}

}  // namespace fathom
