// Reads the control blocks of POSIX AIO and libaio.
#include "libinterpose/operations/async_operations.h"

#include <cerrno>

#include "libinterpose/pending/program_memory.h"
#include "libinterpose/recording/temporary_records.h"

namespace fathom {
namespace {

using in_flight::Again;

// The list that this thread is submitting.
thread_local constinit const void* submitted_list __attribute__((tls_model("initial-exec"))) = nullptr;

void end_now(const void* block, std::int64_t result)
{
    Submission what;
    if (in_flight::any() && in_flight::take(key_of(block), what)) count_end(what, result, now());
}

// What aio_return will give. It may be asked only once, by the program.
std::int64_t result_of(const aiocb& block)
{
    return block.__error_code == 0 ? block.__return_value : -1;
}

bool submit_libaio(const iocb& block, ReadableMemory& memory, Shares& shares)
{
    Description* const description = tracked(static_cast<int>(block.aio_fildes));
    if (description == nullptr) return false;
    Submission what;
    what.file = temporary::lasting(description->file.load(std::memory_order_relaxed));
    what.offset = static_cast<std::uint64_t>(block.aio_offset);
    what.memory = reinterpret_cast<const void*>(block.aio_buf);
    std::uint64_t bytes = block.aio_nbytes;
    switch (block.aio_lio_opcode) {
        case IOCB_CMD_PREAD:
            what.kind = Kind::read;
            break;
        case IOCB_CMD_PWRITE:
            what.kind = Kind::write;
            break;
        case IOCB_CMD_PREADV:
        case IOCB_CMD_PWRITEV:
            what.kind = block.aio_lio_opcode == IOCB_CMD_PREADV ? Kind::read : Kind::write;
            bytes = memory.bytes_of(static_cast<const iovec*>(what.memory), block.aio_nbytes, what.memory);
            break;
        case IOCB_CMD_FSYNC:
        case IOCB_CMD_FDSYNC:
            what.kind = Kind::sync;
            break;
        default:
            return false;
    }
    if (!submit(key_of(&block), what, bytes, Again::impossible)) return false;
    shares.add(what.file, what.kind);
    return true;
}

}  // namespace

// ---- POSIX AIO ----

bool submit_posix(aiocb* block, Kind kind, Shares& shares)
{
    Description* const description = tracked(block->aio_fildes);
    if (description == nullptr) return false;
    Submission what;
    what.kind = kind;
    what.file = temporary::lasting(description->file.load(std::memory_order_relaxed));
    what.offset = static_cast<std::uint64_t>(block->aio_offset);
    what.memory = const_cast<const void*>(block->aio_buf);
    if (!submit(key_of(block), what, block->aio_nbytes, Again::impossible)) return false;
    shares.add(what.file, kind);
    return true;
}

void AioError::passed(int error) const
{
    if (error != EINPROGRESS) end_now(block, error == 0 ? block->__return_value : -1);
}

void AioReturn::passed(ssize_t result) const
{
    end_now(block, result);
}

void AioCancel::passed(int result) const
{
    if (block != nullptr && result == AIO_CANCELED) end_now(block, -1);
}

bool AioSuspend::find()
{
    if (!in_flight::any()) return false;
    for (int at = 0; at < blocks; ++at) {
        Kind kind{};
        NameChunk* file = nullptr;
        if (list[at] != nullptr && in_flight::look(key_of(list[at]), kind, file)) shares.add(file, kind);
    }
    return !shares.empty();
}

bool AioList::find()
{
    if (mode != LIO_WAIT && mode != LIO_NOWAIT) return false;
    for (int at = 0; at < blocks; ++at) {
        if (list[at] == nullptr) continue;
        const int opcode = list[at]->aio_lio_opcode;
        if (opcode == LIO_READ || opcode == LIO_WRITE)
            submit_posix(list[at], opcode == LIO_READ ? Kind::read : Kind::write, shares);
    }
    return !shares.empty();
}

// A failed call may have started some, and says of each what became of it. What was not started has ended.
void AioList::count(int result, Interval when)
{
    if (mode == LIO_WAIT || result != 0)
        for (int at = 0; at < blocks; ++at) {
            if (list[at] == nullptr || list[at]->__error_code == EINPROGRESS) continue;
            Submission what;
            if (in_flight::take(key_of(list[at]), what)) count_end(what, result_of(*list[at]), when.end);
        }
    shares.hand_out(when.length());
}

// ---- libaio ----

// Before the call, since another thread may be told of an end before this one returns.
bool LibaioSubmit::find()
{
    inside = list != nullptr && submitted_list == list;
    if (inside) return false;
    submitted_list = list;
    ReadableMemory memory, array;
    for (; noted < blocks; ++noted) {
        if (!array.has(list + noted, sizeof *list) || !memory.has(list[noted], sizeof *list[noted])) break;
        submit_libaio(*list[noted], memory, shares);
    }
    return !shares.empty();
}

void LibaioSubmit::passed(long) const
{
    if (!inside) submitted_list = nullptr;
}

void LibaioSubmit::count(long result, Interval when) const
{
    submitted_list = nullptr;
    ReadableMemory array;
    for (long at = noted - 1; at >= 0 && at >= result; --at)
        if (array.has(list + at, sizeof *list)) withdraw(key_of(list[at]));
    if (result < 0) return count_failed_submission(shares, when);
    shares.hand_out(when.length());
}

void LibaioEvents::end_all(long result, std::uint64_t now)
{
    for (long at = 0; at < result; ++at)
        end(static_cast<OperationKey>(events[at].obj), events[at].res, now, shares);
}

void LibaioEvents::count(long result, Interval when)
{
    end_all(result, when.end);
    shares.hand_out(when.length());
}

void LibaioEvents::passed(long result)
{
    if (result > 0 && in_flight::any()) end_all(result, now());
}

void LibaioCancel::passed(long result) const
{
    if (result == 0) end_now(block, -1);
}

}  // namespace fathom
