// Finds the thread's own count of paths, and makes paths absolute for it.
#include "libinterpose/recording/failed_paths.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <utility>

#include "libinterpose/recording/descriptors.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/recording/thread_chunk.h"
#include "libinterpose/system/sys.h"
#include "libinterpose/system/vfork.h"

namespace fathom {

thread_local constinit Polled polled __attribute__((tls_model("initial-exec"))) = {};

namespace {

// Whether it is known what a path is below, without asking the kernel, which takes longer than the call.
bool is_known_folder(int folder, const char* path)
{
    if (path[0] == '/' || folder == AT_FDCWD) return true;
    const Description* const open = in_borrowed_memory() ? nullptr : known(folder);
    const NameChunk* const file = open == nullptr ? nullptr : open->file.load(std::memory_order_relaxed);
    return file != nullptr && file->kind == NameKind::directory;
}

FailuresChunk* failures_of_thread()
{
    return chunk_of_thread<FailuresChunk>(here.thread->failures, arena.header().failures,
                                          ChunkKind::failures);
}

constexpr std::size_t most_of_path = 4096;  // that the kernel reads

void begin_polling(FailuresChunk& failures, std::string_view path, Interval when)
{
    polled = {.id = failures.common.count(path, static_cast<std::uint32_t>(errno)),
              .end = when.end,
              .slept = 0,
              .epoch = here.epoch,
              .absent = errno == ENOENT};
}

// Of so many ticks, those before what is there now was there, by the time at which it was last changed.
std::uint64_t slept_in_vain(const char* path, std::uint64_t slept)
{
    struct stat about {};
    if (!polled.absent || sys::status(path, about) != 0) return 0;
    const std::int64_t now = sys::wall_clock(),
                       changed = about.st_ctim.tv_sec * 1'000'000'000 + about.st_ctim.tv_nsec,
                       all = now - polled.asleep;
    if (all <= 0) return 0;
    const double part = static_cast<double>(changed - polled.asleep) / static_cast<double>(all);
    return static_cast<std::uint64_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(slept));
}

void count_sleep(FailuresChunk& failures, std::string_view path, std::uint64_t slept, std::uint64_t in_vain)
{
    if (CommonFailures::id_of(FailedPathText::kept_of(path)) != polled.id) return;
    ++failures.polls;
    failures.poll_ticks += slept;
    failures.poll_failed_ticks += in_vain;
    failures.common.sleep(polled.id, slept);
}

std::string_view path_of(const NameChunk& file)
{
    return {file.path, file.length};
}

void note_path(int folder, const char* path, Interval when)
{
    polled.id = 0;
    if (path[0] == '\0' || strnlen(path, most_of_path) == most_of_path || !enter()) return;
    auto* const failures = failures_of_thread();
    if (failures == nullptr || !is_known_folder(folder, path)) return;
    const AbsolutePath absolute(folder, path);
    if (!absolute || is_excluded(absolute.view())) return;
    begin_polling(*failures, absolute.view(), when);
}

}  // namespace

void count_failed_call(int folder, const char* path, Interval when)
{
    note_asked(folder, path, true);
    if (is_excluded_failure(path)) return;
    note_path(folder, path, when);
    count_unopened(when);
}

void note_asked_again(int folder, const char* path, bool failed)
{
    const std::uint64_t slept = std::exchange(polled.slept, 0);
    if (!polled.is_last() || strnlen(path, most_of_path) == most_of_path || !is_known_folder(folder, path))
        return;
    const AbsolutePath absolute(folder, path);
    FailuresChunk* const failures = failures_of_thread();
    if (failures == nullptr || !absolute) return;
    count_sleep(*failures, absolute.view(), slept, failed ? slept : slept_in_vain(absolute.c_str(), slept));
}

void note_refused_lock(const NameChunk& file, Interval when)
{
    polled.id = 0;
    if (!enter()) return;
    if (FailuresChunk* const failures = failures_of_thread()) begin_polling(*failures, path_of(file), when);
}

void note_lock_asked_again(const NameChunk& file, bool refused)
{
    const std::uint64_t slept = std::exchange(polled.slept, 0);
    if (!polled.is_last()) return;
    if (FailuresChunk* const failures = failures_of_thread())
        count_sleep(*failures, path_of(file), slept, refused ? slept : 0);
}

}  // namespace fathom
