// Tables of which counter goes where.
#include "analyzer/job/library_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace fathom {
namespace {

template <class Counters>
struct Number {
    std::string_view counter;
    std::uint64_t Counters::*sum;
};
// A duration, or seconds since the job's start.
template <class Counters>
struct Time {
    std::string_view counter;
    std::uint64_t Counters::*to;
    bool instant = false;
};

using D = DatasetCounters;
constexpr Number<D> dataset_numbers[] = {
    {"READS", &D::reads},
    {"INDEP_READS", &D::reads},
    {"COLL_READS", &D::reads},
    {"NB_READS", &D::reads},
    {"COLL_READS", &D::collective_reads},
    {"NB_READS", &D::nonblocking_reads},
    {"WRITES", &D::writes},
    {"INDEP_WRITES", &D::writes},
    {"COLL_WRITES", &D::writes},
    {"NB_WRITES", &D::writes},
    {"COLL_WRITES", &D::collective_writes},
    {"NB_WRITES", &D::nonblocking_writes},
    {"OPENS", &D::opens},
    {"FLUSHES", &D::flushes},
    {"BYTES_READ", &D::bytes_read},
    {"BYTES_WRITTEN", &D::bytes_written},
    {"RW_SWITCHES", &D::switches},
    {"REGULAR_HYPERSLAB_SELECTS", &D::regular},
    {"IRREGULAR_HYPERSLAB_SELECTS", &D::irregular},
    {"POINT_SELECTS", &D::points},
    {"DATATYPE_SIZE", &D::element_bytes},
};
constexpr Time<D> dataset_times[] = {
    {"READ_TIME", &D::read_time},
    {"WRITE_TIME", &D::write_time},
    {"META_TIME", &D::metadata_time},
    {"OPEN_START_TIMESTAMP", &D::first_open, true},
    {"OPEN_END_TIMESTAMP", &D::last_open, true},
    {"READ_START_TIMESTAMP", &D::first_read, true},
    {"READ_END_TIMESTAMP", &D::last_read, true},
    {"WRITE_START_TIMESTAMP", &D::first_write, true},
    {"WRITE_END_TIMESTAMP", &D::last_write, true},
    {"CLOSE_START_TIMESTAMP", &D::first_close, true},
    {"CLOSE_END_TIMESTAMP", &D::last_close, true},
};

using F = DataFileCounters;
constexpr Number<F> file_numbers[] = {
    {"OPENS", &F::opens},      {"CREATES", &F::creates},      {"FLUSHES", &F::flushes},
    {"SYNCS", &F::flushes},    {"REDEFS", &F::redefinitions}, {"INDEP_WAITS", &F::waits},
    {"COLL_WAITS", &F::waits},
};
constexpr Time<F> file_times[] = {
    {"META_TIME", &F::metadata_time},
    {"WAIT_TIME", &F::metadata_time},
    {"WAIT_TIME", &F::wait_time},
    {"OPEN_START_TIMESTAMP", &F::first_open, true},
    {"OPEN_END_TIMESTAMP", &F::last_open, true},
    {"CLOSE_START_TIMESTAMP", &F::first_close, true},
    {"CLOSE_END_TIMESTAMP", &F::last_close, true},
};

// Tools print counters with the library before them, and an F before those of times.
std::string_view bare_name(const LibraryCounter& row)
{
    std::string_view name = row.counter;
    if (name.starts_with(row.library) && name.substr(row.library.size()).starts_with('_'))
        name.remove_prefix(row.library.size() + 1);
    if (name.starts_with("F_")) name.remove_prefix(2);
    return name;
}

std::uint64_t ns_of(double seconds)
{
    constexpr double most = 1e9;  // s
    return seconds > 0 && seconds < most ? static_cast<std::uint64_t>(std::llround(seconds * 1e9)) : 0;
}

// "SIZE_READ_AGG_1K_10K": the class by the end of its name.
void add_size(std::string_view counter, std::uint64_t number, D& sums)
{
    constexpr std::string_view reads = "SIZE_READ_AGG", writes = "SIZE_WRITE_AGG";
    const bool read = counter.starts_with(reads);
    if (!read && !counter.starts_with(writes)) return;
    std::string name(counter.substr(read ? reads.size() : writes.size()));
    if (name.ends_with("PLUS")) name.replace(name.size() - 4, 4, "plus");
    const auto& names = SizeHistogram::names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return;
    (read ? sums.read_size : sums.write_size).count[static_cast<std::size_t>(found - names.begin())] +=
        number;
}

// Chunks come with the fastest dimension first: D1.
void add_shape(std::string_view counter, std::uint64_t number, D& sums)
{
    constexpr std::string_view chunk = "CHUNK_SIZE_D";
    if (counter == "DATASPACE_NDIMS" || counter == "NDIMS") sums.dimensions.rank = number;
    if (counter == "IS_RECORD_VAR") sums.layout = static_cast<std::uint64_t>(DataLayout::record_variable);
    if (!counter.starts_with(chunk) || counter.size() != chunk.size() + 1) return;
    const auto place = static_cast<std::size_t>(counter.back() - '1');
    if (place >= Extents::most) return;
    sums.layout = static_cast<std::uint64_t>(DataLayout::chunked);
    sums.chunk.rank = std::max<std::uint64_t>(sums.chunk.rank, place + 1);
    sums.chunk.extent[place] = number;
}

// What else there is to do about a counter.
enum class Beside : std::uint8_t { nothing, size, shape, collective, by_mpiio, bytes_read, bytes_written };

Beside beside(std::string_view name)
{
    if (name.starts_with("SIZE_")) return Beside::size;
    if (name.starts_with("CHUNK_SIZE_D") || name == "DATASPACE_NDIMS" || name == "NDIMS" ||
        name == "IS_RECORD_VAR")
        return Beside::shape;
    if (name == "USE_MPIIO_COLLECTIVE") return Beside::collective;
    if (name == "USE_MPIIO") return Beside::by_mpiio;
    if (name == "BYTES_READ") return Beside::bytes_read;
    return name == "BYTES_WRITTEN" ? Beside::bytes_written : Beside::nothing;
}

// Where the counters of one name go. Logs have the same names over and over.
template <class Counters>
class Places {
  public:
    template <std::size_t n, std::size_t m>
    Places(std::string_view bare, const Number<Counters> (&numbers)[n], const Time<Counters> (&times)[m])
        : name(bare), besides(beside(bare))
    {
        for (const Number<Counters>& one : numbers)
            if (one.counter == name) numbers_.at(number_count_++) = &one;
        for (const Time<Counters>& one : times)
            if (one.counter == name) times_.at(time_count_++) = &one;
    }

