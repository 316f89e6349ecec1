// Loads parts and makes logs of them.
#include "analyzer/record/part_file.h"

#include <algorithm>
#include <cerrno>
#include <span>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/record/endings.h"
#include "logformat/job_identity.h"
#include "logformat/log/large_pages.h"
#include "logformat/log/new_file.h"
#include "logformat/part/part_rows.h"

namespace fathom {
namespace {

std::unique_ptr<std::uint64_t[], ReleaseWords> map_words(int fd, std::uint64_t words)
{
    const std::size_t bytes = words * sizeof(std::uint64_t);
    void* const at = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    return {at == MAP_FAILED ? nullptr : static_cast<std::uint64_t*>(at), {bytes}};
}

// Reads at most so many bytes from the start of a part. Others' files, and what is no file, are empty.
PartFile load(const std::string& path, std::uint64_t most, InUse in_use = InUse::perhaps)
{
    constexpr std::uint64_t large = (std::uint64_t{1} << 20) / sizeof(std::uint64_t);
    PartFile part;
    part.path = path;
    std::string trouble;
    const int fd = open_regular(path, Links::refused, trouble);
    struct stat about {};
    if (fd >= 0 && fstat(fd, &about) == 0 && about.st_uid == geteuid()) {
        const std::uint64_t words =
            std::min(static_cast<std::uint64_t>(about.st_size), most) / sizeof(std::uint64_t);
        if (in_use == InUse::by_nobody && words >= large) part.words = map_words(fd, words);
        if (part.words) {
            part.size = words;
            close(fd);
            return part;
        }
        part.words = {new std::uint64_t[words], {}};
        std::span<std::byte> room = std::as_writable_bytes(std::span(part.words.get(), words));
        ssize_t some = 1;
        while (!room.empty() && some > 0) {
            some = ::read(fd, room.data(), room.size());
            if (some > 0) room = room.subspan(static_cast<std::size_t>(some));
            if (some < 0 && errno == EINTR) some = 1;
        }
        part.size = words - (room.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    }
    if (fd >= 0) close(fd);
    return part;
}

template <class Row>
void keep_rows(Log& log, Bytes& rows)
{
    const auto all = rows.as<Row>();
    log.rows<Row>().assign(all.begin(), all.end());
}

// The rows of a part, those of files in the log at once: there may be many.
void read_files(const PartFile& part, const ClockMap& clock, PartRows& rows, Log& log)
{
    PartReader reader(part.bytes(), clock, 0, rows);
    // As many as there can be: room that is not used takes none, but for a part of a large page.
    const std::size_t files = part.bytes().size() / sizeof(CountersOf<PosixCounters>);
    reserve_large(log.rows<FileName>(), files);
    reserve_large(log.rows<PosixRecord>(), files);
    FileRecords file;
    while (reader.next(file)) {
        log.rows<FileName>().push_back(file.name);
        if (file.in[static_cast<std::size_t>(Layer::posix)]) log.rows<PosixRecord>().push_back(file.posix);
        if (file.in[static_cast<std::size_t>(Layer::stdio)]) log.rows<StdioRecord>().push_back(file.stdio);
        if (file.in[static_cast<std::size_t>(Layer::mpiio)]) log.rows<MpiioRecord>().push_back(file.mpiio);
        if (file.has_data_file) log.rows<DataFileRecord>().push_back(file.data_file);
        if (file.has_dataset) log.rows<DatasetRecord>().push_back(file.dataset);
    }
    reader.make_totals();
    if (!reader.good() || !rows.good()) throw std::bad_alloc();
}

}  // namespace

PartFile load_header(const std::string& path)
{
    return load(path, sizeof(PartHeader));
}

void ReleaseWords::operator()(std::uint64_t* words) const
{
    if (mapped != 0)
        munmap(words, mapped);
    else
        delete[] words;
}

PartFile load_part(const std::string& path, InUse in_use)
{
    PartFile start = load_header(path);
    if (!is_part(start.bytes())) return start;
    return load(path, (start.header().used.load(std::memory_order_acquire) + 7) / 8 * 8, in_use);
}

Log log_of(const PartFile& part, const ClockMap& clock)
{
    PartRows rows;
    Log log;
    read_files(part, clock, rows, log);
    Process& process = *rows.process();
    process.host = log.keep(process.host);
    process.program = log.keep(process.program);
    process.command = log.keep(process.command);
    process.build = log.keep(process.build);
    process.libraries = log.keep(process.libraries);
    process.fortran_source = log.keep(process.fortran_source);
    for (FileName& name : log.rows<FileName>()) name.path = log.keep(name.path);
    for (Layout& layout : rows.layouts.as<Layout>()) {
        layout.servers = log.keep(layout.servers);
        layout.pool = log.keep(layout.pool);
    }
    for (Hints& hints : rows.hints.as<Hints>()) {
        hints.asked = log.keep(hints.asked);
        hints.used = log.keep(hints.used);
    }
    for (FailedPath& failed : rows.failed_paths.as<FailedPath>()) failed.path = log.keep(failed.path);
    for (TraceShape& shape : rows.trace_shapes.as<TraceShape>()) shape.code = log.keep(shape.code);
    for (TraceTimes& times : rows.trace_times.as<TraceTimes>()) times.code = log.keep(times.code);
    identity::each_line(part_text(part.bytes(), part.header().identity),
                        [&](std::string_view fact, std::string_view value) { log.add_fact(fact, value); });
    if (const auto why = part_text(part.bytes(), part.header().not_gathered); !why.empty())
        log.add_fact("not_gathered", why);
    for (const Death& death : rows.deaths.as<Death>()) add_death(log, process.host, death);
    for (const Start& start : rows.starts.as<Start>()) add_start(log, process.host, start);
    keep_rows<Process>(log, rows.processes);
    keep_rows<Totals>(log, rows.totals);
    keep_rows<Burst>(log, rows.bursts);
    keep_rows<OperationTimes>(log, rows.operations);
    keep_rows<DurationBin>(log, rows.durations);
    keep_rows<Slice>(log, rows.slices);
    keep_rows<CollectiveCall>(log, rows.collectives);
    keep_rows<Layout>(log, rows.layouts);
    keep_rows<Hints>(log, rows.hints);
    keep_rows<FailedPath>(log, rows.failed_paths);
    keep_rows<TraceShape>(log, rows.trace_shapes);
    keep_rows<TracePiece>(log, rows.trace);
    keep_rows<TracePlace>(log, rows.trace_places);
    keep_rows<TraceTimes>(log, rows.trace_times);
    return log;
}

}  // namespace fathom
