// The files that are open through MPI-IO, by handle, and what calls add to their counters.
#include "libinterpose/operations/mpiio_operations.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "libinterpose/operations/handle_table.h"
#include "libinterpose/operations/hints.h"
#include "libinterpose/operations/mpi_file_name.h"
#include "libinterpose/operations/mpi_requests.h"
#include "libinterpose/recording/collective_sample.h"
#include "libinterpose/recording/program_text.h"
#include "libinterpose/system/own_memory.h"

namespace fathom {

thread_local constinit int mpiio_depth __attribute__((tls_model("initial-exec"))) = 0;

namespace {

FATHOM_LARGE constinit HandleTable open_files;
FATHOM_LARGE constinit std::array<std::atomic<NameChunk*>, HandleTable::size> file_of_slot{};
FATHOM_LARGE constinit std::array<std::atomic<std::uint32_t>, HandleTable::size> ranks_of_slot{};

void remember(Handle handle, NameChunk* file, int ranks)
{
    const std::size_t slot = open_files.reserve(handle);
    if (slot == HandleTable::none) return missed();
    file_of_slot[slot].store(file, std::memory_order_relaxed);
    ranks_of_slot[slot].store(static_cast<std::uint32_t>(ranks), std::memory_order_relaxed);
    open_files.publish(slot, handle);
}

// How long this thread has been in POSIX calls on a file that is open through MPI-IO.
std::uint64_t own_time_beneath(const CountersChunk& of_mpiio)
{
    const auto posix = static_cast<std::size_t>(Layer::posix);
    const std::uint32_t mine = here.thread->tid.load(std::memory_order_relaxed);
    const NameChunk& name = arena.known_at<NameChunk>(of_mpiio.name);
    for (const auto* chunk = arena.at<CountersChunk>(name.counters[posix].load(std::memory_order_acquire));
         chunk != nullptr; chunk = arena.at<CountersChunk>(chunk->next))
        if (chunk->owner.load(std::memory_order_relaxed) == mine) {
            const auto& counters = static_cast<const CountersOf<PosixCounters>*>(chunk)->counters;
            return counters.read_time + counters.write_time + counters.metadata_time + counters.async_time;
        }
    return 0;
}

// The file that a call by path was about; nullptr if it is not recorded.
NameChunk* file_by_name(const char* path)
{
    const ProgramText name(path);
    if (name.is_gone()) return missed(), nullptr;
    const AbsolutePath absolute(AT_FDCWD, without_prefix(name.c_str()));
    if (!absolute) return missed(), nullptr;
    return is_excluded(absolute.view()) || !enter() ? nullptr : file_of(absolute.view(), {});
}

}  // namespace

bool OnMpiFile::find()
{
    if (mpiio_depth > 0 || handle == 0) return false;
    const std::size_t slot = open_files.find(handle);
    if (slot == HandleTable::none) return false;
    file = file_of_slot[slot].load(std::memory_order_relaxed);
    ranks = ranks_of_slot[slot].load(std::memory_order_relaxed);
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
    if (result != 0)
        return is_excluded_failure(ProgramText(path).c_str()) ? void() : count_unopened<MpiioCounters>(when);
    NameChunk* file = file_by_name(path);
    if (file == nullptr) return;
    int ranks = 1;
    mpi::comm_size(communicator, &ranks);
    remember(*handle, file, ranks);
    auto* const at = counters_of<MpiioCounters>(file);
    if (at == nullptr) return;
    if (ranks > 1) ++at->counters.collective_opens;
    count_open(*at, when);
    note_hints_of_open(arena.known_at<NameChunk>(at->name), communicator, *handle, info);
}

bool MpiDelete::find() const
{
    if (mpiio_depth > 0 || path == nullptr) return false;
    ++mpiio_depth;
    return true;
}

void MpiDelete::count(int result, Interval when) const
{
    --mpiio_depth;
    if (result != 0)
        return is_excluded_failure(ProgramText(path).c_str()) ? void() : count_unopened<MpiioCounters>(when);
    NameChunk* file = file_by_name(path);
    auto* const at = file == nullptr ? nullptr : counters_of<MpiioCounters>(file);
    if (at == nullptr) return;
    ++at->counters.unlinks;
    count_metadata(*at, Kind::unlink, when);
}

bool MpiClose::find()
{
    if (!OnMpiFile::find()) return false;
    // Before the call: afterwards another thread may get the same handle.
    if (const std::size_t slot = open_files.take(handle); slot != HandleTable::none) open_files.release(slot);
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

template <class Side>
std::uint64_t MpiTransfer<Side>::bytes() const
{
    mpi::Offset size = 0;
    if (items < 0 || mpi::type_size(type, &size) != 0 || size < 0) return 0;
    return static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(items);
}

template <class Side>
void MpiTransfer<Side>::count(int result, Interval when)
{
    auto* const at = leave();
    if (at == nullptr) return;
    if (result != 0) return count_failure(*at, Side::time, when);
    if (kind != nullptr) ++(at->counters.*kind);
    count_transfer<Side>(*at, bytes(), when, no_offset);
}

template <class Side>
bool MpiCollective<Side>::find()
{
    if (!MpiTransfer<Side>::find()) return false;
    if (const auto* const at = this->counters()) beneath = own_time_beneath(*at);
    return true;
}

template <class Side>
void MpiCollective<Side>::count(int result, Interval when)
{
    const auto* const at = result == 0 ? this->counters() : nullptr;
    const NameChunk* const name = at == nullptr ? nullptr : &arena.known_at<NameChunk>(at->name);
    // Of several files, ranks count calls differently.
    if (name != nullptr && name->kind != NameKind::overflow)
        sample_collective({name->id, at->counters.collective_reads + at->counters.collective_writes,
                           this->ranks, Side::direction,
                           std::max(at->counters.last_read, at->counters.last_write), when.start, when.end,
                           own_time_beneath(*at) - beneath});
    MpiTransfer<Side>::count(result, when);
}

template <class Side>
void MpiOrdered<Side>::count(int result, Interval when)
{
    if (auto* const at = result == 0 ? this->counters() : nullptr) ++at->counters.shared_pointer;
    MpiCollective<Side>::count(result, when);
}

template <class Side>
void MpiBegin<Side>::count(int result, Interval when)
{
    MpiTransfer<Side>::count(result, when);
    if (result == 0) operation_begins<Side>(request, this->file, this->bytes(), when);
}

template <class Side>
void MpiEnd<Side>::count(int result, Interval when)
{
    auto* const at = leave();
    if (at == nullptr) return;
    if (result != 0) return count_failure(*at, Side::time, when);
    at->counters.*Side::time += when.length();
    at->counters.*Side::last = when.end;
    note_time_spent(*at, Side::kind, when);
    note_burst(when);
}

template struct MpiTransfer<ReadSide>;
template struct MpiTransfer<WriteSide>;
template struct MpiCollective<ReadSide>;
template struct MpiCollective<WriteSide>;
template struct MpiOrdered<ReadSide>;
template struct MpiOrdered<WriteSide>;
template struct MpiBegin<ReadSide>;
template struct MpiBegin<WriteSide>;
template struct MpiEnd<ReadSide>;
template struct MpiEnd<WriteSide>;

void MpiSync::count(int result, Interval when)
{
    auto* const at = leave();
    if (at == nullptr) return;
    if (result != 0) return count_failure(*at, &Transfers::write_time, when);
    count_sync(*at, when);
}

void MpiOnFile::count(int result, Interval when)
{
    auto* const at = leave();
    if (at == nullptr) return;
    if (result != 0) return count_failure(*at, &Transfers::metadata_time, when);
    if (counter != nullptr) ++(at->counters.*counter);
    count_metadata(*at, kind_of(counter), when);
}

void MpiHinted::count(int result, Interval when)
{
    MpiOnFile::count(result, when);
    if (result != 0) return;
    if (auto* const at = counters()) note_hints(arena.known_at<NameChunk>(at->name), handle, info);
}

}  // namespace fathom
