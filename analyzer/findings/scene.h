// What the rules look at: a job, the sums that several of them need, and what a stretch of I/O time cost the
// run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/certain_work.h"
#include "analyzer/findings/lost_time.h"
#include "analyzer/findings/turns.h"
#include "analyzer/job/class_sizes.h"
#include "analyzer/job/datasets.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/job.h"
#include "analyzer/job/layer_sums.h"
#include "analyzer/job/operation_classes.h"

namespace fathom {

struct AdvisedProgram;

// How many operations there were and how long they took, in nanoseconds over all processes; of those that
// were under way side by side, how long any was.
struct OperationSum {
    std::uint64_t operations = 0, time = 0;

    void add(const OperationSum& other)
    {
        operations += other.operations;
        time += other.time;
    }
};

// Reads or writes of MPI-IO; `together`: the collective ones among them.
struct CallsOfRanks {
    std::uint64_t all = 0, together = 0;
};

// A file with its records, as both layers saw it.
struct FileCase {
    const FileUse* use = nullptr;
    std::span<const RecordView> records;

    bool shared() const { return use->application().users().count > 1; }
    std::uint64_t in_posix(std::uint64_t PosixCounters::*counter) const;  // the sum of all records
    CallsOfRanks calls_of_ranks(Direction direction) const;
    // Whether most of these were collective, which are as slow as the slowest of those that do their work.
    bool is_collective(Direction direction) const
    {
        const CallsOfRanks calls = calls_of_ranks(direction);
        return calls.together > calls.all / 2;
    }
    // Whether it holds text: by a sample of its data (Content), where the log has one, else by its name.
    bool holds_text() const;
    // Whether that sample was mostly numbers as text. False also where there is none.
    bool holds_numbers() const;
    // Whether it was mostly text of other kinds, such as messages.
    bool holds_words() const;
    // Whether it is a database of SQLite: by its name, unless what is written are lines of text.
    bool is_of_sqlite() const;
    // Whether this program moves its data by SQLite, which a compiled one may have inside: it locks the file.
    bool is_moved_by_sqlite(const AdvisedProgram& program) const;
    // ns in calls that wait for the device.
    double time_in_syncs() const;
    // Whether it was read while more was written behind its end, as a log is that somebody follows.
    bool grows_while_read() const;
    // Whether all of it goes to the same few bytes again and again, as to a counter: there is no order in
    // that.
    bool is_one_place() const;
    // Whether it stands for many: each was made under this name, and then given another one of its own.
    bool is_many_renamed() const;
};

struct Scene {
    explicit Scene(const Job& of);

    const Job& job;
    const LayerSums& sums;
    TimeUse use;
    std::vector<FileCase> files;  // regular files, and those beyond the room of a process
    Datasets datasets;            // of HDF5 and PnetCDF
    std::vector<CertainWork> certain_work;
    double run = 0;         // s: run time of the job
    double io = 0;          // s: what of it the slowest rank spent in I/O, no more than `run`
    double clock_cost = 0;  // ns that the recorder adds to the time of each call
    double stretched = 1;   // by how much longer computing took than with cores of its own
    double at_a_time = 1;   // processes that ran at a time; ranks are weighed by the slowest instead

    // Seconds of the run that so many nanoseconds of I/O time, summed over all processes, cost: by how much
    // of its time in I/O the slowest rank would be spared if every rank's shrank alike. Without ranks: the
    // time divided by how many processes ran side by side.
    double cost(double nanoseconds) const;
    // The same where it is known which ranks they are of (METHODS, section 9): a rank's own time counts whole
    // where the others wait for that rank, and not at all where it waits for another. `nanoseconds` of all
    // those, which are taken to lie on the ranks as `lost` does.
    double cost(const LostTime& lost, double nanoseconds) const;
    double cost(const LostTime& lost) const { return cost(lost, lost.total()); }
    // The same of time in calls of HDF5 and PnetCDF, which is more than I/O: what these libraries spend
    // themselves counts beside each rank's I/O.
    double cost_in_libraries(const LostTime& lost) const;

