// The reduction and the parallel write.
//
// Every record travels to the rank that its file's id names: in round k each rank gives its partner across
// bit k all items whose id differs from its own number there, and merges what it gets. After log2(ranks)
// rounds each file is at one rank, reduced over all that used it, and no rank ever holds more than its share
// of the files and one round's exchange.
#include "libinterpose/gather.h"

#include <bit>
#include <cstring>

#include "libinterpose/items.h"
#include "libinterpose/job_rows.h"
#include "libinterpose/mpi_library.h"
#include "libinterpose/roll_call.h"
#include "libinterpose/session.h"
#include "libinterpose/settings.h"
#include "libinterpose/sys.h"

namespace fathom {
namespace {

constexpr int tag = 1;  // on a communicator of our own
constexpr std::size_t most_per_message = std::size_t{1} << 30;

// A communicator of our own, so that no message of the program's is ever taken for one of ours. It is split
// off rather than duplicated: duplicating would call the program's attribute functions.
class Ranks {
  public:
    explicit Ranks(const mpi::Constants& constants) : mpi_(constants)
    {
        good_ = mpi::comm_split(mpi_.comm_world, 0, 0, &comm_) == 0;
        if (good_) mpi::comm_set_errhandler(comm_, mpi_.errors_return);
    }
    ~Ranks()
    {
        if (good_) mpi::comm_free(&comm_);
    }
    bool good() const { return good_; }
    mpi::Handle comm() const { return comm_; }

    // Sends and receives at once; either partner may be -1 for none. A rank that has failed, or has no memory
    // for what comes, says so and takes part all the same, so that its partner does not wait for ever; both
    // get false.
    bool exchange(bool good, std::span<const std::byte> out, int to, Bytes& in, int from)
    {
        std::uint64_t sending = good ? out.size() : 0, receiving = 0;
        if (!pass(&sending, sizeof sending, to, &receiving, sizeof receiving, from)) return false;
        std::byte* const room = receiving == 0 ? nullptr : in.room(receiving);
        good = good && (receiving == 0 || room != nullptr);
        std::uint64_t mine = good ? 1 : 0, to_is_good = 1, from_is_good = 1;
        if (!pass(&mine, sizeof mine, to, &from_is_good, sizeof from_is_good, from) ||
            !pass(&mine, sizeof mine, from, &to_is_good, sizeof to_is_good, to))
            return false;
        if (!good || to_is_good == 0 || from_is_good == 0) return false;
        for (std::uint64_t at = 0; at < sending || at < receiving; at += most_per_message) {
            const auto piece = [&](std::uint64_t all) {
                return all > at ? std::min(all - at, std::uint64_t{most_per_message}) : 0;
            };
            if (!pass(out.data() + at, piece(sending), piece(sending) > 0 ? to : -1, room + at,
                      piece(receiving), piece(receiving) > 0 ? from : -1))
                return false;
        }
        in.grow(receiving);
        return true;
    }

    bool all(bool mine)
    {
        const std::uint64_t vote = mine ? 1 : 0;
        std::uint64_t result = 0;
        return mpi::allreduce(&vote, &result, 1, mpi_.uint64, mpi_.least, comm_) == 0 && result == 1;
    }

    bool tell_all(PathText& text)
    {
        std::uint64_t size = text.size();
        if (mpi::broadcast(&size, 1, mpi_.uint64, 0, comm_) != 0 || size >= text.capacity()) return false;
        if (mpi::broadcast(text.data(), static_cast<int>(size), mpi_.byte, 0, comm_) != 0) return false;
        text.resize(size);
        return true;
    }

    // The sum over the ranks before this one, and over all.
    bool sums(const std::uint64_t (&mine)[2], std::uint64_t (&before)[2], std::uint64_t (&total)[2])
    {
        return mpi::exclusive_scan(mine, before, 2, mpi_.uint64, mpi_.sum, comm_) == 0 &&
               mpi::allreduce(mine, total, 2, mpi_.uint64, mpi_.sum, comm_) == 0;
    }

  private:
    bool pass(const void* out, std::size_t sending, int to, void* in, std::size_t receiving, int from)
    {
        const int give = static_cast<int>(sending), take = static_cast<int>(receiving);
        if (to >= 0 && from >= 0)
            return mpi::sendrecv(out, give, mpi_.byte, to, tag, in, take, mpi_.byte, from, tag, comm_,
                                 nullptr) == 0;
        if (to >= 0) return mpi::send(out, give, mpi_.byte, to, tag, comm_) == 0;
        if (from >= 0) return mpi::receive(in, take, mpi_.byte, from, tag, comm_, nullptr) == 0;
        return true;
    }

    const mpi::Constants& mpi_;
    mpi::Handle comm_ = 0;
    bool good_ = false;
};

// Two buffers that take turns: the run of items so far, and the one being made of it.
class Reduction {
  public:
    Reduction(Ranks& ranks, int rank, int size) : ranks_(ranks), rank_(rank), size_(size) {}

    Bytes& run() { return *run_; }

    // A rank that fails goes through all rounds with empty hands; the vote at the end tells everybody.
    bool reduce()
    {
        const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(size_)));
        bool good = true;
        // Ranks beyond the largest power of two hand everything to a rank below it.
        if (rank_ >= power) {
            good = ranks_.exchange(good, run_->view(), rank_ - power, received_, -1);
            run_->clear();
            return good;
        }
        if (rank_ + power < size_) {
            good = ranks_.exchange(good, {}, -1, received_, rank_ + power);
            merge_received(run_->view());
        }
        for (unsigned bit = 0; 1 << bit < power; ++bit) {
            Bytes keep, give;
            const bool upper = (rank_ >> bit & 1) != 0;
            split_items(run_->view(), bit, upper ? give : keep, upper ? keep : give);
            const int partner = rank_ ^ 1 << bit;
            good = good && keep.good() && give.good() && run_->good();
            good = ranks_.exchange(good, give.view(), partner, received_, partner) && good;
            merge_received(keep.view());
        }
        return good && run_->good();
    }

