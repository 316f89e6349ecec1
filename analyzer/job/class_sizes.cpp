// Adds up sizes and bytes of all records on files, and looks which of them a class can have.
#include "analyzer/job/class_sizes.h"

#include <unordered_set>

#include "analyzer/job/files.h"
#include "logformat/kinds.h"

namespace fathom {
namespace {

constexpr double nearly_all = 0.9;

}  // namespace

ClassSizes::ClassSizes(const Log& log)
{
    std::unordered_set<std::uint64_t> streams;
    for (const FileName& name : log.rows<FileName>())
        if (name.kind == static_cast<std::uint64_t>(NameKind::stream) ||
            name.kind == static_cast<std::uint64_t>(NameKind::device))
            streams.insert(name.file);
    visit_records(log, [&](const RecordView& record) {
        if (!streams.empty() && streams.contains(record.file)) return;
        Transfers& sums = sums_[static_cast<std::size_t>(record.layer)];
        sums.reads += record[&Transfers::reads];
        sums.writes += record[&Transfers::writes];
        sums.bytes_read += record[&Transfers::bytes_read];
        sums.bytes_written += record[&Transfers::bytes_written];
        sums.read_size.merge(record[&Transfers::read_size]);
        sums.write_size.merge(record[&Transfers::write_size]);
        sizes_[static_cast<std::size_t>(record.layer)].add(record[&Transfers::common_size]);
    });
}

std::optional<ClassSize> ClassSizes::of(const OperationClass& operations) const
{
    const auto kind = static_cast<Kind>(operations.kind);
    if (operations.layer >= layers || operations.size_class >= SizeHistogram::classes || !moves_data(kind))
        return std::nullopt;
    const Transfers& sums = sums_[operations.layer];
    const bool read = kind == Kind::read;
    const auto& ours = read ? sums.read_size : sums.write_size;
    const std::uint64_t all = read ? sums.reads : sums.writes;
    const std::uint64_t in_class = ours.count[operations.size_class];
    const std::uint64_t of_others = (read ? sums.write_size : sums.read_size).count[operations.size_class];

    double common = 0, common_bytes = 0;
    std::size_t sizes = 0;
    for (const CommonSizes::Slot& slot : sizes_[operations.layer].commonest_in(operations.size_class)) {
        if (slot.count <= slot.error) continue;
        ++sizes;
        common += static_cast<double>(slot.count - slot.error);
        common_bytes += static_cast<double>(slot.count - slot.error) * static_cast<double>(slot.size);
    }
    const double known = common / static_cast<double>(in_class + of_others);
    const bool same = sizes == 1 && known >= 1;
    if (in_class > 0 && in_class == all)
        return ClassSize{
            static_cast<double>(read ? sums.bytes_read : sums.bytes_written) / static_cast<double>(all), same,
            same ? "the size of each" : "their mean"};
    if (in_class == 0 || known < nearly_all || (of_others > 0 && sizes > 1)) return std::nullopt;
    return ClassSize{common_bytes / common, same, same ? "the size of each" : "the mean of the commonest"};
}

}  // namespace fathom
