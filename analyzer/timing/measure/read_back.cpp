// Columns by their names, so that others may stand between them.
#include "analyzer/timing/measure/read_back.h"

#include <fmt/format.h>
#include <stdexcept>

#include "parsers/csv/csv_file.h"

namespace fathom::measure {
namespace {

template <class Value>
Value value_in(const CsvFile& file, const CsvRow& row, std::size_t column,
               std::span<const std::string_view> names)
{
    const auto value = named<Value>(names, row.text(column));
    if (!value)
        throw std::runtime_error(fmt::format("{}, line {}: {} \"{}\": there are {}", file.path(), row.line(),
                                             file.names()[column], row.text(column), fmt::join(names, ", ")));
    return *value;
}

// The columns that both files have.
class Configurations {
  public:
    explicit Configurations(const CsvFile& file)
        : file_(file),
          state_(file.column("state")),
          operation_(file.column("operation")),
          memory_(file.column("memory")),
          file_layout_(file.column("file")),
          size_(file.column("size")),
          threads_(file.column("threads")),
          repeat_(file.column("repeat"))
    {}

    Configuration of(const CsvRow& row) const
    {
        return {value_in<State>(file_, row, state_, state_names),
                value_in<Operation>(file_, row, operation_, operation_names),
                value_in<Layout>(file_, row, memory_, layout_names),
                value_in<Layout>(file_, row, file_layout_, layout_names),
                row.whole(size_),
                static_cast<unsigned>(row.whole(threads_)),
                static_cast<unsigned>(row.whole(repeat_))};
    }

  private:
    const CsvFile& file_;
    std::size_t state_, operation_, memory_, file_layout_, size_, threads_, repeat_;
};

}  // namespace

void read_samples(const std::string& path, const std::function<void(const Configuration&, double)>& use,
                  const Tick& tick)
{
    CsvFile file(path);
    const Configurations configurations(file);
    const std::size_t duration = file.column("duration_s");
    file.each_row([&](const CsvRow& row) { use(configurations.of(row), row.number(duration)); }, tick);
}

std::vector<Check> read_checks(const std::string& path)
{
    CsvFile file(path);
    const Configurations configurations(file);
    const std::size_t how = file.column("how"), operations = file.column("operations"),
                      planned = file.column("planned"), bytes = file.column("bytes"),
                      resident_before = file.column("resident_before"),
                      resident_after = file.column("resident_after"), read_bytes = file.column("read_bytes"),
                      write_bytes = file.column("write_bytes"), as_asked = file.column("as_asked"),
                      why = file.column("why");
    std::vector<Check> checks;
    file.each_row([&](const CsvRow& row) {
        Check& check = checks.emplace_back();
        check.configuration = configurations.of(row);
        Observed& seen = check.seen;
        seen.how = value_in<How>(file, row, how, how_names);
        seen.operations = row.whole(operations);
        seen.planned = row.whole(planned);
        seen.bytes = row.whole(bytes);
        const auto known = [&](std::size_t column) { return !row.text(column).empty(); };
        if (known(resident_before)) seen.resident_before = row.number(resident_before);
        if (known(resident_after)) seen.resident_after = row.number(resident_after);
        if (known(read_bytes)) seen.read_bytes = row.whole(read_bytes);
        if (known(write_bytes)) seen.write_bytes = row.whole(write_bytes);
        check.verdict = {value_in<AsAsked>(file, row, as_asked, as_asked_names), std::string(row.text(why))};
    });
    return checks;
}

}  // namespace fathom::measure
