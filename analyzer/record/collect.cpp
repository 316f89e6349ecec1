// Parts to rows, and rows to one log.
#include "analyzer/record/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
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

Part load(const std::string& path)
{
    Part part;
    part.path = path;
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : 0;
    part.words.resize(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)) / 8);
    in.seekg(0);
    in.read(reinterpret_cast<char*>(part.words.data()), static_cast<std::streamsize>(part.words.size() * 8));
    return part;
}

// The clock of a part: from its start to now, since both are the clock of this node. A node that was restarted since
// has no such clock any more.
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
void append_rows(Log& log, Bytes& rows)
{
    const auto all = rows.as<Row>();
    log.rows<Row>().insert(log.rows<Row>().end(), all.begin(), all.end());
}

Totals* find_totals(Log& log, const Totals& like)
{
    auto& all = log.rows<Totals>();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Totals& one) {
        return one.process == like.process && one.layer == like.layer && one.scope == like.scope;
    });
    return found == all.end() ? nullptr : &*found;
}

void append_part(Log& log, const Part& part, const ClockMap& clock)
{
    const PartHeader& header = part.header();
    const std::string_view host = part_text(part.bytes(), header.host);
    // A rank that went on after MPI_Finalize is in the log already: this is more of the same process.
    auto& processes = log.rows<Process>();
    const auto known = std::find_if(processes.begin(), processes.end(), [&](const Process& process) {
        return header.rank >= 0 && process.rank == header.rank && process.pid == header.pid && process.host == host;
    });
    const std::int64_t number = known != processes.end() ? known->process : next_number(log);

    PartRows rows;
    read_part(part.bytes(), clock, number, rows);
    if (!rows.good()) throw std::bad_alloc();
    Process& process = *rows.process();
    if (known != processes.end()) {
        merge(*known, process);
    } else {
        process.host = log.keep(process.host);
        process.program = log.keep(process.program);
        process.command = log.keep(process.command);
        processes.push_back(process);
    }
    for (FileName& name : rows.names.as<FileName>()) name.path = log.keep(name.path);
    append_rows<FileName>(log, rows.names);
    append_rows<Burst>(log, rows.bursts);
    append_rows<PosixRecord>(log, rows.posix);
    append_rows<StdioRecord>(log, rows.stdio);
    append_rows<MpiioRecord>(log, rows.mpiio);
    for (const Totals& totals : rows.totals.as<Totals>()) {
        if (Totals* const same = known != processes.end() ? find_totals(log, totals) : nullptr) merge(*same, totals);
        else log.rows<Totals>().push_back(totals);
    }
}

// Names that several processes know are needed once.
void drop_repeated_names(Log& log)
{
    auto& names = log.rows<FileName>();
    std::sort(names.begin(), names.end(), [](const FileName& a, const FileName& b) {
        return a.file != b.file ? a.file < b.file : a.kind < b.kind;
    });
    names.erase(std::unique(names.begin(), names.end(), [](const FileName& a, const FileName& b) { return a.file == b.file; }),
                names.end());
}

template <class RecordRow>
void renumber_records(std::vector<RecordRow>& records, std::int64_t by)
{
    for (RecordRow& record : records) {
        if (record.process >= 0) record.process += by;
        if (record.slowest.process >= 0) record.slowest.process += by;
        if (record.fastest.process >= 0) record.fastest.process += by;
    }
}

}  // namespace

Collected collect_parts(const std::string& spool, Log into, const std::function<bool(const std::string&)>& relied_on)
{
    Collected collected{std::move(into), 0, false, {}, false};
    std::vector<Part> parts;
    for (const std::string& path : parts_in(spool)) {
        Part part = load(path);
        if (is_part(part.bytes())) parts.push_back(std::move(part));
        else collected.log.problems.push_back(path + ": not a part that this version of Fathom can read; left out");
    }
    // Ranks first and in order, then the others by their start: so are processes numbered.
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        const auto rank = [](const Part& part) { return static_cast<std::uint64_t>(part.header().rank); };
        return rank(a) != rank(b) ? rank(a) < rank(b) : a.header().start_ns < b.header().start_ns;
    });
    for (const Part& part : parts) {
        ++collected.parts;
        const std::string log(part_text(part.bytes(), part.header().log));
        if (!log.empty() && relied_on(log)) {
            collected.written_by_mpi = log;
            collected.rank_zero = collected.rank_zero || part.header().rank == 0;
            continue;
        }
        const auto clock = clock_of(part.header());
        if (!clock) {
            collected.log.problems.push_back(part.path + ": recorded before this node was restarted; its times are lost, left out");
            continue;
        }
        append_part(collected.log, part, *clock);
    }
    drop_repeated_names(collected.log);
    const Log& log = collected.log;
    collected.anything = !log.rows<PosixRecord>().empty() || !log.rows<StdioRecord>().empty() || !log.rows<MpiioRecord>().empty();
    return collected;
}

void append_log(Log& log, Log&& other)
{
    const std::int64_t by = next_number(log);
    for (Process& process : other.rows<Process>()) process.process += by;
    for (Totals& totals : other.rows<Totals>()) totals.process += by;
    for (Burst& burst : other.rows<Burst>()) burst.process += by;
    renumber_records(other.rows<PosixRecord>(), by);
    renumber_records(other.rows<StdioRecord>(), by);
    renumber_records(other.rows<MpiioRecord>(), by);
    if (!log.rows<Mount>().empty()) other.rows<Mount>().clear();
    auto& facts = other.rows<Fact>();
    std::erase_if(facts, [&](const Fact& fact) { return log.fact(fact.name).has_value(); });
    log.append(std::move(other));
    drop_repeated_names(log);
}

void add_mounts(Log& log)
{
    if (!log.rows<Mount>().empty()) return;
    std::ifstream in("/proc/self/mounts");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string source, path, type;
        if (words >> source >> path >> type) log.rows<Mount>().push_back({log.keep(path), log.keep(type), log.keep(source)});
    }
}

}  // namespace fathom
