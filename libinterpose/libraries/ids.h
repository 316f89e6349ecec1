// What is known of the ids that a library has given the program: files, groups, datasets, attributes,
// dataspaces, lists of properties. No locks: entries are only added, and used again. An entry that is looked
// at while the program closes its id in another thread may be half of another one's: it stays safe to use.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "libinterpose/libraries/space.h"
#include "logformat/part/part.h"

namespace fathom::libraries {

enum class Subject : std::uint8_t { file, group, dataset, attribute, space, transfer_list, variable };

// What an id stands for.
struct Known {
    Subject subject{};
    bool native = true;            // of a file: HDF5 itself keeps it; of all in it the same
    bool collective = false;       // of a list of a transfer
    bool is_mpiio = false;         // of a file
    bool is_filtered = false;      // of a dataset: what is written goes through filters
    bool grows = false;            // of a variable: along its first dimension
    std::uint32_t references = 1;  // the program may hold it several times
    NameChunk* file = nullptr;     // its file's name, or the file that it is in
    NameChunk* object = nullptr;   // of a dataset
    CountersOf<DatasetCounters>* nameless =
        nullptr;                  // of one that was created without a name, and has none yet
    std::string_view path;        // in its file: of a group "/a/b", of the file itself ""; no data: not known
    std::uint64_t opened_as = 0;  // of a file: hash of the name that the library knows it by
    std::uint64_t element_bytes = 0;
    Extents chunk;  // of a dataset that has chunks
    Space space;    // of a dataset: its extent
};

struct Entry {
    std::atomic<std::uint64_t> key{};
    Entry* next = nullptr;
    Known known;
};

class Ids {
  public:
    static constexpr std::size_t most = std::size_t{1} << 20;

    // nullptr: nothing is known of it.
    Known* find(std::uint64_t key) const;
    // Takes the place of what was known of that id. False: no room.
    bool put(std::uint64_t key, const Known& known);
    void remove(std::uint64_t key);
    // All of one library.
    void remove_all(std::uint8_t library);
};

extern Ids ids;

// Grows when what is known of some id begins or ends: a pointer to it may be kept as long as it stays.
extern std::atomic<std::uint64_t> changes_of_ids __attribute__((visibility("hidden")));

// The key of an id in a library.
constexpr std::uint64_t key_of(std::uint8_t library, std::int64_t id)
{
    constexpr unsigned library_shift = 48;  // kinds of ids are numbered in the bits above, ids below
    return static_cast<std::uint64_t>(id) ^ std::uint64_t{library} << library_shift;
}
constexpr std::uint8_t library_of(std::uint64_t key)
{
    return static_cast<std::uint8_t>(key >> 48 & 7);
}

// The same text, kept for good: groups are opened again and again. Without data where there is no room left
// for one that is new.
std::string_view kept_text(std::string_view text);

std::uint64_t hash_of(std::string_view text);

}  // namespace fathom::libraries