    // How many of the processes without MPI that lost this time ran at a time, where it is most of their
    // lives: what ran beside them, as at the other end of a pipe, waited for them.
    double beside_each_other(const LostTime& lost) const;
    // Seconds of the run of what is not in the time in I/O: of the rank with most.
    double cost_beyond_io(const LostTime& lost) const;

    // ns that the process of a record worked on so many of the bytes that it moved, as they came: between
    // calls that followed one another closely, as where text is taken apart. 0 where the log does not show
    // it, and of large files that are read in large requests, but for text and what is compressed. With `any`
    // also in pauses of some 50 ms, as where a whole is made anew each time.
    enum class Pauses { short_ones, any };
    double work_on(const FileCase& file, const RecordView& record, double bytes,
                   Pauses pauses = Pauses::short_ones) const;

    // ns that the process of a record computed while it kept the file open (Transfers::held_time), beside
    // calls on the file: what a library does around an open takes up to some ms, at most `most_each` ns with
    // a core of its own, and more where it reads a long index. What takes longer is the program's own, then
    // it is 0, as where the log does not show it.
    double work_while_open(const FileCase& file, const RecordView& record, double most_each = 5e6) const;
    // The same of a file of text, or that is compressed, read three times and more, while so many of its
    // bytes were read: at most 1 µs a byte, as where an interpreter takes lines apart. What takes longer is
    // the program's own, then it is 0. Whatever the name, where Python read it in blocks as pandas does,
    // which takes tables apart by a compiled library: at most 100 ns a byte. So does what Fortran reads by
    // its buffer for text, and what is inflated by HDF5 inside of the program, of which it may be open all
    // the time: then 100 ns a byte, or 20, no more.
    enum class TakenApart { by_others, by_python, by_script, by_fortran, by_hdf5 };
    double work_on_text(const FileCase& file, const RecordView& record, double bytes, TakenApart by) const;
    // ns that it computed while it had the file open, to make what it wrote, or numbers of the text that it
    // read: at most 1 µs a byte by an interpreter, 0.1 µs by others. What takes longer is the program's own,
    // then it is 0.
    double work_on_whole(const FileCase& file, const RecordView& record, bool interpreted) const;
    // ns that a compiled program computed while it had the file open, no more than to make text of numbers,
    // or numbers of text, takes.
    double work_on_numbers(const FileCase& file, const RecordView& record) const;
    // ns that this takes at most: 40 ns a byte that is written, 25 ns one that is read, with a core of its
    // own (printf, scanf; assumed).
    double most_on_numbers(std::uint64_t bytes_read, std::uint64_t bytes_written) const;
    // ns that it computed while it had the file open; of a tool that found it open, as with > FILE, all that
    // it computed.
    double computed_for(const FileCase& file, const RecordView& record) const;
    // ns between calls of a process that followed one another closely. 0 where the log does not show it.
    double between_calls(std::size_t rank, Pauses pauses = Pauses::short_ones) const
    {
        return (pauses == Pauses::any ? between_long_ : between_)[rank];
    }
    // ns that a process computed, waiting for a core included: the most that such work may be over all files.
    double most_computed(std::size_t rank) const;

    // Nanoseconds in one direction of the process with most time in the file: of collective MPI-IO, what all
    // ranks wait for (system's view).
    static double longest(const FileView& view, Direction direction);

    // Operations on files in one layer: of a kind, and of one class of sizes.
    OperationSum operations(Layer layer, Kind kind) const;
    OperationSum operations(Layer layer, Kind kind, std::size_t size_class) const;
    // ns of the latter, but for what some of them waited for a disk: as many requests that are larger would
    // wait as well. Waiting for a core is in proportion to the time that a core is needed, so it counts.
    double steady_time(Layer layer, Kind kind, std::size_t size_class) const;
    // The same of reads of POSIX that follow one another: what waited for the disk behind those that were
    // read ahead would wait in larger requests as well, on a busy machine too.
    double read_in_order(std::size_t size_class) const;
    // Whether these sums are of all operations of that layer and kind: other tools time reads and writes
    // alone, and not of every file.
    bool times(Layer layer, Kind kind) const;
    // Bytes of one such operation, as far as the log shows: the middle of the class where it does not.
    double size_of(Layer layer, Kind kind, std::size_t size_class) const;

