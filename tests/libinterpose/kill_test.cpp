// Kills a program at random moments and reads the part that it leaves. The program keeps an account of its
// calls (tests/programs/accounts.h), so what must be in the part is known to within the one call that each
// thread was at.
//
// FATHOM_TEST_KILLS: how many; FATHOM_TEST_SEED: another run of luck. A failure names the seed of its kill.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <random>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "logformat/part/part.h"
#include "tests/programs/accounts.h"

using namespace fathom;

namespace {

unsigned number_from_environment(const char* name, unsigned otherwise)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(value, nullptr, 10));
}

std::filesystem::path new_folder()
{
    // Memory rather than a disk: so many small files would only keep the disk busy.
    const auto base =
        std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string pattern = (base / "fathom-kill-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp: " + pattern);
    return pattern;
}

// Between how much and how much.
struct Range {
    std::uint64_t least = 0, most = 0;
    void add(const tally& one)
    {
        least += one.returned;
        most += one.begun;
    }
    std::uint64_t width() const { return most - least; }
};

// Now, by either clock that a part may use.
struct Moment {
    std::uint64_t tsc = 0, monotonic = 0;
    static Moment now() { return {ticks_now(ClockKind::tsc), ticks_now(ClockKind::monotonic)}; }
    std::uint64_t by(ClockKind clock) const { return clock == ClockKind::tsc ? tsc : monotonic; }
};

// What the part of one killed process must say.
class Trial {
  public:
    Trial(std::string folder, bool everything_fits) : folder_(std::move(folder)), fits_(everything_fits) {}

    account* its_account = nullptr;
    pid_t pid = 0;
    Moment before, after;  // it lived between them

    // What is wrong with the part, a line each.
    std::string trouble_with(std::span<const std::byte> part)
    {
        const auto& header = *reinterpret_cast<const PartHeader*>(part.data());
        // One nanosecond a tick: instants can be turned back.
        const ClockMap clock{header.start_ticks, header.start_ns, 1.0};
        to_ticks_ = header.start_ticks - header.start_ns;
        birth_ = before.by(header.clock);
        death_ = after.by(header.clock);
        PartRows rows;
        read_part(part, clock, 0, rows);
        if (!rows.good() || rows.process() == nullptr) return "the part cannot be read\n";
        check_process(*rows.process());
        for (const FileName& name : rows.names.as<FileName>()) check_name(name);
        for (PosixRecord& record : rows.posix.as<PosixRecord>()) check_posix(record);
        for (StdioRecord& record : rows.stdio.as<StdioRecord>()) check_stdio(record);
        if (rows.mpiio.size() != 0) say("MPI-IO in a program without it");
        check_totals(rows.totals.as<Totals>());
        for (const Burst& burst : rows.bursts.as<Burst>())
            check_times("burst", burst.start, burst.end, burst.end - burst.start);
        return trouble_;
    }

  private:
    template <class... Arguments>
    void say(fmt::format_string<Arguments...> text, Arguments&&... arguments)
    {
        trouble_ += fmt::format(text, std::forward<Arguments>(arguments)...) + "\n";
    }

    void check_process(const Process& process)
    {
        if (process.pid != static_cast<std::uint64_t>(pid)) say("process {} instead of {}", process.pid, pid);
        // In a full part a thread has no place while the kernel still has the one that died before it.
        missed_ = process.missed;
        if (missed_ != 0 && fits_) say("{} calls missed", missed_);
        if (process.threads > account_threads) say("{} threads", process.threads);
        if (its_account->started > 0 && !process.program.ends_with("/accounts"))
            say("program {}", process.program);
        if (process.ending != static_cast<std::uint64_t>(Ending::unknown)) say("ending {}", process.ending);
    }

    void check_name(const FileName& name)
    {
        if (name.path.ends_with("/<further files>") && !fits_) {
            names_[name.file] = account_files;
            further_files_[name.file] = name.files;
            return;
        }
        for (unsigned file = 0; file < account_files; ++file)
            if (name.path == fmt::format("{}/file.{}", folder_, file)) {
                names_[name.file] = file;
                return;
            }
        say("a file that was never opened: {}", name.path);
    }

    // The account of a call on a file; of all files: for the file that stands for those without room.
    Range range(unsigned file, account_call call) const
    {
        Range range;
        for (const auto& thread : its_account->tally)
            for (unsigned at = 0; at < account_files; ++at)
                if (at == file || file == account_files) range.add(thread[at][call]);
        return range;
    }

    void check_count(unsigned file, std::string_view what, std::uint64_t count, account_call call)
    {
        const Range allowed = range(file, call);
        if (count > allowed.most || (fits_ && count < allowed.least))
            say("file {}: {} {}, made {} to {}", file, count, what, allowed.least, allowed.most);
    }

    // A call that was cut short may be in one of two counters and not yet in the other.
    void check_near(unsigned file, std::string_view what, std::uint64_t one, std::uint64_t other,
                    std::uint64_t apart)
    {
        if (one > other + apart || other > one + apart)
            say("file {}, {}: {} and {} are more than {} apart", file, what, one, other, apart);
    }