  private:
    void merge_received(std::span<const std::byte> kept)
    {
        other_->clear();
        merge_items(kept, received_.view(), *other_);
        std::swap(run_, other_);
        received_.clear();
    }

    Ranks& ranks_;
    int rank_, size_;
    Bytes first_, second_, received_;
    Bytes* run_ = &first_;
    Bytes* other_ = &second_;
};

// Where the log goes, as rank 0 sees it; empty for nowhere.
void choose_path(PathText& path, const Process& process)
{
    if (!settings().output.empty()) {
        path << settings().output.view();
        if (!settings().collected) return;
        // One of several logs that `fathom record` will merge: a hidden name beside the final one.
        path.resize(path.view().rfind('/') + 1);
        path << ".fathom-" << settings().job.view() << "-" << process.host << "-" << process.pid << ".mpi";
    } else if (!settings().log_folder.empty()) {
        default_log_path(path, settings().log_folder.view(), process);
    }
}

bool write_together(Ranks& ranks, const mpi::Constants& constants, const PathText& path,
                    std::span<const std::byte> mine, std::uint64_t offset)
{
    PathText temporary;
    temporary << path.view() << ".tmp";
    if (mpi::world.rank == 0) sys::unlink(temporary.c_str());
    if (!ranks.all(mine.size() < most_per_message)) return false;
    mpi::Handle file = 0;
    bool good = mpi::file_open(ranks.comm(), temporary.c_str(), mpi::mode_create | mpi::mode_write_only,
                               constants.info_null, &file) == 0;
    if (!ranks.all(good)) return false;
    good = mpi::file_write_at_all(file, static_cast<mpi::Offset>(offset), mine.data(),
                                  static_cast<int>(mine.size()), constants.byte, nullptr) == 0;
    good = mpi::file_close(&file) == 0 && good;
    good = ranks.all(good);
    if (mpi::world.rank == 0) {
        // MPI libraries have been seen to report success on a full disk: what counts is what is there.
        if (good) good = sys::rename(temporary.c_str(), path.c_str()) == 0;
        if (!good) sys::unlink(temporary.c_str());
    }
    return ranks.all(good);
}

bool gather(const mpi::Constants& constants, bool has_part)
{
    Ranks ranks(constants);
    if (!ranks.good() || !ranks.all(has_part)) return false;
    const PartHeader& header = arena.header();
    const auto clock =
        ClockMap::between(header.start_ticks, header.start_ns, ticks_now(header.clock), unix_ns_now());
    PartRows rows;
    read_part(arena.bytes(), clock, mpi::world.rank, rows);
    if (!ranks.all(rows.good())) return false;
    Process& process = *rows.process();
    process.ending = static_cast<std::uint64_t>(Ending::finalized);
    process.end = clock.instant(ticks_now(header.clock));

    PathText path;
    if (mpi::world.rank == 0) choose_path(path, process);
    if (!ranks.tell_all(path) || path.empty()) return false;

    Reduction reduction(ranks, static_cast<int>(mpi::world.rank), static_cast<int>(mpi::world.size));
    append_items(rows, reduction.run());
    if (!ranks.all(reduction.run().good())) return false;
    if (!ranks.all(reduction.reduce())) return false;
    PartRows files;
    rows_of_items(reduction.run().view(), files);

    Bytes log;
    Encoder encoder(log);
    if (mpi::world.rank == 0) {
        FixedText<8192> version;  // MPI_MAX_LIBRARY_VERSION_STRING is 256 in Open MPI, 8192 in MPICH
        int length = 0;
        if (mpi::library_version(version.data(), &length) == 0) version.resize(std::strlen(version.c_str()));
        encoder.begin();
        encode_job(encoder, process.command, version.view());
    }
    encode_rows(encoder, rows, files);
    // The end block counts the blocks of all ranks; the last rank appends it once it knows.
    std::uint64_t mine[2] = {log.size(), encoder.blocks()}, before[2] = {}, total[2] = {};
    if (!ranks.sums(mine, before, total)) return false;
    if (mpi::world.rank == 0) before[0] = 0;  // MPI_Exscan leaves it undefined there
    if (static_cast<std::uint64_t>(mpi::world.rank) + 1 == mpi::world.size) encoder.end(total[1]);
    if (!ranks.all(encoder.good() && files.good() && total[0] < sys::file_size_limit() / 2)) return false;
    if (!write_together(ranks, constants, path, log.view(), before[0])) return false;

    arena.header().log = arena.add_text(path.view());
    arena.header().ending = Ending::finalized;
    mpi::world.gathered = true;
    return true;
}

}  // namespace

void gather_at_finalize()
{
    mpi::Constants constants;
    if (mpi::world.size == 0 || mpi::world.pid != sys::process_id() || !mpi::find_constants(constants))
        return;
    if (!every_rank_is_recorded()) return;
    const bool has_part = enter();
    const std::uint64_t epoch = pause_recording();
    const bool written = gather(constants, has_part);
    resume_recording(written ? 0 : epoch);
}

}  // namespace fathom
