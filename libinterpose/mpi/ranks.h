// The ranks of the job while they gather: who is whose partner, and what passes between them.
#pragma once

#include <bit>
#include <cstring>
#include <iterator>
#include <span>

#include "libinterpose/mpi/item_run.h"
#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/system/text.h"
#include "logformat/blocks/bytes.h"

namespace fathom {

// A communicator of our own, so that no message of the program's is ever taken for one of ours. It is split
// off rather than duplicated: duplicating would call the program's attribute functions.
class Ranks {
  public:
    Ranks(const mpi::Constants& constants, int rank, int size)
        : mpi_(constants),
          rank_(rank),
          size_(size),
          power_(static_cast<int>(std::bit_floor(static_cast<unsigned>(size))))
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

    // Ranks pair up across the bits of their numbers. Those from power() on, the largest power of two, have
    // no partner there; a rank below stands for each of them.
    int rank() const { return rank_; }
    int size() const { return size_; }
    int power() const { return power_; }
    bool has_proxy() const { return rank_ >= power_; }
    int proxy() const { return rank_ - power_; }
    bool is_proxy() const { return rank_ + power_ < size_; }
    int client() const { return rank_ + power_; }

    // Gives the partner a run and takes one from it; both do so at once, and either run may be empty. A rank
    // that has failed, or has no memory for what comes, says so and takes part all the same, so that its
    // partner does not wait for ever; both get false.
    bool exchange(bool good, RunView out, Bytes& in, int partner)
    {
        Letter &mine = letters_[0], &theirs = letters_[1];
        const std::size_t enclosed = std::min(out.size(), sizeof mine.enclosed);
        mine.good = good ? 1 : 0;
        mine.size = good ? out.size() : 0;
        if (good && enclosed > 0) std::memcpy(mine.enclosed, out.data(), enclosed);
        if (!pass(&mine, Letter::head + (good ? enclosed : 0), &theirs, sizeof theirs, partner)) return false;
        if (!good || theirs.good == 0) return false;
        std::byte* const room = theirs.size > 0 ? in.room(theirs.size) : nullptr;
        const bool fits = theirs.size == 0 || room != nullptr;
        const std::size_t came = std::min<std::size_t>(theirs.size, sizeof theirs.enclosed);
        if (room != nullptr) std::memcpy(room, theirs.enclosed, came);
        if (out.size() > enclosed || theirs.size > came) {
            std::uint64_t here = fits ? 1 : 0, there = 0;
            if (!pass(&here, sizeof here, &there, sizeof there, partner)) return false;
            if (here == 0 || there == 0) return false;
            std::size_t given = enclosed, taken = came;
            while (given < out.size() || taken < theirs.size) {
                const std::size_t give = std::min(out.size() - given, most_per_message);
                const std::size_t take = std::min(theirs.size - taken, most_per_message);
                if (!pass(out.data() + given, give, room + taken, take, partner)) return false;
                given += give;
                taken += take;
            }
        }
        if (room != nullptr) in.grow(theirs.size);
        return fits;
    }

    // The least of each number over all ranks.
    bool least(std::span<std::uint64_t> mine, std::span<std::uint64_t> result)
    {
        return mpi::allreduce(mine.data(), result.data(), static_cast<int>(mine.size()), mpi_.uint64,
                              mpi_.least, comm_) == 0;
    }
    bool all(bool mine)
    {
        std::uint64_t vote[] = {mine ? std::uint64_t{1} : 0}, result[] = {0};
        return least(vote, result) && result[0] == 1;
    }

    bool tell_all(PathText& text)
    {
        if (mpi::broadcast(text.data(), PathText::capacity(), mpi_.byte, 0, comm_) != 0) return false;
        text.resize(std::strlen(text.data()));
        return true;
    }

    // Three numbers summed over the ranks that come before this one, and over all. Clients come right after
    // their proxies; rank 0 comes first. (The exclusive scans of MPI libraries go from rank to rank.)
    struct Sums {
        std::uint64_t value[3] = {};
        void add(const Sums& other)
        {
            for (std::size_t at = 0; at < std::size(value); ++at) value[at] += other.value[at];
        }
    };
    bool sums(const Sums& mine, Sums& before, Sums& total)
    {
        Sums answer[2], theirs;
        if (has_proxy()) {
            if (!pass(&mine, sizeof mine, nullptr, 0, proxy()) ||
                !pass(nullptr, 0, answer, sizeof answer, proxy()))
                return false;
            before = answer[0];
            total = answer[1];
            return true;
        }
        before = {};
        total = mine;
        if (is_proxy()) {
            if (!pass(nullptr, 0, &theirs, sizeof theirs, client())) return false;
            total.add(theirs);
        }
        for (int bit = 1; bit < power_; bit <<= 1) {
            if (!pass(&total, sizeof total, &theirs, sizeof theirs, rank_ ^ bit)) return false;
            if ((rank_ & bit) != 0) before.add(theirs);
            total.add(theirs);
        }
        if (!is_proxy()) return true;
        answer[0] = before;
        answer[0].add(mine);
        answer[1] = total;
        return pass(answer, sizeof answer, nullptr, 0, client());
    }

    // Collects what all have at rank 0, in the order of the sums. False where that failed; all take part.
    bool collect(Bytes& log)
    {
        if (has_proxy()) return exchange(true, log.view(), log, proxy());
        bool good = !is_proxy() || exchange(true, {}, log, client());
        for (int bit = 1; bit < power_; bit <<= 1) {
            if ((rank_ & bit) != 0) return exchange(good, log.view(), log, rank_ ^ bit) && good;
            good = exchange(good, {}, log, rank_ ^ bit) && good;
        }
        return good;
    }

    static constexpr std::size_t most_per_message = std::size_t{1} << 30;

  private:
    static constexpr int tag = 1;  // no other: the communicator is our own

    bool pass(const void* out, std::size_t give, void* in, std::size_t take, int partner)
    {
        return mpi::sendrecv(out, static_cast<int>(give), mpi_.byte, partner, tag, in, static_cast<int>(take),
                             mpi_.byte, partner, tag, comm_, mpi_.status_ignore) == 0;
    }

    // Small runs travel with the word about their size.
    struct Letter {
        static constexpr std::size_t head = 2 * sizeof(std::uint64_t);
        std::uint64_t good = 0, size = 0;
        std::byte enclosed[16 << 10];
    };

    const mpi::Constants& mpi_;
    int rank_, size_, power_;
    mpi::Handle comm_ = 0;  // MPICH writes its lower half
    Letter letters_[2];
    bool good_ = false;
};

}  // namespace fathom