    void check_times(std::string_view what, std::uint64_t first, std::uint64_t last, std::uint64_t duration)
    {
        for (const std::uint64_t instant : {first, last})
            if (instant != 0 && (instant + to_ticks_ < birth_ || instant + to_ticks_ > death_))
                say("{} at {} of a process between {} and {}", what, instant + to_ticks_, birth_, death_);
        if (duration > account_threads * (death_ - birth_))
            say("{} took {} of {}", what, duration, death_ - birth_);
    }

    void check_transfers(unsigned file, const Transfers& counters, account_call write, std::uint64_t size)
    {
        std::uint64_t under_way = 0;
        for (int call = 0; call < account_calls; ++call)
            under_way += range(file, static_cast<account_call>(call)).width();
        check_count(file, "writes", counters.writes, write);
        check_near(file, "bytes written", counters.bytes_written, counters.writes * size, under_way * size);
        check_near(file, "bytes read", counters.bytes_read, counters.reads * read_at_once,
                   under_way * read_at_once);
        std::uint64_t reads_by_size = 0, writes_by_size = 0, common = 0, strange = 0;
        for (const std::uint64_t count : counters.read_size.count) reads_by_size += count;
        for (const std::uint64_t count : counters.write_size.count) writes_by_size += count;
        for (const CommonSizes::Slot& slot : counters.common_size.slot)
            (slot.size == size || slot.size == read_at_once ? common : strange) += slot.count;
        check_near(file, "reads by size", reads_by_size, counters.reads, under_way);
        check_near(file, "writes by size", writes_by_size, counters.writes, under_way);
        check_near(file, "common sizes", common, counters.reads + counters.writes, under_way);
        if (strange > under_way) say("file {}: {} calls of sizes that were never used", file, strange);
        if (counters.failed != 0) say("file {}: {} calls failed", file, counters.failed);
        check_times("open", counters.first_open, counters.last_open, counters.metadata_time);
        check_times("read", counters.first_read, counters.last_read, counters.read_time);
        check_times("write", counters.first_write, counters.last_write, counters.write_time);
        check_times("close", counters.first_close, counters.last_close, counters.slowest_write.time);
    }

    void check_posix(const PosixRecord& record)
    {
        const unsigned file = names_[record.file];
        check_transfers(file, record, call_write, written_at_once);
        check_count(file, "opens", record.opens, call_open);
        check_count(file, "reads", record.reads, call_read);
        check_count(file, "seeks", record.seeks, call_seek);
        check_count(file, "closes", record.closes, call_close);
        add_to(0, record.file, record);
    }

    void check_stdio(const StdioRecord& record)
    {
        const unsigned file = names_[record.file];
        check_transfers(file, record, call_fwrite, printed_at_once);
        check_count(file, "fopens", record.opens, call_fopen);
        check_count(file, "fcloses", record.closes, call_fclose);
        add_to(1, record.file, record);
    }

    void add_to(std::size_t layer, std::uint64_t file, const Transfers& counters)
    {
        sum_[layer].opens += counters.opens;
        sum_[layer].reads += counters.reads;
        sum_[layer].writes += counters.writes;
        sum_[layer].bytes_written += counters.bytes_written;
        const auto further = further_files_.find(file);
        sum_[layer].files +=
            further == further_files_.end() ? 1 : std::max<std::uint64_t>(further->second, 1);
    }

    void check_totals(std::span<const Totals> totals)
    {
        Totals found[2];
        for (const Totals& total : totals) {
            found[total.layer].opens += total.opens;
            found[total.layer].reads += total.reads;
            found[total.layer].writes += total.writes;
            found[total.layer].bytes_written += total.bytes_written;
            found[total.layer].files += total.files;
        }
        for (std::size_t layer = 0; layer < 2; ++layer)
            if (found[layer].opens != sum_[layer].opens || found[layer].reads != sum_[layer].reads ||
                found[layer].writes != sum_[layer].writes || found[layer].files != sum_[layer].files ||
                found[layer].bytes_written != sum_[layer].bytes_written)
                say("the totals of layer {} are not the sums of its records", layer);
        check_total("opens", found[0].opens, call_open);
        check_total("writes", found[0].writes, call_write);
        check_total("reads", found[0].reads, call_read);
        check_total("fopens", found[1].opens, call_fopen);
        check_total("fwrites", found[1].writes, call_fwrite);
    }

    void check_total(std::string_view what, std::uint64_t count, account_call call)
    {
        const Range allowed = range(account_files, call);
        if (count + missed_ < allowed.least || count > allowed.most)
            say("{} {} in all, made {} to {}, {} calls missed", count, what, allowed.least, allowed.most,
                missed_);
    }

    std::string folder_;
    bool fits_;
    std::uint64_t missed_ = 0;
    std::uint64_t to_ticks_ = 0, birth_ = 0, death_ = 0;
    std::map<std::uint64_t, unsigned> names_;
    std::map<std::uint64_t, std::uint64_t> further_files_;
    Totals sum_[2];
    std::string trouble_;
};

