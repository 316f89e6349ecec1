// The files of a measurement, one a thread, and the state that they are in.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/timing/measure/measured_file.h"

namespace fathom::measure {

class Files {
  public:
    // Makes `count` files without names in `folder`, as large together as `bytes`, but for what is left over
    // when these are shared out in pieces of 4 KiB. `made` is called with the bytes of each piece that is
    // written. Throws as unnamed_file and fill. On `stop` they are not full.
    Files(const std::string& folder, unsigned count, std::uint64_t bytes, std::uint64_t seed,
          const std::atomic<bool>& stop, const std::function<void(std::uint64_t)>& made);

    std::size_t count() const { return files_.size(); }
    int descriptor(std::size_t at) const { return files_[at].number(); }
    std::uint64_t bytes_each() const { return bytes_each_; }
    std::uint64_t alignment() const { return alignment_; }  // of O_DIRECT, 0: refused

    // The part of all that is in the page cache; nothing where the kernel does not say.
    std::optional<double> resident() const;

    // Reads all of them once.
    void read_all(const std::atomic<bool>& stop) const;

    // Reads all that is not in the page cache, several times if it does not stay.
    void take_into_cache(const std::atomic<bool>& stop) const;

    // Writes what is dirty and lets go of the page cache of these files, several times if something stays;
    // then, if `of_machine`, of that of the whole machine.
    void take_out_of_cache(bool of_machine) const;

    // Waits until what was written is on the device.
    void settle() const;

    // For the run that comes: past the page cache or through it, reading ahead or not.
    void prepare(bool bypass, bool ahead) const;

  private:
    std::vector<Descriptor> files_;
    std::uint64_t bytes_each_ = 0, alignment_ = 0;
};

// What each of `threads` gets of `bytes`.
std::uint64_t share_of_thread(std::uint64_t bytes, unsigned threads);

}  // namespace fathom::measure
