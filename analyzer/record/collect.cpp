// Parts to rows, and rows to one log.
#include "analyzer/record/collect.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "analyzer/record/spool.h"
#include "logformat/part.h"

namespace fathom {
namespace {

// A part in memory of its own, aligned for its structs. (The process may still be writing to the mapping.)
struct Part {
    std::vector<std::uint64_t> words;
    std::string path;

    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words)); }
    const PartHeader& header() const { return *reinterpret_cast<const PartHeader*>(words.data()); }
};

// Reads at most so many bytes from the start of a part.
Part load(const std::string& path, std::uint64_t most)
{
    Part part;
    part.path = path;
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : 0;
    part.words.resize(static_cast<std::size_t>(std::min<std::uint64_t>(
                          static_cast<std::uint64_t>(std::max<std::streamoff>(size, 0)), most)) /
                      8);
    in.seekg(0);
    in.read(reinterpret_cast<char*>(part.words.data()), static_cast<std::streamsize>(part.words.size() * 8));
    return part;
}

// The whole of a part that is in use, which is usually little of it.
Part load_whole(const std::string& path, std::uint64_t used)
{
    return load(path, (used + 7) / 8 * 8);
}

// The clock of a part: from its start to now, since both are the clock of this node. A node that was
// restarted since has no such clock any more.
std::optional<ClockMap> clock_of(const PartHeader& header)
{
    const std::uint64_t ticks = ticks_now(header.clock), ns = unix_ns_now();
    if (ticks <= header.start_ticks || ns <= header.start_ns) return std::nullopt;
    return ClockMap::between(header.start_ticks, header.start_ns, ticks, ns);
}

std::int64_t next_number(const Log& log)
{
    std::int64_t next = 0;
    for (const Process& process : log.rows<Process>()) next = std::max(next, process.process + 1);
    return next;
}

template <class Row>
void keep_rows(Log& log, Bytes& rows)
{
    const auto all = rows.as<Row>();
    log.rows<Row>().assign(all.begin(), all.end());
}

// The rows of one part, as a log of its own.
Log log_of(const Part& part, const ClockMap& clock)
{
    PartRows rows;
    read_part(part.bytes(), clock, 0, rows);
    if (!rows.good()) throw std::bad_alloc();
    Log log;
    Process& process = *rows.process();
    process.host = log.keep(process.host);
    process.program = log.keep(process.program);
    process.command = log.keep(process.command);
    for (FileName& name : rows.names.as<FileName>()) name.path = log.keep(name.path);
    keep_rows<Process>(log, rows.processes);
    keep_rows<Totals>(log, rows.totals);
    keep_rows<Burst>(log, rows.bursts);
    keep_rows<FileName>(log, rows.names);
    keep_rows<PosixRecord>(log, rows.posix);
    keep_rows<StdioRecord>(log, rows.stdio);
    keep_rows<MpiioRecord>(log, rows.mpiio);
    return log;
}

// Names that several processes know are needed once.
void drop_repeated_names(Log& log)
{
    auto& names = log.rows<FileName>();
    std::sort(names.begin(), names.end(), [](const FileName& a, const FileName& b) {
        return a.file != b.file ? a.file < b.file : a.kind < b.kind;
    });
    names.erase(std::unique(names.begin(), names.end(),
                            [](const FileName& a, const FileName& b) { return a.file == b.file; }),
                names.end());
}

using Numbers = std::map<std::int64_t, std::int64_t>;  // a process's number there -> here

// A damaged log may name a process that it does not list.
std::int64_t number_in(const Numbers& numbers, std::int64_t process)
{
    const auto found = numbers.find(process);
    return found == numbers.end() ? reduced : found->second;
}

// Gives every process of `other` a number in `log`; those that are there already are merged.
Numbers number_processes(Log& log, Log& other)
{
    Numbers numbers;
    std::int64_t next = next_number(log);
    auto& known = log.rows<Process>();
    std::vector<Process> added;
    for (Process process : other.rows<Process>()) {
        const auto same = std::find_if(known.begin(), known.end(), [&](const Process& one) {
            return process.rank >= 0 && one.rank == process.rank && one.pid == process.pid &&
                   one.host == process.host;
        });
        numbers[process.process] = same != known.end() ? same->process : next++;
        process.process = numbers[process.process];
        if (same != known.end())
            merge(*same, process);
        else
            added.push_back(process);
    }
    other.rows<Process>() = std::move(added);
    return numbers;
}

