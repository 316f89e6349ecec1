// For each configuration: the state, the loops, what the kernel counted, and on to whoever takes it.
#include "analyzer/timing/measure/measurement.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <stdexcept>
#include <tuple>
#include <unistd.h>
#include <vector>

#include "analyzer/timing/measure/buffer.h"
#include "analyzer/timing/measure/clock.h"
#include "analyzer/timing/measure/estimate.h"
#include "analyzer/timing/measure/files.h"
#include "analyzer/timing/measure/page_cache.h"
#include "analyzer/timing/measure/room.h"
#include "analyzer/timing/measure/team.h"

namespace fathom::measure {
namespace {

double seconds_since(std::uint64_t begin)
{
    return static_cast<double>(now() - begin) / 1e9;
}

// Of what is random in one run: other than in any other run.
std::uint64_t seed_of(std::uint64_t seed, const Configuration& one, std::size_t thread, bool of_memory)
{
    std::seed_seq mix{seed & 0xffffffff,
                      seed >> 32,
                      static_cast<std::uint64_t>(one.state),
                      static_cast<std::uint64_t>(one.operation),
                      static_cast<std::uint64_t>(one.memory),
                      static_cast<std::uint64_t>(one.file),
                      one.size,
                      std::uint64_t{one.threads},
                      std::uint64_t{one.repeat},
                      std::uint64_t{thread},
                      std::uint64_t{of_memory}};
    std::uint32_t halves[2];
    mix.generate(halves, halves + 2);
    return std::uint64_t{halves[0]} << 32 | halves[1];
}

std::uint64_t pages_touched(std::span<const Sample> samples, std::uint64_t size, std::uint64_t page)
{
    std::uint64_t pages = 0;
    for (const Sample& one : samples) pages += (one.offset + size - 1) / page - one.offset / page + 1;
    return pages;
}

// Runs that follow one another with the data in one state.
auto phase_of(const Configuration& one)
{
    return std::tuple(one.threads, one.repeat, one.state);
}

void complain(const std::string& where, const Configuration& one, const Sample& last, const LoopEnd& end)
{
    const std::string what = fmt::format("{}: a {} of {} bytes at offset {}", where, name_of(one.operation),
                                         one.size, last.offset);
    if (end.returned < 0)
        throw std::runtime_error(
            fmt::format("{} ({}) failed: {}; try another folder, or leave that out with --states or --sizes",
                        what, name_of(one.state), std::strerror(end.error)));
    throw std::runtime_error(
        fmt::format("{} ({}) moved {} bytes; try another folder", what, name_of(one.state), end.returned));
}

class Measurement {
  public:
    Measurement(const Settings& settings, const Results& results, const std::atomic<bool>& stop,
                Progress& progress)
        : settings_(settings),
          results_(results),
          stop_(stop),
          progress_(progress),
          all_(configurations_of(settings.grid)),
          outlook_(all_, settings.grid.limits),
          page_(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))),
          in_memory_(disk_room(settings.folder).in_memory),
          buffer_(settings.buffer_size, settings.seed),
          zero_(open("/dev/zero", O_RDONLY | O_CLOEXEC)),
          null_(open("/dev/null", O_WRONLY | O_CLOEXEC))
    {}

    void run()
    {
        tick_ = progress_.stage("measuring", {false, "s"});
        const Configuration* before = nullptr;
        for (const Configuration& one : all_) {
            if (one.state != State::discard && (!files_ || files_->count() != one.threads))
                make_files(one.threads);
            if (stop_) return;
            begin_ = now();
            tell();
            if (before == nullptr || phase_of(*before) != phase_of(one)) begin_phase(one);
            before = &one;
            run_one(one);
            outlook_.done(one, seconds_since(begin_));
            measured_ += seconds_since(begin_);
        }
    }

  private:
    void make_files(unsigned threads)
    {
        files_.reset();  // their room is needed
        std::uint64_t done = 0;
        const Tick tick = progress_.stage("writing the files", work_in_bytes);
        files_.emplace(settings_.folder, threads, settings_.file_size, settings_.seed, stop_,
                       [&](std::uint64_t bytes) { tick(done += bytes, settings_.file_size); });
        tick_ = progress_.stage("measuring", {false, "s"});
        measured_ = 0;
    }

    void tell()
    {
        const double done = measured_ + seconds_since(begin_);
        const double all = std::max(done, measured_ + outlook_.seconds_left());
        tick_(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(all) + 1);
    }

    // Memory that lay idle since the last runs of this state may have to be had again from a hypervisor: that
    // is no part of an access.
    void begin_phase(const Configuration& first) const
    {
        buffer_.touch();
        if (first.state == State::cached) files_->read_all(stop_);
    }

