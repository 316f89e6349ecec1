// One path that is probed: 1 MiB is written past the cache of this machine, then read back.
//
// Source: METHODS 7 (section III of the paper on Titan's storage): O_DIRECT and fdatasync, each timed as a
// whole.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "analyzer/timing/probe/probe_row.h"

namespace fathom {

inline constexpr std::size_t probe_bytes = std::size_t{1} << 20;

// The system calls whose failures tests make up.
struct ProbeCalls {
    std::function<int(const char*, int, mode_t)> open;
    std::function<ssize_t(int, const void*, std::size_t, off_t)> pwrite;
    std::function<ssize_t(int, void*, std::size_t, off_t)> pread;
    std::function<int(int)> fdatasync;
};
ProbeCalls system_calls();

// What a target is at, for those who watch it from another thread.
enum class ProbeStep : std::uint8_t { idle, opening, writing, reading };

class ProbeTarget {
  public:
    explicit ProbeTarget(std::string path, ProbeCalls calls = system_calls());

    // Finds out whether the path can be probed: a folder, in which a hidden file will be, or a file that is
    // empty or was probed before. Throws std::runtime_error.
    void prepare();
    // A row for the write and one for the read; where the write fails, one. Throws nothing but bad_alloc.
    std::vector<ProbeRow> probe();
    // Removes the file in a folder, empties a file that was named.
    void clean_up() noexcept;

    const std::string& path() const { return path_; }
    ProbeStep step() const { return step_.load(std::memory_order_relaxed); }
    // What one must know of this path, a sentence each time there is something new; empties it.
    std::string take_note();

  private:
    struct Buffer {
        Buffer();
        std::unique_ptr<std::byte, void (*)(void*)> bytes;
    };

    int open_file();
    void check(int fd);
    void fill();
    bool transfer(int fd, bool writes);
    std::string_view mode_of(bool writes) const;
    ProbeRow row_of(bool writes) const;
    ProbeRow timed(int fd, bool writes);
    bool without_direct(int fd);
    void remove_forgotten(const std::string& folder) const;

    std::string path_, file_;
    ProbeCalls calls_;
    Buffer written_, read_;
    std::uint64_t random_;
    dev_t device_ = 0;
    bool named_file_ = false, direct_ = true, prepared_ = false;
    std::string note_;
    std::atomic<ProbeStep> step_{ProbeStep::idle};
};

}  // namespace fathom
