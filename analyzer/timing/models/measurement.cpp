// Reads measurements by the names of their columns.
#include "analyzer/timing/models/measurement.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "parsers/csv/csv_file.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

// What distinguishes one configuration from another, as far as both files have it.
constexpr std::array<std::string_view, 7> key_columns = {"state", "operation", "memory", "file",
                                                         "size",  "threads",   "repeat"};

using SampleColumns = std::array<std::optional<std::size_t>, key_columns.size()>;

SampleColumns sample_columns(const CsvFile& csv)
{
    SampleColumns columns;
    for (std::size_t at = 0; at < key_columns.size(); ++at) columns[at] = csv.find(key_columns[at]);
    return columns;
}

// Those that both have, joined by what no name has in it.
std::string key_of(const CsvRow& row, const SampleColumns& columns, const SampleColumns& others)
{
    std::string key;
    for (std::size_t at = 0; at < columns.size(); ++at)
        if (columns[at] && others[at]) (key += row.text(*columns[at])) += '\n';
    return key;
}

// Configurations that were not as asked.
class Checks {
  public:
    Checks(const std::string& measurement, const SampleColumns& of_measurement)
    {
        fs::path path = measurement;
        path.replace_extension(".checks.csv");
        std::error_code none;
        if (!fs::is_regular_file(path, none)) return;
        CsvFile csv(path.string());
        const auto as_asked = csv.find("as_asked");
        if (!as_asked) return;
        columns_ = sample_columns(csv);
        csv.each_row([&](const CsvRow& row) {
            if (row.text(*as_asked) == "no") refused_.insert(key_of(row, columns_, of_measurement));
        });
    }

    bool refuse(const CsvRow& row, const SampleColumns& columns) const
    {
        return !refused_.empty() && refused_.contains(key_of(row, columns, columns_));
    }

  private:
    SampleColumns columns_;
    std::set<std::string> refused_;
};

}  // namespace

bool is_measurement(const std::string& path)
{
    return CsvFile(path).find("state").has_value();
}

MeasurementNotes each_measured(const std::string& path,
                               const std::function<void(const MeasuredOperation&)>& use, const Tick& tick)
{
    CsvFile csv(path);
    const std::size_t state = csv.column("state"), operation = csv.column("operation"),
                      size = csv.column("size"), duration = csv.column("duration_s");
    const auto memory = csv.find("memory"), file = csv.find("file"), threads = csv.find("threads"),
               start = csv.find("start_s");
    const SampleColumns columns = sample_columns(csv);
    const Checks checks(path, columns);
    MeasurementNotes notes;
    csv.each_row(
        [&](const CsvRow& row) {
            ++notes.rows;
            if (checks.refuse(row, columns)) {
                ++notes.not_as_asked;
                return;
            }
            MeasuredOperation one{.state = row.text(state),
                                  .operation = row.text(operation),
                                  .memory = memory ? row.text(*memory) : "off0",
                                  .file = file ? row.text(*file) : "off0",
                                  .size = row.whole(size),
                                  .threads = threads ? row.whole(*threads) : 1,
                                  .start = start ? row.number(*start) : 0,
                                  .duration = row.number(duration)};
            if (one.duration < 0)
                throw std::runtime_error(
                    fmt::format("{}, line {}: duration_s is {}, below 0: leave the row "
                                "out, or measure again",
                                path, row.line(), one.duration));
            if (one.operation == "read" || one.operation == "write") use(one);
        },
        tick);
    return notes;
}

}  // namespace fathom
