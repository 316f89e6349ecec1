// What is asked of a file with its records.
#include "analyzer/findings/file_names.h"
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
    // Its pages may hold text, but are no lines.
    constexpr std::uint64_t line = 128;
    const Content content = content_of(*this);
    const bool lines = content.looks >= few_looks && 2 * content.text_looks > content.looks &&
                       use->system.writes > 0 && use->system.bytes_written < line * use->system.writes;
    return is_sqlite(use->path) && !lines;
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
