// How much a measurement may take: of a disk so much that it is not filled, of memory so that it is not
// either.
#pragma once

#include <cstdint>
#include <string>

namespace fathom::measure {

// What a folder's file system has left for us.
struct DiskRoom {
    std::uint64_t free = 0;  // bytes
    bool in_memory = false;  // tmpfs and its kin: what is stored takes memory
};

// Throws std::runtime_error: the folder is not there, or cannot be written.
DiskRoom disk_room(const std::string& folder);

// Memory that is free or could be without writing, in bytes: of the machine, or of our control group where
// that has less.
std::uint64_t free_memory();

struct Needs {
    std::uint64_t files = 0;   // bytes of the files to measure with
    std::uint64_t csv = 0;     // bytes of the results, where they go to this disk
    std::uint64_t buffer = 0;  // bytes of memory
    bool cached = false;       // the files are to be in the page cache
};

// Bytes that stay free on any disk.
inline constexpr std::uint64_t disk_margin = 256u << 20;

// What is asked for must leave disk_margin of the disk, and take at most `most_of_disk` (0 to 1) of what is
// free; the buffer at most a quarter of the free memory, and files that are cached, or stored in memory, at
// most half. Empty if so; else a sentence that says with numbers what is too much, and what to do.
std::string too_much(const Needs& needs, const DiskRoom& disk, std::uint64_t memory, double most_of_disk);

}  // namespace fathom::measure
