// Makes rows of a part: converts its clock, merges the threads of each file, sums per layer and scope.
#include "logformat/part/part_rows.h"

#include <algorithm>

#include "logformat/blocks/columns.h"

namespace fathom {
namespace {

// Walks the chunks that were finished. A hole is where a thread died between taking room and marking it.
class Chunks {
  public:
    explicit Chunks(std::span<const std::byte> part) : part_(part)
    {
        const auto& header = *reinterpret_cast<const PartHeader*>(part.data());
        end_ = std::min<std::uint64_t>(header.used.load(std::memory_order_acquire), part.size());
        at_ = sizeof(PartHeader);
    }

    const ChunkHeader* next()
    {
        for (at_ = round_up(at_); at_ + sizeof(ChunkHeader) <= end_; at_ += chunk_alignment) {
            const auto* const chunk = reinterpret_cast<const ChunkHeader*>(part_.data() + at_);
            const std::uint32_t mark = chunk->mark.load(std::memory_order_acquire);
            if (mark != chunk_mark && mark != adding_mark) continue;
            if (chunk->bytes < least_size(*chunk) || chunk->bytes > end_ - at_) continue;
            at_ += chunk->bytes;
            return chunk;
        }
        return nullptr;
    }

    static std::size_t least_size(const ChunkHeader& chunk)
    {
        switch (chunk.kind) {
            case ChunkKind::name:
                return sizeof(NameChunk);
            case ChunkKind::thread:
                return sizeof(ThreadChunk);
            case ChunkKind::text:
                return sizeof(TextChunk);
            case ChunkKind::sketch:
                return sizeof(SketchChunk);
            case ChunkKind::deaths:
                return sizeof(DeathsChunk);
            case ChunkKind::starts:
                return sizeof(StartsChunk);
            case ChunkKind::histogram:
                return sizeof(HistogramChunk);
            case ChunkKind::octave:
                return sizeof(OctaveChunk);
            case ChunkKind::slices:
                return sizeof(SlicesChunk);
            case ChunkKind::trace:
                return sizeof(TraceChunk);
            case ChunkKind::trace_work:
                return sizeof(TraceWork);
            case ChunkKind::trace_bytes:
                return sizeof(TraceBytesChunk);
            case ChunkKind::trace_places:
                return sizeof(TracePlacesChunk);
            case ChunkKind::layout:
                return sizeof(LayoutChunk);
            case ChunkKind::hints:
                return sizeof(HintsChunk);
            case ChunkKind::failures:
                return sizeof(FailuresChunk);
            case ChunkKind::collectives:
                return sizeof(CollectivesChunk);
            case ChunkKind::statements:
                return sizeof(StatementsChunk);
            case ChunkKind::data_file:
                return sizeof(CountersOf<DataFileCounters>);
            case ChunkKind::dataset:
                return sizeof(CountersOf<DatasetCounters>);
            case ChunkKind::counters:
                switch (chunk.layer) {
                    case Layer::posix:
                        return sizeof(CountersOf<PosixCounters>);
                    case Layer::stdio:
                        return sizeof(CountersOf<StdioCounters>);
                    case Layer::mpiio:
                        return sizeof(CountersOf<MpiioCounters>);
                }
        }
        return SIZE_MAX;
    }

  private:
    static std::uint64_t round_up(std::uint64_t at)
    {
        return (at + chunk_alignment - 1) & ~(chunk_alignment - 1);
    }

