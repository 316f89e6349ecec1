// The reduction and the parallel write.
//
// Every record travels to the rank that its file's id names: in round k each rank gives its partner across
// bit k all items whose id differs from its own number there, and merges what it gets. After log2(ranks)
// rounds each file is at one rank, reduced over all that used it, and no rank ever holds more than its share
// of the files and one round's exchange. Shapes of traces go the same way, and so do histograms, to rank 0.
//
// Many files go in several waves, by the highest bits of their ids; the bits below name the rank. Within a
// wave a run that is sorted by id parts in two without being moved, and memory is bounded however many there
// are.
#include "libinterpose/mpi/gather.h"

#include <bit>
#include <cstring>
#include <iterator>
#include <optional>

#include "libinterpose/mpi/failed_path_items.h"
#include "libinterpose/mpi/items.h"
#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/mpi/ranks.h"
#include "libinterpose/mpi/roll_call.h"
#include "libinterpose/mpi/text_items.h"
#include "libinterpose/mpi/timing_items.h"
#include "libinterpose/recording/log_rows.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/recording/world.h"
#include "libinterpose/system/new_file.h"
#include "libinterpose/system/sys.h"
#include "logformat/slice_rows.h"

namespace fathom {
namespace {

// Two buffers that take turns: the run of items so far, and the one being made of it.
class Reduction {
  public:
    explicit Reduction(Ranks& ranks) : ranks_(ranks) {}

    Bytes& run() { return *run_; }

    // What is in the run of each rank ends up in the runs of those whose files they are. The ids of all agree
    // in the highest `known` bits. A rank that fails goes through all rounds with empty hands.
    bool reduce(unsigned known)
    {
        bool good = run_->good();
        if (ranks_.has_proxy()) {
            good = ranks_.exchange(good, run_->view(), received_, ranks_.proxy());
            run_->clear();
            return good;
        }
        if (ranks_.is_proxy()) {
            good = ranks_.exchange(good, {}, received_, ranks_.client()) && good;
            merge_received(run_->view());
        }
        for (unsigned round = 0; 1 << round < ranks_.power(); ++round) {
            auto [keep, give] = split_items(run_->view(), 63 - known - round);
            if ((ranks_.rank() >> round & 1) != 0) std::swap(keep, give);
            good = good && run_->good();
            good = ranks_.exchange(good, give, received_, ranks_.rank() ^ 1 << round) && good;
            merge_received(keep);
        }
        return good && run_->good();
    }

  private:
    void merge_received(RunView kept)
    {
        other_->clear();
        merge_items(kept, received_.view(), *other_);
        std::swap(run_, other_);
        received_.clear();
    }

