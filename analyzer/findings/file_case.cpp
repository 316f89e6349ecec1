// What is asked of a file with its records.
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

constexpr std::uint64_t few_looks = 3;

Content content_of(const FileCase& file)
{
    Content sum;
    for (const RecordView& record : file.records) {
        if (!record.has_pattern()) continue;
        sum.looks += record[&Content::looks];
        sum.text_looks += record[&Content::text_looks];
        sum.number_looks += record[&Content::number_looks];
    }
    return sum;
}

}  // namespace

std::uint64_t FileCase::in_posix(std::uint64_t PosixCounters::*counter) const
{
    std::uint64_t sum = 0;
    for (const RecordView& record : records)
        if (record.layer == Layer::posix) sum += record[counter];
    return sum;
}

CallsOfRanks FileCase::calls_of_ranks(Direction direction) const
{
    CallsOfRanks sum;
    for (const RecordView& record : records) {
        if (record.layer != Layer::mpiio) continue;
        const bool reads = direction == Direction::read;
        sum.all += reads ? record[&MpiioRecord::reads] : record[&MpiioRecord::writes];
        sum.together += reads ? record[&MpiioRecord::collective_reads] + record[&MpiioRecord::split_reads]
                              : record[&MpiioRecord::collective_writes] + record[&MpiioRecord::split_writes];
    }
    return sum;
}

bool FileCase::holds_text() const
{
    const Content content = content_of(*this);
    return content.looks < few_looks ? is_text(use->path) : 2 * content.text_looks > content.looks;
}

bool FileCase::holds_numbers() const
{
    const Content content = content_of(*this);
    return content.looks >= few_looks && 2 * content.number_looks > content.looks;
}

bool FileCase::holds_words() const
{
    const Content content = content_of(*this);
    return content.looks >= few_looks && 2 * content.text_looks > content.looks &&
           4 * content.number_looks < content.looks;
}

bool FileCase::is_of_sqlite() const
{
    // Its pages may hold text, but are no lines; and it locks the file, of which it reads pages.
    constexpr std::uint64_t line = 128, smallest_page = 512;
    const Content content = content_of(*this);
    const bool lines = content.looks >= few_looks && 2 * content.text_looks > content.looks &&
                       use->system.writes > 0 && use->system.bytes_written < line * use->system.writes;
    const FileView& view = use->system;
    const bool records_of_its_own =
        view.bytes_read + view.bytes_written < smallest_page * (view.reads + view.writes) &&
        in_posix(&PosixCounters::locks) == 0;
    return is_sqlite(use->path) && !lines && !records_of_its_own;
}

bool FileCase::is_moved_by_sqlite(const AdvisedProgram& program) const
{
    if (!is_of_sqlite() || !is_in_sqlite(program, use->path)) return false;
    const bool compiled = program.language == Language::c || program.language == Language::cxx ||
                          program.language == Language::fortran;
    return !compiled || program.libraries.empty() || program.uses("libsqlite3") ||
           in_posix(&PosixCounters::locks) > 0;
}

bool FileCase::grows_while_read() const
{
    constexpr double behind_the_end = 1.01;
    std::uint64_t first_read = UINT64_MAX, last_read = 0, first_write = UINT64_MAX, last_write = 0;
    for (const RecordView& record : records) {
        if (record[&Transfers::reads] > 0) {
            first_read = std::min(first_read, record[&Transfers::first_read]);
            last_read = std::max(last_read, record[&Transfers::last_read]);
        }
        if (record[&Transfers::writes] > 0) {
            first_write = std::min(first_write, record[&Transfers::first_write]);
            last_write = std::max(last_write, record[&Transfers::last_write]);
        }
    }
    const FileView& view = use->system;
    return view.creates <= 1 && first_write <= first_read && first_read < last_write &&
           last_write <= last_read &&
           static_cast<double>(view.bytes_written) <=
               behind_the_end * static_cast<double>(view.highest_written);
}

double FileCase::time_in_syncs() const
{
    double time = 0;
    for (const RecordView& record : records)
        if (record.layer == Layer::posix)
            time += static_cast<double>(record[&PosixRecord::sync_time] +
                                        record[&PosixRecord::synced_write_time]);
    return time;
}

bool FileCase::is_many_renamed() const
{
    std::uint64_t renames = 0, elsewhere = 0;
    for (const RecordView& record : records)
        if (record.layer == Layer::posix) {
            renames += record[&PosixRecord::renames];
            elsewhere += record[&PosixRecord::renames_elsewhere];
        }
    return elsewhere > renames / 2;
}

bool FileCase::is_one_place() const
{
    constexpr std::uint64_t few_bytes = 4096, often = 10;
    const FileView& view = use->system;
    return view.highest() > 0 && view.highest() < few_bytes &&
           view.bytes_read + view.bytes_written >= often * view.highest();
}

}  // namespace fathom
