// Words that stand for others: a keyed hash of each, so that equal ones stay equal and nobody without the key
// can try which word it was.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fathom {

class Anonymizer {
  public:
    // The key is made of whatever bytes the file holds. Throws LogError where it cannot be read or is empty.
    static Anonymizer with_key_of(const std::string& path);
    // With a key that nobody knows: no other log gets the same words.
    static Anonymizer with_random_key();

    std::string word(std::string_view text) const;            // 16 letters; nothing stays nothing
    std::uint64_t number(std::uint64_t number) const;         // not 0 unless it was
    std::int64_t positive_number(std::int64_t number) const;  // of 31 bits
    // Component by component, so that folders still hold files and mounts lie where they did: what is between
    // slashes and colons is replaced. Names of standard streams, of heatmaps and the like stay.
    std::string path(std::string_view path) const;
    // MPI hints, "name=value;name=value": values stay where they are numbers or words of MPI.
    std::string hints(std::string_view hints) const;

  private:
    explicit Anonymizer(std::string_view secret);

    std::uint64_t hash(std::string_view text) const;

    std::array<unsigned char, 32> key_{};
};

}  // namespace fathom
