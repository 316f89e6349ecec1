// Writes the log of a large job that never ran: `large_log RANKS RECORDS LOG`. Ranks write checkpoints of
// their own and shared results through MPI-IO, keep logs with stdio and read a shared input; pairs of ranks
// share some files. Each rank has totals of every layer, slices and bursts, the job has histograms. The same
// numbers make the same log.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <map>

#include "logformat/slice_rows.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

constexpr std::int64_t ranks_per_node = 64;
constexpr std::uint64_t slice_length = 8 * second;
constexpr std::uint64_t steps = 12;  // of the job, each with I/O in its first third

// Numbers that look like chance: the same for the same place (splitmix64).
std::uint64_t noise(std::uint64_t place, std::uint64_t below)
{
    std::uint64_t x = place * 0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return (x ^ (x >> 31)) % below;
}

void describe(Transfers& row, std::uint64_t place)
{
    row.reads = row.bytes_read / (64 << 10) + (row.bytes_read > 0);
    row.writes = row.bytes_written / mib + (row.bytes_written > 0);
    row.closes = row.opens;
    row.first_open = job_start + noise(place, 500 * second);
    row.last_close = row.first_open + 20 * second;
    if (row.reads > 0) row.read_size.add(64 << 10, row.reads);
    if (row.writes > 0) row.write_size.add(mib, row.writes);
}

class Job {
  public:
    Job(std::int64_t ranks, std::uint64_t records) : ranks_(ranks), records_(records) {}

    Log made() &&
    {
        made_.ranks(ranks_, ranks_per_node);
        for (Process& process : made_.log.rows<Process>()) process.end = job_start + 700 * second;
        made_.log.rows<Mount>() = {{"/scratch", "lustre", "mds@o2ib:/scratch"},
                                   {"/home", "nfs", "filer:/home"}};
        made_.log.add_fact("command", "mpirun -np 10000 ./climate --run control");
        shared();
        own();
        in_pairs();
        slices();
        durations();
        merge_totals();
        return std::move(made_.log);
    }

  private:
    void shared()
    {
        const auto all = static_cast<std::uint64_t>(ranks_);
        made_.reduced_io<PosixRecord>(made_.file("/scratch/run/input.nc"), all, all, 0,
                                      {.bytes_read = 64 * mib * all, .read_time = all * second});
        for (std::uint64_t step = 0; step < steps; ++step) {
            const std::uint64_t id = made_.file(fmt::format("/scratch/run/results.{:04}.nc", step));
            const Io done{.bytes_written = 16 * mib * all, .write_time = 3 * all * second};
            describe(made_.reduced_io<MpiioRecord>(id, all, 0, all, done), step);
            describe(made_.reduced_io<PosixRecord>(id, all, 0, all / ranks_per_node + 1, done), step);
        }
        for (std::int64_t rank = 0; rank < ranks_; ++rank) {
            made_.total(rank, Layer::mpiio, Scope::direct,
                        {.bytes_written = steps * 16 * mib, .write_time = steps * 3 * second});
            made_.total(rank, Layer::posix, Scope::beneath_mpiio,
                        {.bytes_written = rank % ranks_per_node == 0 ? steps * 16 * mib * ranks_per_node : 0,
                         .write_time = steps * second});
        }
    }

    // A log of each rank's own, and checkpoints until there are as many records as asked for.
    void own()
    {
        const auto all = static_cast<std::uint64_t>(ranks_);
        const std::uint64_t pairs = all * 2, logs = all, others = pairs + logs + 2 * steps + 1;
        const std::uint64_t checkpoints = records_ > others ? records_ - others : 0;
        for (std::uint64_t rank = 0; rank < all; ++rank) {
            const Io little{.bytes_written = 4000, .write_time = second / 50, .metadata_time = second / 100};
            describe(made_.io<StdioRecord>(made_.file(fmt::format("/scratch/run/log/rank.{:06}.log", rank)),
                                           static_cast<std::int64_t>(rank), little),
                     rank);
        }
        for (std::uint64_t at = 0; at < checkpoints; ++at) {
            const std::uint64_t rank = at % all;
            const Io done{.bytes_written = 32 * mib + noise(at, mib),
                          .write_time = second + noise(at, second / 2),
                          .metadata_time = second / 10};
            const auto name =
                fmt::format("/scratch/run/checkpoint/step.{:05}/rank.{:06}.dat", at / all, rank);
            describe(made_.io<PosixRecord>(made_.file(name), static_cast<std::int64_t>(rank), done), at);
        }
    }

