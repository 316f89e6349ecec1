// Writes a log to a file: whole, or not at all.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
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
    explicit FilesByPath(const std::vector<FileName>& names) : names_(names), order_(names.size())
    {
        std::iota(order_.begin(), order_.end(), 0u);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return names[a].path != names[b].path ? names[a].path < names[b].path
                                                  : names[a].file < names[b].file;
        });
        places_.reserve(names.size());
        for (const std::uint32_t at : order_) places_.emplace(names[at].file, places_.size());
    }

    OrderedRows<FileName> names() const { return {names_, order_}; }

    // The places of records among them, in the order of their files' paths.
    template <class Record>
    std::vector<std::uint32_t> order_of(const std::vector<Record>& records) const
    {
        std::vector<std::pair<std::size_t, std::uint32_t>> places;  // of the name, of the record
        places.reserve(records.size());
        for (const Record& record : records) {
            const auto found = places_.find(record.file);
            places.emplace_back(found == places_.end() ? names_.size() : found->second, places.size());
        }
        std::sort(places.begin(), places.end());
        std::vector<std::uint32_t> order;
        order.reserve(places.size());
        for (const auto& [name, record] : places) order.push_back(record);
        return order;
    }

  private:
    const std::vector<FileName>& names_;
    std::vector<std::uint32_t> order_;
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