// A process that is merged has its totals merged as well.
void number_totals(Log& log, Log& other, const Numbers& numbers, std::int64_t first_new)
{
    std::vector<Totals> added;
    for (Totals totals : other.rows<Totals>()) {
        totals.process = number_in(numbers, totals.process);
        auto& known = log.rows<Totals>();
        const auto same = totals.process >= first_new
                              ? known.end()
                              : std::find_if(known.begin(), known.end(), [&](const Totals& one) {
                                    return one.process == totals.process && one.layer == totals.layer &&
                                           one.scope == totals.scope;
                                });
        if (same != known.end())
            merge(*same, totals);
        else
            added.push_back(totals);
    }
    other.rows<Totals>() = std::move(added);
}

template <class RecordRow>
void number_records(std::vector<RecordRow>& records, const Numbers& numbers)
{
    for (RecordRow& record : records)
        for (std::int64_t* const process :
             {&record.process, &record.slowest.process, &record.fastest.process})
            if (*process >= 0) *process = number_in(numbers, *process);
}

void add_log(Log& log, Log&& other)
{
    const std::int64_t first_new = next_number(log);
    const Numbers numbers = number_processes(log, other);
    number_totals(log, other, numbers, first_new);
    for (Burst& burst : other.rows<Burst>()) burst.process = number_in(numbers, burst.process);
    number_records(other.rows<PosixRecord>(), numbers);
    number_records(other.rows<StdioRecord>(), numbers);
    number_records(other.rows<MpiioRecord>(), numbers);
    if (!log.rows<Mount>().empty()) other.rows<Mount>().clear();
    std::erase_if(other.rows<Fact>(), [&](const Fact& fact) { return log.fact(fact.name).has_value(); });
    log.append(std::move(other));
}

}  // namespace

Collected collect_parts(const std::string& spool, Log into,
                        const std::function<bool(const std::string&)>& relied_on)
{
    Collected collected{std::move(into), 0, false, {}, false};
    // Parts are sorted by their headers and read one at a time: there may be tens of thousands.
    struct Heading {
        std::string path;
        std::uint64_t rank, start, used;
    };
    std::vector<Heading> headings;
    for (const std::string& path : parts_in(spool)) {
        const Part start = load(path, sizeof(PartHeader));
        if (is_part(start.bytes()))
            headings.push_back({path, static_cast<std::uint64_t>(start.header().rank),
                                start.header().start_ns,
                                start.header().used.load(std::memory_order_acquire)});
        else
            collected.log.problems.push_back(path +
                                             ": not a part that this version of Fathom can read; left out");
    }
    // Ranks first and in order, then the others by their start: so are processes numbered.
    std::stable_sort(headings.begin(), headings.end(), [](const Heading& a, const Heading& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.start < b.start;
    });
    for (const Heading& heading : headings) {
        ++collected.parts;
        const Part part = load_whole(heading.path, heading.used);
        if (!is_part(part.bytes())) continue;
        const std::string log(part_text(part.bytes(), part.header().log));
        if (!log.empty() && relied_on(log)) {
            collected.written_by_mpi = log;
            collected.rank_zero = collected.rank_zero || part.header().rank == 0;
            continue;
        }
        const auto clock = clock_of(part.header());
        if (!clock) {
            collected.log.problems.push_back(
                part.path + ": recorded before this node was restarted; its times are lost, left out");
            continue;
        }
        add_log(collected.log, log_of(part, *clock));
    }
    drop_repeated_names(collected.log);
    const Log& log = collected.log;
    collected.anything = !log.rows<PosixRecord>().empty() || !log.rows<StdioRecord>().empty() ||
                         !log.rows<MpiioRecord>().empty();
    return collected;
}

void append_log(Log& log, Log&& other)
{
    add_log(log, std::move(other));
    drop_repeated_names(log);
}

void add_mounts(Log& log)
{
    if (!log.rows<Mount>().empty()) return;
    std::ifstream in("/proc/self/mounts");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string source, path, type;
        if (words >> source >> path >> type)
            log.rows<Mount>().push_back({log.keep(path), log.keep(type), log.keep(source)});
    }
}

}  // namespace fathom