    std::span<const std::byte> part_;
    std::uint64_t at_ = 0, end_ = 0;
};

const NameChunk* name_at(std::span<const std::byte> part, std::uint64_t at)
{
    if (at == 0 || at % chunk_alignment != 0 || at > part.size() || part.size() - at < sizeof(NameChunk))
        return nullptr;
    const auto* const name = reinterpret_cast<const NameChunk*>(part.data() + at);
    if (name->header.mark.load(std::memory_order_acquire) != chunk_mark ||
        name->header.kind != ChunkKind::name)
        return nullptr;
    if (name->length > part.size() - at - sizeof(NameChunk)) return nullptr;
    return name;
}

const HintsChunk* hints_at(std::span<const std::byte> part, std::uint64_t at)
{
    if (at == 0 || at % chunk_alignment != 0 || at > part.size() || part.size() - at < sizeof(HintsChunk))
        return nullptr;
    const auto* const set = reinterpret_cast<const HintsChunk*>(part.data() + at);
    if (set->header.mark.load(std::memory_order_acquire) != chunk_mark ||
        set->header.kind != ChunkKind::hints)
        return nullptr;
    if (std::size_t{set->asked} + set->used > part.size() - at - sizeof(HintsChunk)) return nullptr;
    return set;
}

template <class Row>
void convert_times(Row& row, const ClockMap& clock)
{
    each_time(row, [&](std::uint64_t& value, Unit unit) {
        value = unit == Unit::duration ? clock.duration(value) : clock.instant(value);
    });
}

// Joins stretches that overlap or lie less than the gap apart; in place, returns how many are left.
std::size_t join(std::span<Burst> bursts, std::uint64_t gap)
{
    constexpr std::uint64_t first_gap = 1'000'000;  // ns: between those that stay as they were
    std::sort(bursts.begin(), bursts.end(), [](const Burst& a, const Burst& b) { return a.start < b.start; });
    std::size_t kept = 0;
    for (const Burst& burst : bursts) {
        const std::uint64_t pause = kept <= first_bursts ? std::min(gap, first_gap) : gap;
        if (kept > 0 && burst.start <= bursts[kept - 1].end + pause)
            bursts[kept - 1].end = std::max(bursts[kept - 1].end, burst.end);
        else
            bursts[kept++] = burst;
    }
    return kept;
}

}  // namespace

template <class Counters>
void share_alone(Record<Counters>& record, std::int64_t process)
{
    ProcessShare share{process, record.metadata_time, 0};
    // Of a library's file only what is no dataset's is counted: it moves no bytes of its own.
    if constexpr (!std::is_same_v<Counters, DataFileCounters>) {
        share.time += record.read_time + record.write_time;
        share.bytes = record.bytes_read + record.bytes_written;
        record.readers = record.bytes_read > 0;
        record.writers = record.bytes_written > 0;
    }
    record.process = process;
    record.processes = 1;
    static_cast<ProcessShare&>(record.slowest) = share;
    static_cast<ProcessShare&>(record.fastest) = share;
    record.time = Moments::of(share.time);
    record.bytes = Moments::of(share.bytes);
}
template void share_alone(PosixRecord&, std::int64_t);
template void share_alone(StdioRecord&, std::int64_t);
template void share_alone(MpiioRecord&, std::int64_t);
template void share_alone(DataFileRecord&, std::int64_t);
template void share_alone(DatasetRecord&, std::int64_t);

PartReader::PartReader(std::span<const std::byte> part, const ClockMap& clock, std::int64_t number,
                       PartRows& rows)
    : part_(part), clock_(clock), number_(number), rows_(rows)
{
    Process* const row = rows_.processes.append_array<Process>(1);
    if (row == nullptr) return;
    const auto& header = *reinterpret_cast<const PartHeader*>(part.data());
    Process& process = *row = {};
    process.process = number_;
    process.rank = header.rank;
    process.ranks = header.ranks;
    process.task = header.task.number;
    process.tasks = header.task.count;
    process.pid = header.pid;
    process.parent = header.parent;
    process.start = header.start_ns;
    process.end = clock_.instant(header.end_ticks);
    process.ending = static_cast<std::uint64_t>(header.ending);
    process.status = header.status;
    process.initialized = clock_.instant(header.init_ticks);
    process.finalized = clock_.instant(header.finalize_ticks);
    process.missed = header.missed.load(std::memory_order_relaxed);
    process.clock_cost = clock_.duration(header.clock_cost);
    process.cpu_time = header.cpu_time;
    process.core_wait = header.core_wait;
    process.major_faults = header.major_faults;
    process.minor_faults = header.minor_faults;
    process.host = part_text(part_, header.host);
    process.program = part_text(part_, header.program);
    process.command = part_text(part_, header.command);
    process.build = part_text(part_, header.build);
    process.libraries = part_text(part_, header.libraries);

    process.untraced = header.untraced.load(std::memory_order_relaxed);
    process.untimed = header.untimed.load(std::memory_order_relaxed);

    Chunks chunks(part_);
    PartTimes times(part_, clock_);
    PartTrace trace(part_, clock_);
    while (const ChunkHeader* chunk = chunks.next()) {
        if (chunk->kind == ChunkKind::thread) {
            add_thread(*reinterpret_cast<const ThreadChunk*>(chunk), process);
            times.add(*reinterpret_cast<const ThreadChunk*>(chunk));
        }
        if (chunk->kind == ChunkKind::histogram) times.add(*reinterpret_cast<const HistogramChunk*>(chunk));
        if (chunk->kind == ChunkKind::trace) trace.add(*reinterpret_cast<const TraceChunk*>(chunk));
        if (chunk->kind == ChunkKind::slices) times.add(*reinterpret_cast<const SlicesChunk*>(chunk));
        if (chunk->kind == ChunkKind::counters || chunk->kind == ChunkKind::data_file ||
            chunk->kind == ChunkKind::dataset)
            add_piece(*reinterpret_cast<const CountersChunk*>(chunk));
        if (chunk->kind == ChunkKind::name) add_hints(*reinterpret_cast<const NameChunk*>(chunk));
        if (chunk->kind == ChunkKind::layout) add_layout(*reinterpret_cast<const LayoutChunk*>(chunk));
        if (chunk->kind == ChunkKind::failures)
            add_failures(*reinterpret_cast<const FailuresChunk*>(chunk), process);
        if (chunk->kind == ChunkKind::collectives)
            add_collectives(*reinterpret_cast<const CollectivesChunk*>(chunk));
        if (chunk->kind == ChunkKind::statements)
            add_statements(*reinterpret_cast<const StatementsChunk*>(chunk), process);
        if (chunk->kind == ChunkKind::deaths)
            add_deaths(*reinterpret_cast<const DeathsChunk*>(chunk), header.pid);
        if (chunk->kind == ChunkKind::starts)
            add_starts(*reinterpret_cast<const StartsChunk*>(chunk), header.pid);
    }
    times.make_rows(number_, rows_);
    trace.make_rows(number_, rows_);
    make_failed_rows(rows_);
    timings_good_ = times.good() && trace.good();
    auto bursts = rows_.bursts.as<Burst>();
    rows_.bursts.shrink(join(bursts, process.burst_gap) * sizeof(Burst));
    // Of a process that was killed, the last call is the last sign of life; and what other libraries do as
    // they are unloaded comes after the end that ours noted.
    process.end = std::max({process.end, process.start, last_seen_});
    if (const std::uint64_t first = header.first_ticks.load(std::memory_order_relaxed); first != 0)
        see_start(first);
    merge_value(process.start, first_seen_, Rule::earliest);
    sort_pieces();
}

// The first call of a process is under way before there is a part to note its start in. What began longer
// before is none of its own, but damage.
void PartReader::see_start(std::uint64_t ticks)
{
    constexpr std::uint64_t a_while = 60'000'000'000;
    const std::uint64_t start = clock_.instant(ticks), known = clock_.ns;
    if (start + a_while > known) merge_value(first_seen_, start, Rule::earliest);
}

void PartReader::add_thread(const ThreadChunk& thread, Process& process)
{
    ++process.threads;
    process.burst_gap = std::max(process.burst_gap, clock_.duration(thread.gap));
    for (std::uint32_t at = 0; at < std::min(thread.bursts, ThreadChunk::most_bursts); ++at) {
        const ThreadChunk::Stretch& stretch = thread.burst[at];
        // A thread that was killed as it began another burst may have written half of it.
        if (stretch.end < stretch.start || stretch.end == 0) continue;
        const Burst burst{number_, clock_.instant(stretch.start), clock_.instant(stretch.end)};
        last_seen_ = std::max(last_seen_, burst.end);
        see_start(stretch.start);
        // Calls that moved nothing, such as those of MPI_Init on its own files, are no I/O under way.
        if (stretch.bytes == 0) continue;
        if (Burst* const kept = rows_.bursts.append_array<Burst>(1)) *kept = burst;
    }
}

void PartReader::add_deaths(const DeathsChunk& deaths, std::uint64_t parent)
{
    for (const DeathsChunk::Entry& entry : deaths.entry)
        if (const std::uint32_t pid = entry.pid.load(std::memory_order_acquire); pid != 0)
            if (Death* const death = rows_.deaths.append_array<Death>(1))
                *death = {parent, pid, entry.status, clock_.instant(entry.ticks)};
}

void PartReader::add_starts(const StartsChunk& starts, std::uint64_t by)
{
    for (const StartsChunk::Entry& entry : starts.entry)
        if (const std::uint32_t pid = entry.pid.load(std::memory_order_acquire); pid != 0)
            if (Start* const start = rows_.starts.append_array<Start>(1))
                *start = {by,
                          pid,
                          clock_.instant(entry.ticks),
                          {entry.name, strnlen(entry.name, sizeof entry.name)}};
}

void PartReader::add_layout(const LayoutChunk& chunk)
{
    const NameChunk* const name = name_at(part_, chunk.name);
    const std::size_t room = chunk.header.bytes - sizeof chunk;
    if (name == nullptr || std::size_t{chunk.pool} + chunk.servers > room) return;
    if (Layout* const layout = rows_.layouts.append_array<Layout>(1))
        *layout = {name->id,
                   chunk.stripe_size,
                   chunk.stripe_count,
                   chunk.first_server,
                   {chunk.text + chunk.pool, chunk.servers},
                   {chunk.text, chunk.pool}};
}

void PartReader::add_hints(const NameChunk& name)
{
    const std::uint32_t at = name.hints.load(std::memory_order_acquire);
    if (at == 0) return;
    const HintsChunk* const set = hints_at(part_, at);
    if (set == nullptr && at != HintsChunk::no_room) return;
    if (set != nullptr && set->asked + set->used + set->left_out == 0) return;
    Hints* const hints = rows_.hints.append_array<Hints>(1);
    if (hints == nullptr) return;
    *hints =
        set == nullptr
            ? Hints{name.id, {}, {}, 1}
            : Hints{name.id, {set->text, set->asked}, {set->text + set->asked, set->used}, set->left_out};
}

void PartReader::add_failures(const FailuresChunk& chunk, Process& process)
{
    process.polls += chunk.polls;
    process.poll_time += clock_.duration(chunk.poll_ticks);
    process.poll_failed_time += clock_.duration(chunk.poll_failed_ticks);
    FailedPathSums* const sums = failed_sums_of(rows_);
    if (sums == nullptr) return;
    chunk.common.each(
        [&](std::string_view path, std::uint64_t calls, std::uint64_t error, std::uint32_t cause,
            std::uint64_t slept) { sums->add(path, calls, error, cause, clock_.duration(slept)); });
}

void PartReader::add_statements(const StatementsChunk& chunk, Process& process)
{
    const FortranStatements& all = chunk.all;
    process.fortran_statements += all.formatted.statements + all.unformatted.statements;
    process.fortran_time += clock_.duration(all.formatted.time) + clock_.duration(all.unformatted.time);
    process.fortran_formatted += all.formatted.statements;
    process.fortran_formatted_time += clock_.duration(all.formatted.time);
    const StatementLine& line = all.longest();
    const std::uint64_t time = clock_.duration(line.time);
    if (time <= process.fortran_line_time) return;
    process.fortran_line_time = time;
    process.fortran_line_statements = line.statements;
    process.fortran_line = line.line;
    process.fortran_source = line.file();
}

void PartReader::add_collectives(const CollectivesChunk& chunk)
{
    const std::size_t used = std::min<std::size_t>(chunk.sample.used, CollectiveSample::most);
    for (const SampledCollective& one : std::span(chunk.sample.calls).first(used)) {
        CollectiveCall row{number_,    one.file,  one.call, one.ranks,  one.direction,
                           one.before, one.start, one.end,  one.beneath};
        convert_times(row, clock_);
        rows_.collectives.append_row(row);
    }
}

namespace {

// Counters that a file found where another one had its own, in a layer that it does not use.
bool are_anothers(const NameChunk& name, const CountersChunk& chunk)
{
    if (name.temporary.load(std::memory_order_relaxed) == 0) return false;
    if (chunk.header.layer == Layer::posix)
        return !any_counted(static_cast<const CountersOf<PosixCounters>&>(chunk).counters);
    if (chunk.header.layer != Layer::stdio) return false;
    const auto& stream = static_cast<const CountersOf<StdioCounters>&>(chunk);
    return !any_counted(stream.counters) && stream.run.calls.number() == 0;
}

}  // namespace

void PartReader::add_piece(const CountersChunk& chunk)
{
    const NameChunk* const name = name_at(part_, chunk.name);
    if (name == nullptr || are_anothers(*name, chunk)) return;
    if (chunk.header.mark.load(std::memory_order_acquire) == adding_mark) add_before(chunk);
    const auto offset = reinterpret_cast<const std::byte*>(&chunk) - part_.data();
    if (Piece* const piece = pieces_.append_array<Piece>(1))
        *piece = {chunk.name, static_cast<std::uint32_t>(offset),
                  chunk.header.kind == ChunkKind::data_file ? Whose::data_file
                  : chunk.header.kind == ChunkKind::dataset ? Whose::dataset
                                                            : static_cast<Whose>(chunk.header.layer)};
}

template <class Counters>
void PartReader::add_before_of(const CountersChunk& chunk)
{
    if (chunk.header.bytes < sizeof(TemporaryOf<Counters>)) return;
    const auto& adding = static_cast<const TemporaryOf<Counters>&>(chunk);
    if (Before* const before = befores_.append_array<Before>(1))
        *before = {adding.added_to, static_cast<Whose>(chunk.header.layer), &adding.before};
}

void PartReader::add_before(const CountersChunk& chunk)
{
    if (chunk.header.kind != ChunkKind::counters) return;
    if (chunk.header.layer == Layer::posix) add_before_of<PosixCounters>(chunk);
    if (chunk.header.layer == Layer::stdio) add_before_of<StdioCounters>(chunk);
}

const void* PartReader::before_of(const Piece& piece)
{
    for (const Before& one : befores_.as<Before>())
        if (one.chunk == piece.chunk && one.whose == piece.whose) return one.counters;
    return nullptr;
}

void PartReader::sort_pieces()
{
    const auto pieces = pieces_.as<Piece>();
    const auto before = [](const Piece& a, const Piece& b) {
        return a.name != b.name ? a.name < b.name : a.whose < b.whose;
    };
    // They nearly always are.
    if (!std::is_sorted(pieces.begin(), pieces.end(), before))
        std::sort(pieces.begin(), pieces.end(), before);
}

const CountersChunk& PartReader::chunk_of(const Piece& piece) const
{
    return *reinterpret_cast<const CountersChunk*>(part_.data() + piece.chunk);
}

bool PartReader::next(FileRecords& file)
{
    const auto pieces = pieces_.as<Piece>();
    // A process that still runs may take back a name that was there a moment ago.
    const NameChunk* known = nullptr;
    while (at_ < pieces.size() && (known = name_at(part_, pieces[at_].name)) == nullptr) ++at_;
    if (known == nullptr) return false;
    std::size_t end = at_;
    for (bool& used : file.in) used = false;
    file.has_data_file = file.has_dataset = false;
    for (; end < pieces.size() && pieces[end].name == pieces[at_].name; ++end)
        if (const Whose whose = pieces[end].whose; whose == Whose::data_file)
            file.has_data_file = true;
        else if (whose == Whose::dataset)
            file.has_dataset = true;
        else
            file.in[static_cast<std::size_t>(whose)] = true;
    const NameChunk& name = *known;
    file.name = {name.id, static_cast<std::uint64_t>(name.kind), {name.path, name.length}, files_of(name)};
    Scope scope = Scope::direct;
    if (name.kind == NameKind::stream || name.kind == NameKind::device)
        scope = Scope::streams;
    else if (file.in[static_cast<std::size_t>(Layer::mpiio)])
        scope = Scope::beneath_mpiio;
    for (std::size_t from = at_; from < end;) {
        std::size_t to = from;
        while (to < end && pieces[to].whose == pieces[from].whose) ++to;
        const auto of_layer = pieces.subspan(from, to - from);
        switch (of_layer.front().whose) {
            case Whose::posix:
                make_record(file.posix, file.name, of_layer, scope);
                break;
            case Whose::stdio:
                make_record(file.stdio, file.name, of_layer, scope);
                break;
            case Whose::mpiio:
                make_record(file.mpiio, file.name, of_layer, Scope::direct);
                break;
            case Whose::data_file:
                make_library_record(file.data_file, file.name, of_layer);
                break;
            case Whose::dataset:
                make_library_record(file.dataset, file.name, of_layer);
                break;
        }
        from = to;
    }
    at_ = end;
    return true;
}

// About how many files a name stands for that is no file's own.
std::uint64_t PartReader::files_of(const NameChunk& name) const
{
    const std::uint32_t at = name.sketch.load(std::memory_order_relaxed);
    if (at == 0 || at % chunk_alignment != 0 || at > part_.size() || part_.size() - at < sizeof(SketchChunk))
        return 0;
    const auto& sketch = *reinterpret_cast<const SketchChunk*>(part_.data() + at);
    if (sketch.header.mark.load(std::memory_order_acquire) != chunk_mark ||
        sketch.header.kind != ChunkKind::sketch)
        return 0;
    return static_cast<std::uint64_t>(sketch.files.estimate() + 0.5);
}

namespace {

// A thread's counters with those of its last run that they do not have, since the process ended within it.
StdioCounters with_run(StdioCounters whole, const StreamRun& run, std::uint64_t& untimed)
{
    std::uint64_t& number = run.writes ? whole.writes : whole.reads;
    std::uint64_t& buffered = run.writes ? whole.buffered_writes : whole.buffered_reads;
    std::uint64_t& bytes = run.writes ? whole.bytes_written : whole.bytes_read;
    SizeHistogram& sizes = run.writes ? whole.write_size : whole.read_size;
    StreamRun::Calls calls = run.calls;
    if (const StreamRun::Settling& before = run.settling; before.under_way.load(std::memory_order_acquire)) {
        calls = before.calls;
        number = before.number;
        buffered = before.buffered;
        bytes = before.bytes;
        sizes.count[0] = before.small;
        sizes.count[1] = before.larger;
        whole.formatted = before.formatted;
        whole.common_size = before.common_size;
    }
    number += calls.number();
    buffered += calls.number();
    bytes += calls.moved();
    sizes.count[0] += calls.single + calls.sized[0];
    sizes.count[1] += calls.sized[1];
    whole.formatted += calls.formatted;
    if (calls.single > 0) whole.common_size.add(1, calls.single);
    untimed += calls.number();
    return whole;
}

}  // namespace

template <class Counters>
void PartReader::make_record(Record<Counters>& record, const FileName& file, std::span<const Piece> pieces,
                             Scope scope)
{
    const auto counters_of = [&](const Piece& piece) -> decltype(auto) {
        const auto& chunk = static_cast<const CountersOf<Counters>&>(chunk_of(piece));
        const auto* const before = static_cast<const Counters*>(before_of(piece));
        const Counters& counters = before != nullptr ? *before : chunk.counters;
        if constexpr (std::is_same_v<Counters, StdioCounters>)
            return with_run(counters, chunk.run, rows_.process()->untimed);
        else
            return (counters);
    };
    Counters& counters = record;
    counters = counters_of(pieces.front());
    for (const Piece& piece : pieces.subspan(1)) merge(counters, counters_of(piece));
    convert_times(counters, clock_);
    record.file = file.file;
    share_alone(record, number_);

    const auto layer = static_cast<std::size_t>(pieces.front().whose);
    Totals& total = totals_[layer][static_cast<std::size_t>(scope)];
    total.process = number_;
    total.layer = layer;
    total.scope = static_cast<std::uint64_t>(scope);
    merge_same(total, static_cast<const Transfers&>(record));
    total.files += std::max<std::uint64_t>(file.files, 1);
}

template <class Counters>
void PartReader::make_library_record(Record<Counters>& record, const FileName& file,
                                     std::span<const Piece> pieces)
{
    record = {};
    for (const Piece& piece : pieces)
        merge(static_cast<Counters&>(record),
              static_cast<const CountersOf<Counters>&>(chunk_of(piece)).counters);
    convert_times(static_cast<Counters&>(record), clock_);
    record.file = file.file;
    share_alone(record, number_);
}

void PartReader::make_totals()
{
    for (const auto& of_layer : totals_)
        for (const Totals& total : of_layer)
            if (total.files > 0)
                if (Totals* const row = rows_.totals.append_array<Totals>(1)) *row = total;
}

void read_part(std::span<const std::byte> part, const ClockMap& clock, std::int64_t number, PartRows& rows)
{
    PartReader reader(part, clock, number, rows);
    const auto keep = [](Bytes& to, const auto& row) {
        if (auto* const kept = to.append_array<std::remove_cvref_t<decltype(row)>>(1)) *kept = row;
    };
    FileRecords file;
    while (reader.next(file)) {
        keep(rows.names, file.name);
        if (file.in[static_cast<std::size_t>(Layer::posix)]) keep(rows.posix, file.posix);
        if (file.in[static_cast<std::size_t>(Layer::stdio)]) keep(rows.stdio, file.stdio);
        if (file.in[static_cast<std::size_t>(Layer::mpiio)]) keep(rows.mpiio, file.mpiio);
        if (file.has_data_file) keep(rows.data_files, file.data_file);
        if (file.has_dataset) keep(rows.datasets, file.dataset);
    }
    reader.make_totals();
}

}  // namespace fathom