    Ranks& ranks_;
    Bytes first_, second_, received_;
    Bytes* run_ = &first_;
    Bytes* other_ = &second_;
};

// Where the log goes, as rank 0 sees it; empty for nowhere.
void choose_path(PathText& path, const Process& process)
{
    if (!settings().log.empty()) {
        path << settings().log.view();
        if (!settings().collected) return;
        // One of several logs that `fathom record` will merge: a hidden name beside the final one.
        path.resize(path.view().rfind('/') + 1);
        path << ".fathom-" << settings().job.view() << "-" << process.host << "-" << process.pid << ".mpi";
    } else if (!settings().log_folder.empty()) {
        default_log_path(path, settings().log_folder.view(), process);
    }
}

// A log under its temporary name becomes one under its own, or is removed.
bool publish(bool good, const PathText& temporary, const PathText& path)
{
    // MPI libraries have been seen to report success on a full disk: what counts is what is there.
    good = good && sys::rename(temporary.c_str(), path.c_str()) == 0;
    if (!good) sys::unlink(temporary.c_str());
    return good;
}

// Large logs: all write at once, through MPI-IO, which knows how to on this file system. It opens files by
// name: nobody else must be able to give that name to another file.
bool write_together(Ranks& ranks, const mpi::Constants& constants, const PathText& path, bool good,
                    std::span<const std::byte> mine, std::uint64_t offset)
{
    PathText temporary;
    if (ranks.rank() == 0 && good) {
        const int fd =
            others_may_rename_in_folder_of(path) ? -1 : open_new_beside(path, temporary, settings().log_mode);
        good = fd >= 0;
        if (good) sys::close(fd);
    }
    if (!ranks.tell_all(temporary)) return false;
    const auto give_up = [&] {
        if (ranks.rank() == 0 && !temporary.empty()) sys::unlink(temporary.c_str());
        return false;
    };
    if (!ranks.all(good)) return give_up();
    mpi::Handle file = 0;
    good = mpi::file_open(ranks.comm(), temporary.c_str(), mpi::mode_write_only, constants.info_null,
                          &file) == 0;
    if (!ranks.all(good)) return give_up();
    good =
        mpi::file_write_at_all(file, static_cast<mpi::Offset>(offset), mine.data(),
                               static_cast<int>(mine.size()), constants.byte, constants.status_ignore) == 0;
    good = mpi::file_close(&file) == 0 && good;
    good = ranks.all(good);
    return ranks.all(ranks.rank() != 0 || publish(good, temporary, path));
}

// Small logs: one file opened by 65,536 ranks would take longer than sending the bytes to one of them.
bool write_alone(Ranks& ranks, const PathText& path, bool good, Bytes& log)
{
    good = ranks.collect(log) && good;
    if (ranks.rank() == 0) {
        PathText temporary;
        const int fd = good ? open_new_beside(path, temporary, settings().log_mode) : -1;
        good = fd >= 0 && sys::write_whole(fd, log.view());
        if (fd >= 0) sys::close(fd);
        good = fd >= 0 && publish(good, temporary, path);
    }
    return ranks.all(good);
}

// Encodes what is in these runs, files some at a time.
bool encode_runs(Encoder& encoder, RunView runs, PartRows& rows)
{
    constexpr std::size_t most_files = 8192;
    RowsOfItems files(runs);
    while (files.next(most_files, rows)) encode_files(encoder, rows);
    read_timings(runs, rows);
    read_failed_paths(runs, rows);
    encode_timings(encoder, rows);
    return files.good() && rows.good();
}

// The waves in which items are reduced, as a number of bits: by the rank that has most of them.
constexpr unsigned most_wave_bits = 7;
unsigned waves_for(std::uint64_t part_bytes)
{
    constexpr std::uint64_t most_per_wave = 16 << 20;
    return std::min(most_wave_bits, static_cast<unsigned>(std::bit_width((part_bytes - 1) / most_per_wave)));
}

// Reduces what the ranks have in common and encodes what ends up here.
bool reduce_and_encode(Ranks& ranks, PartReader& reader, PartRows& own, unsigned wave_bits, Encoder& encoder)
{
    constexpr std::size_t most_waiting = 8 << 20;
    Bytes waves[1 << most_wave_bits], waiting;
    const auto wave_of = [&](std::uint64_t id) -> Bytes& {
        return waves[wave_bits == 0 ? 0 : id >> (64 - wave_bits)];
    };
    FileRecords file;
    while (reader.next(file)) append_items(file, wave_of(file.name.file));
    reader.make_totals();
    for (const Layout& layout : own.layouts.as<Layout>()) append_layout(layout, wave_of(layout.file));
    for (const Hints& hints : own.hints.as<Hints>()) append_hints(hints, wave_of(hints.file));
    append_failed_paths(own, wave_of(0));
    append_histograms(own.operations.as<OperationTimes>(), own.durations.as<DurationBin>(), wave_of(0));
    append_shapes(own.trace_shapes.as<TraceShape>(), wave_of);

    Reduction reduction(ranks);
    PartRows rows;
    bool good = true;
    for (std::size_t wave = 0; wave < std::size_t{1} << wave_bits; ++wave) {
        reduction.run().clear();
        good = waves[wave].good() && sort_items(waves[wave].view(), reduction.run()) && good;
        waves[wave].release();
        good = reduction.reduce(wave_bits) && good;
        waiting.append(reduction.run().view());
        if (waiting.size() < most_waiting) continue;
        good = encode_runs(encoder, waiting.view(), rows) && good;
        waiting.clear();
    }
    return encode_runs(encoder, waiting.view(), rows) && waiting.good() && good;
}

// A job of very many ranks keeps few slices of each.
void bound_slices(PartRows& own, int ranks)
{
    const std::size_t left =
        coarsen(own.slices.as<Slice>(), slice_rows_of_each(static_cast<std::size_t>(ranks)));
    own.slices.shrink(left * sizeof(Slice));
}

// The header of the log and what is said once for the job.
void encode_beginning(Encoder& encoder, const Process& process)
{
    FixedText<8192> version;  // MPI_MAX_LIBRARY_VERSION_STRING is 256 in Open MPI, 8192 in MPICH
    int length = 0;
    if (mpi::library_version(version.data(), &length) == 0)
        version.resize(std::strcspn(version.c_str(), "\n"));  // MPICH goes on with how it was built
    encoder.begin();
    encode_job(encoder, process.command, version.view());
}

bool gather(const mpi::Constants& constants, bool has_part)
{
    Ranks ranks(constants, static_cast<int>(world.rank), static_cast<int>(world.size));
    if (!ranks.good()) return false;
    const PartHeader& header = arena.header();
    ClockMap clock;
    PartRows own;
    PathText path;
    std::optional<PartReader> reader;
    if (has_part) {
        clock = own_clock(header);
        reader.emplace(arena.bytes(), clock, world.rank, own);
    }
    bool good = reader.has_value() && reader->good();
    if (good && ranks.rank() == 0) {
        choose_path(path, *own.process());
        good = !path.empty();
    }
    // The largest part is the one that leaves least.
    std::uint64_t mine[] = {good ? std::uint64_t{1} : 0, good ? UINT64_MAX - header.used.load() : 0,
                            sys::file_size_limit()};
    std::uint64_t least[std::size(mine)] = {};
    const std::uint64_t came = clock.instant(ticks_now(header.clock));
    if (!ranks.least(mine, least) || least[0] == 0) return false;
    const std::uint64_t went_on = clock.instant(ticks_now(header.clock));
    const std::uint64_t largest_part = UINT64_MAX - least[1], file_size_limit = least[2];

    Process& process = *own.process();
    process.ending = static_cast<std::uint64_t>(Ending::finalized);
    process.end = clock.instant(ticks_now(header.clock));
    // No rank goes on before the last one has come: this is one moment, by the clocks of all nodes.
    process.met_error = (std::max(came, went_on) - came + 1) / 2;
    process.met = came + process.met_error;
    Bytes log;
    Encoder encoder(log);
    if (ranks.rank() == 0) encode_beginning(encoder, process);
    good = reduce_and_encode(ranks, *reader, own, waves_for(largest_part), encoder);
    bound_slices(own, ranks.size());
    encode_process(encoder, own);
    good = good && own.good() && encoder.good() && log.size() < Ranks::most_per_message;

    // The end block counts the blocks of all ranks; the one whose blocks come last appends it.
    Ranks::Sums before, total;
    if (!ranks.sums({{log.size(), encoder.blocks(), good ? std::uint64_t{0} : 1}}, before, total))
        return false;
    const auto [bytes, blocks, failed] = total.value;
    if (failed > 0 || bytes >= file_size_limit / 2) return false;
    if (before.value[0] + log.size() == bytes) encoder.end(blocks);
    if (!ranks.tell_all(path)) return false;
    constexpr std::uint64_t small = 4 << 20;
    const bool written =
        bytes <= small ? write_alone(ranks, path, encoder.good(), log)
                       : write_together(ranks, constants, path, encoder.good(), log.view(), before.value[0]);
    if (!written) return false;

    arena.header().log = arena.add_text(path.view());
    arena.header().ending = Ending::finalized;
    world.gathered = true;
    return true;
}

}  // namespace

void gather_at_finalize()
{
    const auto leave = [](std::string_view why) {
        if (enter()) arena.header().not_gathered = arena.add_text(why);
    };
    const mpi::Constants* const constants = mpi::constants();
    if (constants == nullptr) return leave("this MPI library is of no kind that Fathom knows");
    if (world.size == 0 || world.pid != this_process()) return;
    if (!every_rank_is_recorded()) return leave("it is not certain that every rank was recorded");
    // The others wait for this rank, whatever it may do.
    const bool has_part = enter() && !is_confined();
    const std::uint64_t epoch = pause_recording();
    const bool written = gather(*constants, has_part);
    resume_recording(written ? 0 : epoch);
    if (written) return;
    const bool nowhere = settings().log.empty() && settings().log_folder.empty();
    leave(nowhere ? "no place for a log was named" : "MPI_Finalize could not write the log");
}

}  // namespace fathom