    void bring_into_state(const Configuration& one, How how) const
    {
        if (one.state == State::discard) return;
        if (one.state == State::cached)
            files_->take_into_cache(stop_);
        else
            files_->take_out_of_cache(settings_.drop_caches_of_machine);
        files_->prepare(how == How::direct, how != How::dropped);
    }

    int descriptor(const Configuration& one, std::size_t thread) const
    {
        if (one.state != State::discard) return files_->descriptor(thread);
        return one.operation == Operation::read ? zero_.number() : null_.number();
    }

    std::vector<Task> tasks_of(const Configuration& one, How how)
    {
        const Limits& limits = settings_.grid.limits;
        const std::uint64_t align = how == How::direct ? files_->alignment() : 1;
        const std::uint64_t in_file = share_of_thread(settings_.file_size, one.threads),
                            in_memory = share_of_thread(settings_.buffer_size, one.threads);
        const Manner manner = how == How::dropped  ? Manner::dropped_before
                              : how == How::synced ? Manner::synced
                                                   : Manner::plain;
        std::vector<Task> tasks;
        samples_.resize(std::max<std::size_t>(samples_.size(), one.threads));
        for (std::size_t thread = 0; thread < one.threads; ++thread) {
            samples_[thread].resize(planned_operations(one, limits));
            tasks.push_back({.loop = {.file = descriptor(one, thread),
                                      .operation = one.operation,
                                      .manner = manner,
                                      .size = one.size,
                                      .buffer = buffer_.data() + thread * in_memory,
                                      .longest = static_cast<std::uint64_t>(limits.seconds * 1e9),
                                      .least = limits.least},
                             .file = Places(one.file, one.size, in_file, align,
                                            seed_of(settings_.seed, one, thread, false)),
                             .memory = Places(one.memory, one.size, in_memory, align,
                                              seed_of(settings_.seed, one, thread, true)),
                             .samples = samples_[thread]});
        }
        return tasks;
    }

    void run_one(const Configuration& one)
    {
        const bool files = one.state != State::discard;
        const How how = how_of(one, settings_.uncached, files ? files_->alignment() : 0, page_);
        bring_into_state(one, how);
        if (stop_) return;
        std::vector<Task> tasks = tasks_of(one, how);
        Observed seen;
        seen.how = how;
        seen.in_memory = in_memory_;
        if (files) seen.resident_before = files_->resident();
        const auto before = io_counters();
        const std::vector<LoopEnd> ends = run_together(tasks, stop_, [this] { tell(); });
        const auto after = io_counters();
        if (files) seen.resident_after = files_->resident();
        if (before && after) {
            seen.read_bytes = after->read_bytes - before->read_bytes;
            seen.write_bytes = after->write_bytes - before->write_bytes;
        }
        if (files && one.operation == Operation::write) files_->settle();
        hand_on(one, tasks, ends, seen);
    }

    void hand_on(const Configuration& one, std::span<const Task> tasks, std::span<const LoopEnd> ends,
                 Observed& seen) const
    {
        for (std::size_t thread = 0; thread < ends.size(); ++thread) {
            const std::span<const Sample> made = tasks[thread].samples.first(ends[thread].done);
            seen.operations += made.size();
            seen.planned += tasks[thread].samples.size();
            seen.page_bytes += page_ * pages_touched(made, one.size, page_);
            results_.samples(one, static_cast<unsigned>(thread), made);
        }
        seen.bytes = seen.operations * one.size;
        results_.check({one, seen, judge(one, seen, page_)});
        for (std::size_t thread = 0; thread < ends.size(); ++thread)
            if (ends[thread].failed)
                complain(settings_.folder, one, tasks[thread].samples[ends[thread].done], ends[thread]);
    }

    const Settings& settings_;
    const Results& results_;
    const std::atomic<bool>& stop_;
    Progress& progress_;
    const std::vector<Configuration> all_;
    Outlook outlook_;
    const std::uint64_t page_;
    const bool in_memory_;
    const Buffer buffer_;
    const Descriptor zero_, null_;
    std::optional<Files> files_;
    std::vector<std::vector<Sample>> samples_;  // of each thread
    Tick tick_;
    double measured_ = 0;      // seconds, of the runs that are done
    std::uint64_t begin_ = 0;  // of the run that goes on
};

}  // namespace

void measure(const Settings& settings, const Results& results, const std::atomic<bool>& stop,
             Progress& progress)
{
    Measurement(settings, results, stop, progress).run();
}

}  // namespace fathom::measure
