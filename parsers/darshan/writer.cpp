// Lays out records as the newest version of each module has them.
#include "parsers/darshan/writer.h"

#include <algorithm>
#include <stdexcept>

#include "parsers/darshan/header.h"

namespace fathom::darshan {
namespace {

constexpr std::string_view format_version = "3.41";
constexpr std::size_t version_bytes = 8, flags_offset = 24, header_bytes = 1328;
constexpr std::uint32_t lustre_version = 2, heatmap_version = 1;
constexpr std::size_t heatmap_unused_bytes = 16;

// Operations of newer versions have a thread; those before it can be read by more tools.
constexpr std::uint32_t dxt_version(Module module, bool threads)
{
    return (module == Module::dxt_mpiio ? 2 : 1) + (threads ? 1 : 0);
}

std::string filled_up(std::string_view text, std::size_t bytes)
{
    std::string filled(text.substr(0, bytes));
    filled.resize(bytes);
    return filled;
}

template <class Number>
void append(std::string& to, Number number)
{
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

Writer::Writer(const std::string& path, const JobRecord& job) : file_(path), job_text_(job)
{
    const std::string room(header_bytes, '\0');
    file_.write(std::as_bytes(std::span(room)));
    // Where only whole seconds are known, the one that was begun last counts: the run time stays.
    constexpr std::int64_t end_of_second = 999'999'999;
    const std::array<std::int64_t, JobText::numbers> numbers = {job.uid,
                                                                job.start,
                                                                job.has_ns ? job.start_ns : 0,
                                                                job.end,
                                                                job.has_ns ? job.end_ns : end_of_second,
                                                                job.processes,
                                                                job.jobid};
    region_.emplace(file_);
    region_->put(std::span<const std::int64_t>(numbers));
    region_->put(job_text_.metadata);
    region_->put(job_text_.command_and_mounts);
    region_->finish();
    region_.reset();
    names_.offset = file_.size();
}

void Writer::add_name(std::uint64_t id, std::string_view name)
{
    if (module_ != Module::none) throw std::logic_error("names come before records");
    if (!region_) region_.emplace(file_);
    region_->put(id);
    region_->put(name.substr(0, name.find('\0')));
    region_->put_zeros(1);
}

void Writer::end_region()
{
    if (!region_) return;
    (module_ == Module::none ? names_ : slots_[static_cast<std::size_t>(module_)].region) = region_->finish();
    region_.reset();
}

void Writer::begin(Module module, std::uint32_t version)
{
    if (module == module_) return;
    end_region();
    Slot& slot = slots_[static_cast<std::size_t>(module)];
    if (slot.version != 0) throw std::logic_error("the records of a module come together");
    slot.version = version;
    module_ = module;
    region_.emplace(file_);
}

void Writer::add(Module module, const CounterRecord& record)
{
    const Counters* const counters = counters_of(module);
    if (counters == nullptr || record.numbers.size() != counters->numbers.size() ||
        record.times.size() != counters->times.size())
        throw std::logic_error("a record that its module does not have");
    begin(module, counters->version);
    region_->put(record.id);
    region_->put(record.rank);
    if (counters->has_container) region_->put(record.container);
    region_->put(record.numbers);
    region_->put(record.times);
}

void Writer::add(const LustreRecord& record)
{
    begin(Module::lustre, lustre_version);
    region_->put(record.id);
    region_->put(record.rank);
    region_->put(static_cast<std::int64_t>(record.components.size()));
    region_->put(static_cast<std::int64_t>(record.osts.size()));
    for (const LustreComponent& one : record.components) {
        for (const std::int64_t number : {one.stripe_size, one.stripe_count, one.pattern, one.flags,
                                          one.extent_start, one.extent_end, one.mirror})
            region_->put(number);
        region_->put(filled_up(one.pool, pool_bytes));
    }
    region_->put(std::span<const std::int64_t>(record.osts));
}

void Writer::add(const HeatmapRecord& record)
{
    if (record.writes.size() != record.reads.size()) throw std::logic_error("bins of different number");
    begin(Module::heatmap, heatmap_version);
    region_->put(record.id);
    region_->put(record.rank);
    region_->put(record.bin_seconds);
    region_->put(static_cast<std::int64_t>(record.writes.size()));
    region_->put_zeros(heatmap_unused_bytes);
    region_->put(record.writes);
    region_->put(record.reads);
}

void Writer::add(Module module, const DxtRecord& record)
{
    if (module != module_) threads_ = record.has_threads;
    begin(module, dxt_version(module, threads_));
    region_->put(record.id);
    region_->put(record.rank);
    region_->put(record.shared);
    region_->put(filled_up(record.host.substr(0, host_bytes - 1), host_bytes));
    region_->put(record.writes);
    region_->put(record.reads);
}

void Writer::add(const DxtSegment& segment)
{
    region_->put(segment.offset);
    region_->put(segment.length);
    region_->put(segment.start);
    region_->put(segment.end);
    if (threads_) region_->put(segment.thread);
}

void Writer::finish()
{
    end_region();
    std::string header = filled_up(format_version, version_bytes);
    append(header, magic);
    append(header, static_cast<std::uint64_t>(Compression::zlib));  // a byte, then seven that are 0
    header.resize(flags_offset);
    append(header, partial_);
    append(header, names_.offset);
    append(header, names_.length);
    for (const Slot& slot : slots_) {
        append(header, slot.region.offset);
        append(header, slot.region.length);
    }
    for (const Slot& slot : slots_) append(header, slot.version);
    if (header.size() != header_bytes) throw std::logic_error("the header has another size");
    file_.write_at(0, std::as_bytes(std::span(header)));
    file_.finish();
}

}  // namespace fathom::darshan
