// The files that are open through MPI-IO, by handle.
#include "libinterpose/mpiio_operations.h"

#include <array>
#include <cstring>

namespace fathom {

thread_local constinit int mpiio_depth __attribute__((tls_model("initial-exec"))) = 0;

namespace {

// Open files by handle, each in the first slot that was free from where its handle points on. A slot that was
// used once does not end the search for others.
constexpr Handle never_used = 0, free_again = 1;  // no handle of any MPI
struct Slot {
    std::atomic<Handle> handle{never_used};
    std::atomic<NameChunk*> file{};
};
constinit std::array<Slot, 4096> slots{};

// Calls try(slot) for the slots that may be this handle's, until one returns true; that one, or nullptr.
template <class Try>
Slot* slot_where(Handle handle, Try try_slot)
{
    const std::size_t start = static_cast<std::size_t>(handle * 0x9e3779b97f4a7c15 >> 52);
    for (std::size_t at = 0; at < slots.size(); ++at) {
        Slot& slot = slots[(start + at) % slots.size()];
        if (try_slot(slot)) return &slot;
        if (slot.handle.load(std::memory_order_relaxed) == never_used) return nullptr;
    }
    return nullptr;
}

Slot* slot_of(Handle handle)
{
    return slot_where(handle,
                      [&](Slot& slot) { return slot.handle.load(std::memory_order_acquire) == handle; });
}

void remember(Handle handle, NameChunk* file)
{
    Slot* const taken = slot_where(handle, [&](Slot& slot) {
        Handle expected = slot.handle.load(std::memory_order_relaxed);
        return expected <= free_again && slot.handle.compare_exchange_strong(expected, handle);
    });
    if (taken == nullptr) return missed();
    taken->file.store(file, std::memory_order_release);
}

// MPI file names may begin with the kind of file system ("ufs:/scratch/x").
const char* without_prefix(const char* path)
{
    const std::size_t letters = std::strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789");
    return letters > 1 && path[letters] == ':' ? path + letters + 1 : path;
}

}  // namespace

bool OnMpiFile::find()
{
    if (mpiio_depth > 0 || handle == 0) return false;
    Slot* const slot = slot_of(handle);
    if (slot == nullptr) return false;
    file = slot->file.load(std::memory_order_acquire);
    if (file == nullptr) return false;
    ++mpiio_depth;
    return true;
}

CountersOf<MpiioCounters>* OnMpiFile::counters()
{
    return counters_of<MpiioCounters>(file);
}

bool MpiOpen::find() const
{
    if (mpiio_depth > 0 || path == nullptr) return false;
    ++mpiio_depth;
    return true;
}

void MpiOpen::count(int result, Interval when) const
{
    --mpiio_depth;
    if (result != 0) return is_excluded_failure(path) ? void() : count_unopened(when);
    const AbsolutePath absolute(AT_FDCWD, without_prefix(path));
    if (!absolute) return missed();
    if (is_excluded(absolute.view()) || !enter()) return;
    NameChunk* const file = file_of(absolute.view(), {});
    if (file == nullptr) return;
    remember(*handle, file);
    auto* const at = counters_of<MpiioCounters>(file);
    if (at == nullptr) return;
    int ranks = 1;
    mpi::comm_size(communicator, &ranks);
    if (ranks > 1) ++at->counters.collective_opens;
    count_open(*at, when);
}

bool MpiClose::find()
{
    if (!OnMpiFile::find()) return false;
    // Before the call: afterwards another thread may get the same handle.
    if (Slot* const slot = slot_of(handle)) {
        slot->file.store(nullptr, std::memory_order_release);
        slot->handle.store(free_again, std::memory_order_release);
    }
    return true;
}

void MpiClose::count(int result, Interval when)
{
    auto* const at = leave();
    if (at == nullptr) return;
    if (result != 0)
        count_failure(*at, &Transfers::metadata_time, when);
    else
        count_close(*at, when);
}

}  // namespace fathom
