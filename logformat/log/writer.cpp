// Writes a log to a file: whole, or not at all.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "logformat/blocks/encode.h"
#include "logformat/log/log.h"
#include "logformat/log/whole_file.h"

namespace fathom {
namespace {

// Names sorted by path share their beginnings, and records in the same order name their files by their
// places. The rows, which are large, stay where they are.
class FilesByPath {
  public:
    explicit FilesByPath(const std::vector<FileName>& names)
        : names_(names), order_(names.size()), slots_(std::bit_ceil(2 * names.size() + 1))
    {
        std::iota(order_.begin(), order_.end(), 0u);
        // They mostly come in runs that are sorted, one way or the other.
        std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return names[a].path != names[b].path ? names[a].path < names[b].path
                                                  : names[a].file < names[b].file;
        });
        for (std::uint32_t place = 0; place < order_.size(); ++place) {
            Slot& slot = slots_[slot_of(names[order_[place]].file)];
            if (slot.place == none) slot = {names[order_[place]].file, place};
        }
    }

    OrderedRows<FileName> names() const { return {names_, order_}; }

    // The places of records among them, in the order of their files' paths.
    template <class Record>
    std::vector<std::uint32_t> order_of(const std::vector<Record>& records) const
    {
        std::vector<std::uint32_t> order(records.size()), names;
        if (records.empty()) return order;
        names.reserve(records.size());
        std::vector<std::uint32_t> next(names_.size() + 2);  // by name: where its first record goes
        for (const Record& record : records) {
            names.push_back(place_of(record.file));
            ++next[names.back() + 1];
        }
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (std::uint32_t at = 0; at < names.size(); ++at) order[next[names[at]]++] = at;
        return order;
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Slot {
        std::uint64_t file = 0;
        std::uint32_t place = none;
    };

    // The slot of a file, or the free one where it would be: half of them are. Ids of other tools' logs need
    // not be spread well.
    std::size_t slot_of(std::uint64_t file) const
    {
        constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;
        std::size_t at = (file * spread >> 32) & (slots_.size() - 1);
        while (slots_[at].place != none && slots_[at].file != file) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    // The number of names, of a file that has none.
    std::uint32_t place_of(std::uint64_t file) const
    {
        const std::uint32_t place = slots_[slot_of(file)].place;
        return place == none ? static_cast<std::uint32_t>(names_.size()) : place;
    }

    const std::vector<FileName>& names_;
    std::vector<std::uint32_t> order_;
    std::vector<Slot> slots_;
};

template <class Row>
constexpr bool is_of_files = std::is_same_v<Row, FileName> || std::is_same_v<Row, PosixRecord> ||
                             std::is_same_v<Row, StdioRecord> || std::is_same_v<Row, MpiioRecord> ||
                             std::is_same_v<Row, DataFileRecord> || std::is_same_v<Row, DatasetRecord>;

// What names files by their places among the names, which come before it.
template <class Row>
constexpr bool follows_files = std::is_same_v<Row, TracePlace>;

std::vector<Fact> facts_of(const Log& log)
{
    std::vector<Fact> facts = log.rows<Fact>();
    for (const std::string& problem : log.problems) facts.push_back({problem_fact, problem});
    for (const std::string_view column : log.not_recorded.names())
        facts.push_back({missing_column_fact, column});
    return facts;
}

}  // namespace

void encode_log(const Log& log, Encoder& encoder)
{
    encoder.begin();
    const std::vector<Fact> facts = facts_of(log);
    encoder.rows(std::span<const Fact>(facts));
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        if constexpr (!std::is_same_v<Row, Fact> && !is_of_files<Row> && !follows_files<Row>)
            encoder.rows(std::span<const Row>(log.rows<Row>()));
    });
    const FilesByPath files(log.rows<FileName>());
    const auto posix = files.order_of(log.rows<PosixRecord>());
    const auto stdio = files.order_of(log.rows<StdioRecord>());
    const auto mpiio = files.order_of(log.rows<MpiioRecord>());
    const auto data_files = files.order_of(log.rows<DataFileRecord>());
    const auto datasets = files.order_of(log.rows<DatasetRecord>());
    encoder.files(files.names(), OrderedRows<PosixRecord>(log.rows<PosixRecord>(), posix),
                  OrderedRows<StdioRecord>(log.rows<StdioRecord>(), stdio),
                  OrderedRows<MpiioRecord>(log.rows<MpiioRecord>(), mpiio),
                  OrderedRows<DataFileRecord>(log.rows<DataFileRecord>(), data_files),
                  OrderedRows<DatasetRecord>(log.rows<DatasetRecord>(), datasets));
    encoder.rows(std::span<const TracePlace>(log.rows<TracePlace>()));
    encoder.end(encoder.blocks());
}

void write_log(const Log& log, const std::string& path)
{
    Bytes bytes;
    Encoder encoder(bytes);
    WholeFile file(path);
    encode_log(log, encoder);
    if (!encoder.good()) throw LogError(path + ": no memory left to write the log");
    file.write(bytes.view());
    file.finish();
}

}  // namespace fathom
