// The io_uring rings of this process. What a program submits, and what it is told of, passes through memory
// that it shares with the kernel: at each call that a hook sees, the submissions that are new in a ring are
// noted and the completions that are new are counted. So a program that takes completions out by itself is
// told of them, for our purposes, at its next call. Where nobody calls anything that can be seen (a kernel
// thread polls the ring of a program without liburing; system calls are made in assembler), the number of
// submissions is learnt when a descriptor is closed or the ring goes; what they were is taken from those that
// the ring still holds.
//
// The rings are only read, and whatever is found there is tolerated.
#pragma once

#include <linux/io_uring.h>

#include "libinterpose/pending/mappings.h"
#include "libinterpose/pending/submissions.h"

namespace fathom {

// What a program of any liburing has: the beginning of its struct io_uring.
struct LiburingRing {
    struct {
        unsigned *head, *tail, *mask, *entries, *flags, *dropped, *array;
        void* sqes;
        unsigned user_head, user_tail;
        std::size_t ring_size;
        void* ring;
        unsigned more[4];
    } sq;
    struct {
        unsigned *head, *tail, *mask, *entries, *flags, *overflow;
        void* cqes;
        std::size_t ring_size;
        void* ring;
        unsigned more[4];
    } cq;
    unsigned flags;
    int fd;
};

struct Ring {
    static constexpr std::uint32_t most_files = 1024;

    struct Queue {
        const std::byte* entries = nullptr;
        const unsigned *tail = nullptr, *mask_is_at = nullptr;
        unsigned mask = 0, entry_bits = 0;  // an entry has so many bytes as a power of two
        std::atomic<unsigned> seen{};       // entries that were looked at
    };

    std::atomic<int> number{};  // its descriptor + 1; 0: no ring; negative: being made
    std::atomic<bool> ready{};  // where its memory is is known
    bool raw = false;           // made without liburing
    Queue submissions, completions;
    const unsigned* consumed = nullptr;  // of a raw one: how many submissions the kernel has taken
    std::uint64_t looked_at = 0;         // …and when that was looked at
    const unsigned* array = nullptr;     // which entry is next; nullptr: they are taken one after the other
    std::atomic<int> in_flight{};
    std::atomic<NameChunk*> files[most_files]{};  // registered ones, by index
    io_uring_params about{};                      // of a raw one
    Range memory[3]{};                            // …and where its parts are mapped
};

namespace rings {

// The ring of this descriptor, if its memory is known. One of liburing's that is new here is noted.
Ring* of(int fd);
Ring* of(const LiburingRing& ring);

// liburing has made it anew.
void made(const LiburingRing& ring);

// A program without liburing makes it, and maps its parts. True if there are such rings.
bool any_raw();
void made_raw(int fd, const io_uring_params& about);
void mapped(int fd, std::int64_t offset, void* at, std::uint64_t length);
void unmapped(Range range);

// Counts what went through raw rings without a call that was seen. Descriptors are still what they were then.
void count_unseen();

// It is about to go: what it still has is counted.
void gone(Ring& ring);

// The process ends: the same for all of them.
void all_gone();

// Notes the submissions up to this end of the queue.
void note_submissions(Ring& ring, unsigned end, Shares& shares);

// Counts the completions that are new. `now` 0: the clock is read if there are any that count.
void count_completions(Ring& ring, std::uint64_t now, Shares& shares);

// The queue's end as the kernel sees it.
unsigned tail_of(const Ring::Queue& queue);

// Files that are used by their index from now on; -1: none, -2: unchanged.
void register_files(Ring& ring, std::uint32_t first, const int* fds, std::uint32_t n);
void forget_files(Ring& ring);

}  // namespace rings
}  // namespace fathom