    // Nanoseconds a byte that requests over 1 MiB took in POSIX, or in stdio where POSIX has too few: by
    // their median in each class of sizes, since one that stalled says nothing of the others.
    struct Reference {
        double ns_per_byte = 0;
        bool measured =
            false;  // false: assumed_rate, about which nothing is known but what smaller requests took
        double observed = 0;  // then: ns per byte of the quickest class of sizes that was; 0: none
        std::string words;  // "as fast as the 1.2 GiB in requests of over 1 MiB, 900 MiB/s": ends a sentence
    };
    // What is known for certain of `ns` that so many requests of so many bytes took beyond the reference
    // rate. Those of a few bytes take far longer than these would on any storage; those that memory serves,
    // at once, than these would there.
    double at_least(Direction direction, double ns, double requests, double bytes) const
    {
        constexpr double on_slow_storage = 40, at_once = 4e3;  // ns a byte: 24 MiB/s; ns
        // 4 and 1.3 GiB/s: for what is written the system may have to find new memory.
        const double in_memory = direction == Direction::read ? 0.25 : 0.75;
        const Reference& known = reference(direction);
        if (known.measured) return std::max(ns - bytes * known.ns_per_byte, 0.0);
        double each = ns < at_once * stretched * requests ? in_memory : on_slow_storage;
        if (known.observed > 0) each = std::min(each, known.observed);
        return std::max(ns - bytes * each, 0.0);
    }
    // s that a slow link, of 400 Mbit/s, takes for these bytes, which wait for it in any case; none on a file
    // system of the node's own, or where that is not known.
    double over_slow_link(const FileUse& file, double bytes) const;
    // What of a cost, in s, remains then.
    double beyond_slow_link(const FileUse& file, double cost, double bytes) const
    {
        return std::max(cost - over_slow_link(file, bytes), 0.0);
    }
    const Reference& reference(Direction direction) const
    {
        return references_[static_cast<std::size_t>(direction)];
    }

    Turns turns;  // in which ranks waited for each other, where they did

    // Writes whose time includes that of syncs, which the log does not separate.
    bool syncs_in_writes = false;

    std::string_view members() const { return job.mpi ? "ranks" : "processes"; }
    std::string_view member() const { return job.mpi ? "rank" : "process"; }

  private:
    void leave_out_overlap();
    double computed_while_open(const FileCase& file, const RecordView& record) const;  // ns
    Reference measure_reference(Direction direction, const ClassBins& bins) const;
    // By records of files that have no smaller requests, where there are no durations.
    std::optional<Reference> reference_by_records(Direction direction) const;
    // By what was measured of this file system, where the report was given that.
    std::optional<Reference> reference_by_rates(Direction direction, const ClassBins& bins) const;

    std::array<std::array<OperationSum, histogram_count>, layers> operations_{};
    std::array<std::array<double, histogram_count>, layers> steady_{};
    std::array<double, SizeHistogram::classes> read_in_order_{};
    std::array<double, kind_count> overlap_{};  // of POSIX; 1: one operation at a time
    // By rank: ns in which some thread was inside of an I/O call, and its part of the sum over the threads.
    std::vector<double> in_io_, alone_;
    std::vector<double> in_libraries_;  // ns of HDF5 and PnetCDF themselves
    std::vector<double> between_, between_long_;
    // By rank: ns that it was in I/O on files while each other rank was less so, by time bins; not for logs
    // that do not separate the ranks.
    std::vector<double> waited_for_;
    // Where the log does not have that of shared files: in files of its own.
    std::vector<double> in_own_files_;
    std::array<Reference, 2> references_;
    ClassSizes class_sizes_;
    bool timed_ = false;
};

// A page of memory is copied about as fast: what a request has to take at least where the log has no large
// ones.
inline constexpr double assumed_rate_mib = 2048;

}  // namespace fathom
