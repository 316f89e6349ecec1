// Collects facts and mounts without malloc.
#include "libinterpose/recording/log_rows.h"

#include <algorithm>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "libinterpose/recording/settings.h"
#include "libinterpose/system/sys.h"
#include "logformat/excluded.h"
#include "logformat/job_identity.h"
#include "logformat/tables.h"
#include "logformat/version.h"

namespace fathom {
namespace {

template <class Row>
void encode(Encoder& encoder, Bytes& rows)
{
    encoder.rows(std::span<const Row>(rows.as<Row>()));
}

void read_whole(const char* path, Bytes& to)
{
    const int fd = sys::open(path, O_RDONLY);
    if (fd < 0) return;
    while (std::byte* const room = to.room(4096)) {
        const long got = sys::read(fd, room, 4096);
        if (got <= 0) break;
        to.grow(static_cast<std::size_t>(got));
    }
    sys::close(fd);
}

std::string_view take_word(std::string_view& line, char end)
{
    const std::size_t length = std::min(line.find(end), line.size());
    const std::string_view word = line.substr(0, length);
    line.remove_prefix(std::min(length + 1, line.size()));
    return word;
}

// /proc/self/mounts has "source path type options" per line; only those of files matter, but to separate
// them is the analyzer's work.
void encode_mounts(Encoder& encoder)
{
    Bytes text, mounts;
    read_whole("/proc/self/mounts", text);
    std::string_view rest(reinterpret_cast<const char*>(text.data()), text.size());
    while (!rest.empty()) {
        std::string_view line = take_word(rest, '\n');
        const std::string_view source = take_word(line, ' '), path = take_word(line, ' '),
                               type = take_word(line, ' ');
        if (Mount* const mount = mounts.append_array<Mount>(1)) *mount = {path, type, source};
    }
    encode<Mount>(encoder, mounts);
}

// Days since 1970 to a civil date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", section
// civil_from_days); gmtime would read the time zone's file.
void append_date(PathText& to, std::uint64_t unix_seconds)
{
    const auto two = [&](std::uint64_t number) { (number < 10 ? to << "0" : to) << number; };
    const std::uint64_t days = unix_seconds / 86400 + 719468, second = unix_seconds % 86400;
    const std::uint64_t era = days / 146097, of_era = days % 146097;
    const std::uint64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const std::uint64_t day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::uint64_t month = (5 * day_of_year + 2) / 153;
    two(year_of_era + era * 400 + (month >= 10 ? 1 : 0));
    two(month < 10 ? month + 3 : month - 9);
    two(day_of_year - (153 * month + 2) / 5 + 1);
    to << "-";
    two(second / 3600);
    two(second / 60 % 60);
    two(second % 60);
}

}  // namespace

void encode_job(Encoder& encoder, std::string_view command, std::string_view mpi)
{
    PathText folder, excluded, included;
    const long length = sys::working_folder(folder.data(), folder.capacity());
    folder.resize(length > 1 ? static_cast<std::size_t>(length) - 1 : 0);
    each_excluded([&](std::string_view one) { (excluded.empty() ? excluded : excluded << " ") << one; });
    for (const std::string_view one : included_folders)
        (included.empty() ? included : included << " ") << one;
    const Settings& user = settings();
    Bytes facts;
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) facts.append_row(Fact{name, value});
    };
    add("recorder", fathom_version);
    add("command", command);
    add("folder", folder.view());
    add("job", user.job.view());
    identity::each_line(user.identity.view(), add);
    add("mpi", mpi);
    utsname about{};  // the facts refer to it
    if (sys::call(SYS_uname, sys::address(&about)) == 0) add("kernel", about.release);
    add("excluded", excluded.view());
    add("excluded", user.exclude.text());
    add("excluded", user.site.exclude.text());
    add("included", included.view());
    add("included", user.include.text());
    add("note", user.notes.view());
    encode<Fact>(encoder, facts);
    encode_mounts(encoder);
}

template <class Row>
OrderedRows<Row> all_of(Bytes& rows)
{
    return OrderedRows<Row>(rows.as<Row>());
}

void encode_files(Encoder& encoder, PartRows& files)
{
    encoder.files(all_of<FileName>(files.names), all_of<PosixRecord>(files.posix),
                  all_of<StdioRecord>(files.stdio), all_of<MpiioRecord>(files.mpiio),
                  all_of<DataFileRecord>(files.data_files), all_of<DatasetRecord>(files.datasets));
    encode<Layout>(encoder, files.layouts);
    encode<Hints>(encoder, files.hints);
}

void encode_timings(Encoder& encoder, PartRows& timings)
{
    encode<OperationTimes>(encoder, timings.operations);
    encode<DurationBin>(encoder, timings.durations);
    encode<TraceShape>(encoder, timings.trace_shapes);
    encode<FailedPath>(encoder, timings.failed_paths);
}

void encode_process(Encoder& encoder, PartRows& own)
{
    encode<Process>(encoder, own.processes);
    encode<Totals>(encoder, own.totals);
    encode<Burst>(encoder, own.bursts);
    encode<Slice>(encoder, own.slices);
    encode<CollectiveCall>(encoder, own.collectives);
    encode<TracePiece>(encoder, own.trace);
    encode<TracePlace>(encoder, own.trace_places);
    encode<TraceTimes>(encoder, own.trace_times);
}

void default_log_path(PathText& to, std::string_view folder, const Process& process)
{
    std::string_view program = process.program;
    program.remove_prefix(std::min(program.rfind('/') + 1, program.size()));
    to << folder << "/" << (program.empty() ? "program" : program) << "-";
    append_date(to, process.start / 1'000'000'000);
    to << "-" << process.host << "-" << process.pid << ".fathom";
}

}  // namespace fathom
