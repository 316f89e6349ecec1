// A log seen as a job: which processes play the role of ranks, what each did in each layer, and which files
// there are.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/job/files.h"
#include "analyzer/job/layer_sums.h"
#include "logformat/log/log.h"

namespace fathom {

struct MeasuredRates;
struct Slowdown;
struct SystemLoad;

enum class Direction : std::uint8_t { read, write };
inline constexpr std::array<Direction, 2> directions = {Direction::read, Direction::write};
inline constexpr std::array<std::string_view, 2> direction_names = {"reads", "writes"};

inline constexpr std::size_t scopes = 3;

// Nanoseconds in reads, in writes and syncs, and in all other calls.
struct TimeSplit {
    std::uint64_t read = 0, write = 0, metadata = 0;

    std::uint64_t total() const { return read + write + metadata; }
    void add(const Totals& totals)
    {
        read += totals.read_time;
        write += totals.write_time;
        metadata += totals.metadata_time;
    }
};

// One process and its totals of every layer and scope.
struct Member {
    Process process;
    std::array<std::array<Totals, scopes>, layers> work{};

    const Totals& in(Layer layer, Scope scope) const
    {
        return work[static_cast<std::size_t>(layer)][static_cast<std::size_t>(scope)];
    }
    // What a layer did for files, by the program's own calls or beneath MPI-IO.
    Totals on_files(Layer layer) const;
    // Time at the level of the job: MPI-IO, and POSIX and stdio where the program called them itself.
    TimeSplit time() const;
    std::uint64_t run_time() const { return process.end > process.start ? process.end - process.start : 0; }
    // Bytes as the program asked for them, and as POSIX and stdio saw them.
    std::uint64_t application_bytes(Direction direction) const;
    std::uint64_t system_bytes(Direction direction) const;
};

// Files of MPI's own (mpi_files.h), which are no part of a job's files, totals and records.
struct LeftOutFiles {
    std::uint64_t files = 0, bytes = 0, time = 0;
};

struct Job {
    explicit Job(const Log& from);

    // How a rank is called: "rank 3", or "process 3" where the job has no MPI ranks.
    std::string rank_name(std::size_t rank_index) const;
    std::string process_name(std::int64_t process) const;
    // The index in `ranks` of a process number; -1 where it is no rank.
    std::int64_t rank_index(std::int64_t process) const;
    // The one whose record it is; nullptr for a record that stands for several.
    const Member* member_of(const RecordView& record) const;

    // Calls visit(member) for each rank, and for what several did that the log does not separate: for sums.
    template <class Visit>
    void each_share(Visit visit) const
    {
        for (const Member& member : ranks) visit(member);
        if (!told_apart_) visit(together);
    }
    // Calls visit(file, its records) for each file: both lie in the same order.
    template <class Visit>
    void each_file(Visit visit) const
    {
        const std::span<const RecordView> all(records);
        std::size_t from = 0;
        for (const FileUse& use : files) {
            while (from < all.size() && all[from].file != use.file) ++from;
            std::size_t to = from;
            while (to < all.size() && all[to].file == use.file) ++to;
            visit(use, all.subspan(from, to - from));
            from = to;
        }
    }
    // False where the log has of some I/O only what several ranks did together, so that the totals of a
    // rank are no more than a part of what it did.
    bool told_apart() const { return told_apart_; }
    // Compute nodes of the ranks; 0: not known of all of them.
    std::uint64_t nodes() const { return hosts_known_ ? hosts.size() : 0; }

    const Log& log;
    const SystemLoad* system = nullptr;    // what its servers did (system_load.h); nullptr: nobody asked
    const Slowdown* slowdown = nullptr;    // beside runs of its kind (slowdown.h); nullptr: nobody asked
    const MeasuredRates* rates = nullptr;  // of a file system (measured_rates.h); nullptr: nobody asked
    bool mpi = false;                      // the job has MPI ranks
    std::vector<Member> ranks;             // MPI ranks; all processes where there are none
    Member together;                       // what several of them did, not separated: in logs of other tools
    std::vector<Member> helpers;           // the other processes of an MPI job
    std::vector<std::string_view> hosts;   // distinct nodes of the ranks, as far as known
    std::uint64_t start = 0, end = 0;      // of all processes; ns of UNIX time
    std::vector<RecordView> records;       // those of the ranks, by file
    std::vector<FileUse> files;            // by id
    LayerSums layer_sums;                  // of those records
    LeftOutFiles of_mpi;
    // Processes that count as N for the modes of each direction, and those of them that moved data:
    // METHODS 2. Without MPI a process that only started others, or moved no file data at all, is no part of
    // N.
    std::array<std::uint64_t, 2> taking_part{}, application_movers{}, system_movers{};
    // Those that moved data are counted as all that opened the files, since the log does not say more.
    std::array<bool, 2> application_movers_at_most{}, system_movers_at_most{};

    std::uint64_t run_time() const { return end > start ? end - start : 0; }
    bool has_totals() const { return !log.rows<Totals>().empty(); }
    // As the program asked for them, of all ranks.
    std::uint64_t application_bytes(Direction direction) const;
    std::uint64_t calls_missed() const;
    // Of all processes together.
    std::uint64_t sum_of(std::uint64_t Process::*number) const;
    bool used(Layer layer) const;  // some rank called it, for files or streams

  private:
    void sort_members(std::vector<Member> members);
    void leave_out_files_of_mpi();
    void take_from_totals(const RecordView& record, Scope scope);
    void count_members();
    void count_movers();

    bool told_apart_ = true, hosts_known_ = true;
};

inline const LayerSums& layer_sums_of(const Job& job)
{
    return job.layer_sums;
}

}  // namespace fathom