    void add(const LibraryCounter& row, std::uint64_t start, Counters& sums) const
    {
        for (const Time<Counters>* const one : std::span(times_).first(time_count_))
            if (const std::uint64_t ns = ns_of(row.seconds); ns > 0)
                sums.*(one->to) += ns + (one->instant ? start : 0);
        if (row.number <= 0) return;
        for (const Number<Counters>* const one : std::span(numbers_).first(number_count_))
            sums.*(one->sum) += static_cast<std::uint64_t>(row.number);
    }

    std::string_view name;
    Beside besides;

  private:
    static constexpr std::size_t most = 2;  // that one name goes to
    std::array<const Number<Counters>*, most> numbers_{};
    std::array<const Time<Counters>*, most> times_{};
    std::size_t number_count_ = 0, time_count_ = 0;
};

// By their names, which mostly are the same texts in memory in all rows.
template <class Counters>
class PlacesByName {
  public:
    template <std::size_t n, std::size_t m>
    const Places<Counters>& of(const LibraryCounter& row, const Number<Counters> (&numbers)[n],
                               const Time<Counters> (&times)[m])
    {
        constexpr std::size_t most = 1024;
        const auto text = by_text_.find(row.counter.data());
        if (text != by_text_.end() && text->second.bytes == row.counter.size() &&
            text->second.library == row.library.data())
            return *text->second.places;
        const std::string_view name = bare_name(row);
        const Places<Counters>& places = by_name_.try_emplace(name, name, numbers, times).first->second;
        if (by_text_.size() < most)
            by_text_[row.counter.data()] = {row.counter.size(), row.library.data(), &places};
        return places;
    }

