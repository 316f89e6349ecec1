// Loads parts and makes logs of them.
#include "analyzer/record/part_file.h"

#include <algorithm>
#include <cerrno>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/record/endings.h"
#include "logformat/job_identity.h"
#include "logformat/log/large_pages.h"
#include "logformat/log/new_file.h"

namespace fathom {
namespace {

// Reads at most so many bytes from the start of a part. Others' files, and what is no file, are empty.
PartFile load(const std::string& path, std::uint64_t most)
{
    PartFile part;
    part.path = path;
    std::string trouble;
    const int fd = open_regular(path, Links::refused, trouble);
    struct stat about {};
    if (fd >= 0 && fstat(fd, &about) == 0 && about.st_uid == geteuid()) {
        const std::uint64_t words =
            std::min(static_cast<std::uint64_t>(about.st_size), most) / sizeof(std::uint64_t);
        part.words = std::make_unique_for_overwrite<std::uint64_t[]>(words);
        use_large_pages(part.words.get(), words * sizeof(std::uint64_t));
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
    reserve_large(log.rows<Row>(), all.size());
    log.rows<Row>().assign(all.begin(), all.end());
    rows.release();
}

}  // namespace

PartFile load_header(const std::string& path)
{
    return load(path, sizeof(PartHeader));
}

PartFile load_part(const std::string& path)
{
    PartFile start = load_header(path);
    if (!is_part(start.bytes())) return start;
    return load(path, (start.header().used.load(std::memory_order_acquire) + 7) / 8 * 8);
}

Log log_of(const PartFile& part, const ClockMap& clock)
{
    PartRows rows;
    read_part(part.bytes(), clock, 0, rows);
    if (!rows.good()) throw std::bad_alloc();
    Log log;
    Process& process = *rows.process();
    process.host = log.keep(process.host);
    process.program = log.keep(process.program);
    process.command = log.keep(process.command);
    process.build = log.keep(process.build);
    process.libraries = log.keep(process.libraries);
    for (FileName& name : rows.names.as<FileName>()) name.path = log.keep(name.path);
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
    keep_rows<FileName>(log, rows.names);
    keep_rows<Layout>(log, rows.layouts);
    keep_rows<Hints>(log, rows.hints);
    keep_rows<FailedPath>(log, rows.failed_paths);
    keep_rows<PosixRecord>(log, rows.posix);
    keep_rows<StdioRecord>(log, rows.stdio);
    keep_rows<MpiioRecord>(log, rows.mpiio);
    keep_rows<DataFileRecord>(log, rows.data_files);
    keep_rows<DatasetRecord>(log, rows.datasets);
    keep_rows<TraceShape>(log, rows.trace_shapes);
    keep_rows<TracePiece>(log, rows.trace);
    keep_rows<TracePlace>(log, rows.trace_places);
    keep_rows<TraceTimes>(log, rows.trace_times);
    return log;
}

}  // namespace fathom
