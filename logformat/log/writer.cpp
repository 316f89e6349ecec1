// Writes a log to a file: whole, or not at all.
#include <algorithm>
#include <unordered_map>

#include "logformat/blocks/encode.h"
#include "logformat/log/log.h"
#include "logformat/log/whole_file.h"

namespace fathom {
namespace {

// Names sorted by path share their beginnings, and records in the same order name their files by their
// places.
class FilesByPath {
  public:
    explicit FilesByPath(const std::vector<FileName>& names) : names_(names)
    {
        std::sort(names_.begin(), names_.end(), [](const FileName& a, const FileName& b) {
            return a.path != b.path ? a.path < b.path : a.file < b.file;
        });
        for (const FileName& name : names_) places_.emplace(name.file, places_.size());
    }

    const std::vector<FileName>& names() const { return names_; }

    template <class Record>
    std::vector<Record> in_order(const std::vector<Record>& records) const
    {
        struct Place {
            std::size_t place, row;
        };
        std::vector<Place> order;
        order.reserve(records.size());
        for (const Record& record : records) {
            const auto found = places_.find(record.file);
            order.push_back({found == places_.end() ? names_.size() : found->second, order.size()});
        }
        std::sort(order.begin(), order.end(), [](const Place& a, const Place& b) {
            return a.place != b.place ? a.place < b.place : a.row < b.row;
        });
        std::vector<Record> sorted;
        sorted.reserve(records.size());
        for (const Place& place : order) sorted.push_back(records[place.row]);
        return sorted;
    }

  private:
    std::vector<FileName> names_;
    std::unordered_map<std::uint64_t, std::size_t> places_;
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
    for (const std::string& column : log.not_recorded) facts.push_back({missing_column_fact, column});
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
    const auto posix = files.in_order(log.rows<PosixRecord>());
    const auto stdio = files.in_order(log.rows<StdioRecord>());
    const auto mpiio = files.in_order(log.rows<MpiioRecord>());
    const auto data_files = files.in_order(log.rows<DataFileRecord>());
    const auto datasets = files.in_order(log.rows<DatasetRecord>());
    encoder.files(std::span<const FileName>(files.names()), std::span<const PosixRecord>(posix),
                  std::span<const StdioRecord>(stdio), std::span<const MpiioRecord>(mpiio),
                  std::span<const DataFileRecord>(data_files), std::span<const DatasetRecord>(datasets));
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