// Starts the program, kills it, reads what it left, over and over, in a folder that is gone afterwards.
class Killer {
  public:
    Killer() : folder_(new_folder()), spool_(folder_ / "spool")
    {
        std::filesystem::create_directory(spool_);
        memory_ = memfd_create("account", 0);
        if (ftruncate(memory_, sizeof(account)) != 0) throw std::runtime_error("ftruncate");
        its_account_ = static_cast<account*>(
            mmap(nullptr, sizeof(account), PROT_READ | PROT_WRITE, MAP_SHARED, memory_, 0));
        if (its_account_ == MAP_FAILED) throw std::runtime_error("mmap");
    }
    ~Killer()
    {
        munmap(its_account_, sizeof(account));
        close(memory_);
        std::filesystem::remove_all(folder_);
    }
    Killer(const Killer&) = delete;
    Killer& operator=(const Killer&) = delete;

    // At once: it is killed on its way to main(), and may leave nothing yet.
    std::string kill_one(unsigned seed, unsigned arena_kib, bool at_once)
    {
        std::mt19937 random(seed);
        Trial trial(folder_, arena_kib > 1024);
        trial.its_account = its_account_;
        std::memset(static_cast<void*>(its_account_), 0, sizeof(account));
        trial.before = Moment::now();
        trial.pid = start(seed, arena_kib);
        if (!at_once)
            while (__atomic_load_n(&its_account_->started, __ATOMIC_ACQUIRE) == 0) {
                if (waitpid(trial.pid, nullptr, WNOHANG) != 0) return "the program ended by itself\n";
                std::this_thread::yield();
            }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % (at_once ? 4000 : 8000)));
        kill(trial.pid, SIGKILL);
        int status = 0;
        waitpid(trial.pid, &status, 0);
        trial.after = Moment::now();
        if (!WIFSIGNALED(status)) return fmt::format("the program ended by itself, status {:#x}\n", status);
        return look(trial, at_once);
    }

    std::uint64_t calls_seen() const { return calls_seen_; }

  private:
    pid_t start(unsigned seed, unsigned arena_kib)
    {
        const std::string descriptor = std::to_string(memory_), number = std::to_string(seed);
        const std::string spool = "FATHOM_SPOOL=" + spool_.string();
        const std::string arena = fmt::format("FATHOM_MEMORY={}", arena_kib);
        const char* const command[] = {ACCOUNTS_PROGRAM, descriptor.c_str(), number.c_str(), nullptr};
        const char* const environment[] = {"LD_PRELOAD=" PRELOAD_LIBRARY, spool.c_str(), arena.c_str(),
                                           nullptr};
        const pid_t child = fork();
        if (child != 0) return child;
        if (chdir(folder_.c_str()) == 0)
            execve(ACCOUNTS_PROGRAM, const_cast<char* const*>(command),
                   const_cast<char* const*>(environment));
        _exit(99);
    }

    std::string look(Trial& trial, bool may_be_nothing)
    {
        std::string trouble;
        unsigned parts = 0;
        for (const auto& file : std::filesystem::directory_iterator(spool_)) {
            std::vector<std::uint64_t> memory(file.file_size() / sizeof(std::uint64_t));
            const auto part = std::as_writable_bytes(std::span(memory));
            std::ifstream(file.path(), std::ios::binary)
                .read(reinterpret_cast<char*>(part.data()), static_cast<std::streamsize>(part.size()));
            if (is_part(part)) {
                ++parts;
                trouble += trial.trouble_with(part);
            }
            std::filesystem::remove(file.path());
        }
        for (const auto& thread : its_account_->tally)
            for (const auto& file : thread)
                for (const tally& one : file) calls_seen_ += one.returned;
        if (parts != 1 && !(may_be_nothing && parts == 0)) trouble += fmt::format("{} parts\n", parts);
        return trouble;
    }

    std::filesystem::path folder_, spool_;
    int memory_ = -1;
    account* its_account_ = nullptr;
    std::uint64_t calls_seen_ = 0;
};

void kill_many(unsigned times, unsigned arena_kib, bool at_once)
{
    const unsigned seed = number_from_environment("FATHOM_TEST_SEED", 1);
    times = number_from_environment("FATHOM_TEST_KILLS", times);
    Killer killer;
    for (unsigned run = 0; run < times; ++run) {
        const std::string trouble = killer.kill_one(seed + run, arena_kib, at_once);
        if (!trouble.empty())
            FAIL_CHECK("FATHOM_TEST_SEED=" << seed + run << " FATHOM_TEST_KILLS=1\n" << trouble);
    }
    INFO(killer.calls_seen() << " calls in all");
    CHECK((at_once || killer.calls_seen() > times));
}

}  // namespace

TEST_CASE("a process that is killed in the middle of an update leaves a part that reads well")
{
    kill_many(400, 4096, false);
}

TEST_CASE("a process that is killed when its part is full leaves one whose totals are whole")
{
    kill_many(300, 256, false);
}

TEST_CASE("a process that is killed before main() leaves a part that reads well, or none")
{
    kill_many(300, 4096, true);
}