  private:
    struct Text {
        std::size_t bytes = 0;
        const char* library = nullptr;
        const Places<Counters>* places = nullptr;
    };
    std::unordered_map<const char*, Text> by_text_;
    std::unordered_map<std::string_view, Places<Counters>> by_name_;
};

bool is_same(std::string_view a, std::string_view b)
{
    return (a.data() == b.data() && a.size() == b.size()) || a == b;
}

bool is_of_file(std::string_view library)
{
    return library == "H5F" || library == "PNETCDF_FILE";
}

}  // namespace

DarshanObjects objects_of_darshan(const Log& log)
{
    DarshanObjects objects;
    std::uint64_t start = 0;
    for (const Process& process : log.rows<Process>())
        start = start == 0 ? process.start : std::min(start, process.start);
    using Key = std::tuple<std::uint64_t, std::int64_t, std::string_view>;
    std::map<Key, DatasetRecord*> datasets;
    std::map<Key, DataFileRecord*> files;
    // Rows of one record stand together.
    const LibraryCounter* before = nullptr;
    const auto is_as_before = [&](const LibraryCounter& row) {
        return before != nullptr && before->file == row.file && before->process == row.process &&
               is_same(before->library, row.library);
    };
    const auto record_of = [](auto& known, auto& made, const LibraryCounter& row) {
        const auto [found, fresh] = known.try_emplace(Key{row.file, row.process, row.library}, nullptr);
        if (fresh) {
            found->second = &made.emplace_back();
            found->second->file = row.file;
            found->second->process = row.process;
            found->second->processes = 1;
            found->second->library = static_cast<std::uint64_t>(
                row.library.starts_with("PNETCDF") ? DataLibrary::pnetcdf : DataLibrary::hdf5);
        }
        return found->second;
    };
    ToldByDarshan* told = nullptr;
    DataFileRecord* file = nullptr;
    DatasetRecord* dataset = nullptr;
    PlacesByName<D> of_datasets;
    PlacesByName<F> of_files;
    for (const LibraryCounter& row : log.rows<LibraryCounter>()) {
        if (!is_as_before(row)) {
            told = &objects.told[row.file];
            const bool of_file = is_of_file(row.library);
            file = of_file ? record_of(files, objects.files, row) : nullptr;
            dataset = of_file ? nullptr : record_of(datasets, objects.datasets, row);
        }
        before = &row;
        if (dataset != nullptr && row.container != 0) dataset->container = row.container;
        if (row.number <= 0 && !(row.seconds > 0)) continue;  // most are 0, or -1: not recorded
        const auto number = static_cast<std::uint64_t>(std::max<std::int64_t>(row.number, 0));
        if (file != nullptr) {
            const Places<F>& places = of_files.of(row, file_numbers, file_times);
            places.add(row, start, *file);
            if (places.besides == Beside::by_mpiio && number > 0) {
                file->driver = static_cast<std::uint64_t>(FileDriver::mpiio);
                file->collective_opens = file->opens;
            }
            if (places.besides == Beside::bytes_read) told->bytes_read += number;
            if (places.besides == Beside::bytes_written) told->bytes_written += number;
            continue;
        }
        const Places<D>& places = of_datasets.of(row, dataset_numbers, dataset_times);
        places.add(row, start, *dataset);
        if (number == 0) continue;
        if (places.besides == Beside::size) add_size(places.name, number, *dataset);
        if (places.besides == Beside::shape) add_shape(places.name, number, *dataset);
        if (places.besides == Beside::collective) told->collective = true;
    }
    // A record of several does not say of how many: all ranks.
    std::uint64_t ranks = 0;
    for (const Process& process : log.rows<Process>()) ranks += process.rank >= 0 ? 1 : 0;
    const auto finish = [&](auto& record) {
        if (record.process == reduced) record.processes = std::max<std::uint64_t>(ranks, 1);
    };
    for (DatasetRecord& record : objects.datasets) {
        finish(record);
        const auto rank = static_cast<std::ptrdiff_t>(record.chunk.rank);
        std::reverse(record.chunk.extent.begin(), record.chunk.extent.begin() + rank);
    }
    for (DataFileRecord& record : objects.files) finish(record);
    return objects;
}

}  // namespace fathom
