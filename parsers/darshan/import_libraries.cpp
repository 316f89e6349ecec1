// Counters of HDF5 and PnetCDF, a row each where they are not 0.
#include <fmt/format.h>

#include "parsers/darshan/import.h"

namespace fathom::darshan {
namespace {

constexpr Module libraries[] = {Module::h5f, Module::h5d, Module::pnetcdf_file, Module::pnetcdf_var};

class LibraryImport {
  public:
    LibraryImport(Import& import, const Counters& counters) : import_(import), counters_(counters) {}

    void run()
    {
        import_.problem(import_.file.each_record(counters_.module,
                                                 [&](const CounterRecord& record) { return add(record); }));
        import_.tell_of_no_rank(counters_.module, of_no_rank_);
        if (full_)
            import_.problem(
                fmt::format("module {}: it has more records than a file of this size should; "
                            "those after the first were left out",
                            name_of(counters_.module)));
    }

  private:
    bool add(const CounterRecord& record)
    {
        const auto process = import_.process_of(record.rank);
        if (!process) {
            ++of_no_rank_;
            return true;
        }
        auto& rows = import_.log.rows<LibraryCounter>();
        LibraryCounter row;
        row.library = name_of(counters_.module);
        row.process = *process;
        row.file =
            import_.names.id_of(record.id, counters_.has_container ? NameKind::object : NameKind::file);
        row.container = record.container == 0 ? 0 : import_.names.id_of(record.container);
        const std::size_t before = rows.size();
        if (rows.capacity() < before + record.numbers.size() + record.times.size())
            rows.reserve(2 * (before + record.numbers.size() + record.times.size()));
        for (std::size_t at = 0; at < record.numbers.size(); ++at) {
            // The first counter, opens, says that there is a record even where it is 0.
            if (record.numbers[at] == 0 && at > 0) continue;
            row.counter = counters_.numbers[at];
            row.number = record.numbers[at];
            rows.push_back(row);
        }
        row.number = 0;
        for (std::size_t at = 0; at < record.times.size(); ++at) {
            if (record.times[at] == 0) continue;
            row.counter = counters_.times[at];
            row.seconds = record.times[at];
            rows.push_back(row);
        }
        full_ = !import_.take((rows.size() - before) * sizeof row + sizeof(FileName) + 256);
        return !full_;
    }

    Import& import_;
    const Counters& counters_;
    std::uint64_t of_no_rank_ = 0;
    bool full_ = false;
};

}  // namespace

void import_libraries(Import& import)
{
    for (const Module library : libraries)
        if (import.file.find(library) != nullptr) LibraryImport(import, *counters_of(library)).run();
}

}  // namespace fathom::darshan