    void in_pairs()
    {
        for (std::int64_t rank = 0; rank < ranks_; ++rank) {
            const std::uint64_t id = made_.file(fmt::format("/scratch/run/halo/{:06}.bin", rank));
            made_.io<PosixRecord>(id, rank, {.bytes_written = mib, .write_time = second / 20});
            made_.io<PosixRecord>(id, (rank + 1) % ranks_, {.bytes_read = mib, .read_time = second / 30});
        }
    }

    // As many as a log keeps of so many ranks.
    void slices()
    {
        const std::uint64_t most = slice_rows_of_each(static_cast<std::size_t>(ranks_)) / 2;
        const std::uint64_t there = 700 * second / slice_length;
        for (std::int64_t rank = 0; rank < ranks_; ++rank) {
            for (std::uint64_t at = 0; at < std::min(most, there); ++at) {
                const auto place = static_cast<std::uint64_t>(rank) * 1000 + at;
                const Io done{.bytes_written = at % 8 < 3 ? 4 * mib + noise(place, mib) : 0,
                              .write_time = second / 2 + noise(place, second),
                              .metadata_time = noise(place, second / 100)};
                made_.slice(rank, Layer::posix, at, slice_length, done);
                made_.slice(rank, Layer::mpiio, at, slice_length, done);
            }
            for (std::uint64_t step = 0; step < steps; ++step) {
                const double from =
                    static_cast<double>(step) * 58 + static_cast<double>(noise(step, 100)) / 1e3;
                made_.burst(rank, from, from + 20);
            }
        }
    }

    void durations()
    {
        const auto some = [](std::uint64_t from, std::uint64_t seed) {
            std::vector<std::uint64_t> times;
            for (std::uint64_t at = 0; at < 20000; ++at) times.push_back(from + noise(seed + at, from * 9));
            return times;
        };
        for (const Layer layer : {Layer::posix, Layer::stdio, Layer::mpiio})
            for (std::size_t size = 3; size < 7; ++size) {
                made_.operations(layer, Kind::read, size, some(20'000 << size, size));
                made_.operations(layer, Kind::write, size, some(50'000 << size, 100 + size));
            }
        made_.operations(Layer::posix, Kind::open, 0, some(200'000, 7));
        made_.operations(Layer::posix, Kind::close, 0, some(30'000, 8));
    }

    // One row a process, layer and scope, as a log has them.
    void merge_totals()
    {
        std::map<std::array<std::int64_t, 3>, Totals> merged;
        auto& rows = made_.log.rows<Totals>();
        for (const Totals& one : rows) {
            const std::array key = {one.process, static_cast<std::int64_t>(one.layer),
                                    static_cast<std::int64_t>(one.scope)};
            if (const auto [found, fresh] = merged.try_emplace(key, one); !fresh) merge(found->second, one);
        }
        rows.clear();
        for (const auto& [key, one] : merged) rows.push_back(one);
    }

    Synthetic made_;
    std::int64_t ranks_;
    std::uint64_t records_;
};

}  // namespace

int main(int count, char** arguments)
{
    if (count != 4) {
        std::fputs("usage: large_log RANKS RECORDS LOG\n", stderr);
        return 2;
    }
    try {
        const auto number = [&](int at) { return std::strtoull(arguments[at], nullptr, 10); };
        write_log(Job(static_cast<std::int64_t>(number(1)), number(2)).made(), arguments[3]);
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "large_log: %s\n", trouble.what());
        return 1;
    }
}
