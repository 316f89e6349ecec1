// A file to measure with: it has no name, so that it is gone once we are, however we end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace fathom::measure {

// A descriptor that is closed in the end.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
    Descriptor& operator=(Descriptor&& other) noexcept;

    int number() const { return number_; }

  private:
    int number_;
};

// A file without a name in `folder`, for reading and writing; where the file system has no such files, one
// whose name is taken away at once. Throws std::runtime_error: folder, reason, remedy.
Descriptor unnamed_file(const std::string& folder);

// Fills the file with bytes that neither compress nor repeat, and waits until they are on the device. Ends
// early on `stop`. Throws std::runtime_error, with what is missing, where there is no room.
void fill(const Descriptor& file, const std::string& folder, std::uint64_t bytes, std::uint64_t seed,
          const std::atomic<bool>& stop, const std::function<void(std::uint64_t)>& written);

// Bytes that look random, the same for the same seed.
void scramble(std::byte* bytes, std::size_t count, std::uint64_t seed);

// What positions, sizes and places in memory must be multiples of to bypass the page cache with O_DIRECT,
// tried out on the start of the file; 0 where that is refused.
std::uint64_t direct_alignment(const Descriptor& file);

// Switches O_DIRECT, and reading ahead (which is on otherwise). False where that is refused.
bool bypass_cache(const Descriptor& file, bool on);
void read_ahead(const Descriptor& file, bool on);

}  // namespace fathom::measure
