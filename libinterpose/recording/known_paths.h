// Files by the path that the program gives, where it has given that before: the same text is the same file,
// tidy and not left out. What is remembered is a guess; the file's own name says whether it is right.
#pragma once

#include <array>
#include <atomic>
#include <cstring>

#include "libinterpose/recording/session.h"
#include "libinterpose/recording/working_folder.h"

namespace fathom::known_paths {

// By their ends, of all threads. A part's names never change, and stay mapped when there is another part.
inline constexpr unsigned slot_bits = 10;
extern std::array<std::atomic<NameChunk*>, 1u << slot_bits> names __attribute__((visibility("hidden")));

inline std::uint64_t word_at(const char* text)
{
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof word);
    return word;
}

// The last eight letters, or as many as there are; none for no text.
inline std::uint64_t end_of(const char* text, std::size_t length)
{
    if (length >= 8) return word_at(text + length - 8);
    std::uint64_t word = 0;
    if (length >= 4) {
        std::uint32_t first = 0, last = 0;
        std::memcpy(&first, text, sizeof first);
        std::memcpy(&last, text + length - 4, sizeof last);
        word = first | std::uint64_t{last} << 32;
    } else {
        for (std::size_t at = 0; at < length; ++at) word = word << 8 | static_cast<unsigned char>(text[at]);
    }
    return word;
}

inline std::atomic<NameChunk*>& slot_of(const char* path, std::size_t length)
{
    constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;
    return names[((end_of(path, length) + length) * spread) >> (64 - slot_bits)];
}

inline bool is_same(const char* one, const char* other, std::size_t length)
{
    if (length < 8) return end_of(one, length) == end_of(other, length);
    for (std::size_t at = 0; at + 8 < length; at += 8)
        if (word_at(one + at) != word_at(other + at)) return false;
    return word_at(one + length - 8) == word_at(other + length - 8);
}

// nullptr: not known. `relative`: to the working folder.
inline NameChunk* find(const char* path, bool relative)
{
    if (path == nullptr || here.epoch != guard.epoch.load(std::memory_order_relaxed)) return nullptr;
    const std::size_t length = std::strlen(path);
    if (length == 0) return nullptr;
    NameChunk* const name = slot_of(path, length).load(std::memory_order_acquire);
    if (name == nullptr || name->epoch != here.epoch || name->length < length) return nullptr;
    const std::size_t folder = name->length - length;
    if (!is_same(path, name->path + folder, length)) return nullptr;
    if (folder == 0) return path[0] == '/' ? name : nullptr;
    return relative && path[0] != '/' && is_working_folder({name->path, folder}) ? name : nullptr;
}

inline void note(const char* path, NameChunk& name)
{
    const std::size_t length = std::strlen(path);
    if (length > 0) slot_of(path, length).store(&name, std::memory_order_release);
}

}  // namespace fathom::known_paths
