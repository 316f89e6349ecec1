// Files with several names, each of which counts once.
//
// Of all its names the file counts where the shallowest is, and of several of these, where the one is that a
// hash of the paths picks: always the same, in whatever order they are found. So it is kept until all names
// were seen, which is what bounds the memory; names outside of what is scanned keep it to the end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "analyzer/scan/count/breakdowns.h"
#include "analyzer/scan/walk/entry.h"

namespace fathom::scan {

struct LinkedFile {
    Entry entry;               // without its name
    std::uint32_t unseen = 0;  // names
    std::uint32_t depth = 0;   // of the best name so far
    std::uint64_t path_hash = 0;
    std::array<std::string, breakdown_count> keys;  // of that name
};

struct LinkId {
    std::uint64_t device = 0, inode = 0;
    bool operator==(const LinkId&) const = default;
};

class Links {
  public:
    // One more name; the file once that was the last. Any thread.
    std::optional<LinkedFile> add(LinkedFile&& named);
    // Those that are not whole; nobody adds meanwhile.
    void each(const std::function<void(const LinkedFile&)>& visit) const;
    void put_back(LinkedFile&& file);
    void clear();
    std::size_t size() const;

  private:
    struct Hash {
        std::size_t operator()(const LinkId& id) const
        {
            return static_cast<std::size_t>((id.inode ^ id.device << 32) * 0x9e3779b97f4a7c15u);
        }
    };
    struct Shelf {
        std::mutex mutex;
        std::unordered_map<LinkId, LinkedFile, Hash> files;
    };
    Shelf& shelf_of(const Entry& entry) { return shelves_[entry.inode % shelves_.size()]; }

    std::array<Shelf, 64> shelves_;
};

}  // namespace fathom::scan
