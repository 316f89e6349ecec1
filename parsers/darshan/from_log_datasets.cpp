// Files, datasets and variables of HDF5 and PnetCDF: which counter of Darshan is made of which of ours.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/darshan/from_log_parts.h"
#include "parsers/darshan/told_records.h"

namespace fathom::darshan {
namespace {

constexpr std::int64_t not_known = -1;
constexpr std::size_t shape_dimensions = 5, common_shapes = 4;

std::uint64_t less(std::uint64_t all, std::uint64_t part)
{
    return all - std::min(all, part);
}

template <class Row>
struct CountOf {
    std::string_view counter;
    std::uint64_t (*of)(const Row&);
};
// A duration, or an instant.
template <class Row>
struct SecondsOf {
    std::string_view counter;
    std::uint64_t (*of)(const Row&);
    bool instant = false;
};

// HDF5's number of points is that of the largest extents that a dataset had.
std::uint64_t points_of(const Extents& of)
{
    if (of.rank > Extents::most) return 0;
    std::uint64_t points = 1;
    for (std::size_t at = 0; at < of.rank; ++at)
        if (__builtin_mul_overflow(points, of.extent[at], &points)) return 0;
    return points;
}

using F = DataFileRecord;
constexpr CountOf<F> h5f_counts[] = {
    {"OPENS", [](const F& r) { return r.opens + r.creates; }},
    {"FLUSHES", [](const F& r) { return r.flushes; }},
    {"USE_MPIIO",
     [](const F& r) { return std::uint64_t{r.driver == static_cast<std::uint64_t>(FileDriver::mpiio)}; }},
};
// Darshan has no time in groups and attributes.
constexpr SecondsOf<F> h5f_seconds[] = {
    {"OPEN_START_TIMESTAMP", [](const F& r) { return r.first_open; }, true},
    {"OPEN_END_TIMESTAMP", [](const F& r) { return r.last_open; }, true},
    {"CLOSE_START_TIMESTAMP", [](const F& r) { return r.first_close; }, true},
    {"CLOSE_END_TIMESTAMP", [](const F& r) { return r.last_close; }, true},
    {"META_TIME", [](const F& r) { return r.open_time + r.close_time + r.flush_time; }},
};
constexpr CountOf<F> pnetcdf_file_counts[] = {
    {"CREATES", [](const F& r) { return r.creates; }},
    {"OPENS", [](const F& r) { return r.opens; }},
    {"REDEFS", [](const F& r) { return r.redefinitions; }},
    {"COLL_WAITS", [](const F& r) { return r.waits; }},
    {"SYNCS", [](const F& r) { return r.flushes; }},
};
constexpr SecondsOf<F> pnetcdf_file_seconds[] = {
    {"OPEN_START_TIMESTAMP", [](const F& r) { return r.first_open; }, true},
    {"OPEN_END_TIMESTAMP", [](const F& r) { return r.last_open; }, true},
    {"CLOSE_START_TIMESTAMP", [](const F& r) { return r.first_close; }, true},
    {"CLOSE_END_TIMESTAMP", [](const F& r) { return r.last_close; }, true},
    {"META_TIME", [](const F& r) { return less(r.metadata_time, r.wait_time + r.attribute_time); }},
    {"WAIT_TIME", [](const F& r) { return r.wait_time; }},
};
constexpr std::string_view pnetcdf_file_unknown[] = {"INDEP_WAITS", "BYTES_READ", "BYTES_WRITTEN",
                                                     "WAIT_FAILURES"};

using D = DatasetRecord;
constexpr CountOf<D> h5d_counts[] = {
    {"OPENS", [](const D& r) { return r.opens + r.creates; }},
    {"READS", [](const D& r) { return r.reads; }},
    {"WRITES", [](const D& r) { return r.writes; }},
    {"FLUSHES", [](const D& r) { return r.flushes; }},
    {"BYTES_READ", [](const D& r) { return r.bytes_read; }},
    {"BYTES_WRITTEN", [](const D& r) { return r.bytes_written; }},
    {"RW_SWITCHES", [](const D& r) { return r.switches; }},
    {"REGULAR_HYPERSLAB_SELECTS", [](const D& r) { return r.regular; }},
    {"IRREGULAR_HYPERSLAB_SELECTS", [](const D& r) { return r.irregular; }},
    {"POINT_SELECTS", [](const D& r) { return r.points; }},
    {"MAX_READ_TIME_SIZE", [](const D& r) { return r.slowest_read.size; }},
    {"MAX_WRITE_TIME_SIZE", [](const D& r) { return r.slowest_write.size; }},
    {"DATASPACE_NDIMS", [](const D& r) { return r.dimensions.rank; }},
    {"DATASPACE_NPOINTS", [](const D& r) { return points_of(r.dimensions); }},
    {"DATATYPE_SIZE", [](const D& r) { return r.element_bytes; }},
    {"USE_MPIIO_COLLECTIVE",
     [](const D& r) { return std::uint64_t{r.collective_reads + r.collective_writes > 0}; }},
};
// Of variables that grow Darshan counts the points of one record.
bool is_record_variable(const D& r)
{
    return r.layout == static_cast<std::uint64_t>(DataLayout::record_variable);
}
Extents of_a_record(const D& r)
{
    Extents record = r.dimensions;
    if (record.rank > 0) record.extent[0] = 1;
    return record;
}
constexpr std::string_view h5d_unknown[] = {"USE_DEPRECATED"};
constexpr CountOf<D> pnetcdf_var_counts[] = {
    {"OPENS", [](const D& r) { return r.opens + r.creates; }},
    {"INDEP_READS", [](const D& r) { return less(r.reads, r.collective_reads + r.nonblocking_reads); }},
    {"INDEP_WRITES", [](const D& r) { return less(r.writes, r.collective_writes + r.nonblocking_writes); }},
    {"COLL_READS", [](const D& r) { return r.collective_reads; }},
    {"COLL_WRITES", [](const D& r) { return r.collective_writes; }},
    {"NB_READS", [](const D& r) { return r.nonblocking_reads; }},
    {"NB_WRITES", [](const D& r) { return r.nonblocking_writes; }},
    {"BYTES_READ", [](const D& r) { return r.bytes_read; }},
    {"BYTES_WRITTEN", [](const D& r) { return r.bytes_written; }},
    {"RW_SWITCHES", [](const D& r) { return r.switches; }},
    {"MAX_READ_TIME_SIZE", [](const D& r) { return r.slowest_read.size; }},
    {"MAX_WRITE_TIME_SIZE", [](const D& r) { return r.slowest_write.size; }},
    {"NDIMS", [](const D& r) { return r.dimensions.rank; }},
    {"NPOINTS", [](const D& r) { return points_of(is_record_variable(r) ? of_a_record(r) : r.dimensions); }},
    {"DATATYPE_SIZE", [](const D& r) { return r.element_bytes; }},
    {"IS_RECORD_VAR", [](const D& r) { return std::uint64_t{is_record_variable(r)}; }},
};
// Darshan counts flushes as metadata.
constexpr SecondsOf<D> dataset_seconds[] = {
    {"OPEN_START_TIMESTAMP", [](const D& r) { return r.first_open; }, true},
    {"OPEN_END_TIMESTAMP", [](const D& r) { return r.last_open; }, true},
    {"READ_START_TIMESTAMP", [](const D& r) { return r.first_read; }, true},
    {"READ_END_TIMESTAMP", [](const D& r) { return r.last_read; }, true},
    {"WRITE_START_TIMESTAMP", [](const D& r) { return r.first_write; }, true},
    {"WRITE_END_TIMESTAMP", [](const D& r) { return r.last_write; }, true},
    {"CLOSE_START_TIMESTAMP", [](const D& r) { return r.first_close; }, true},
    {"CLOSE_END_TIMESTAMP", [](const D& r) { return r.last_close; }, true},
    {"READ_TIME", [](const D& r) { return r.read_time; }},
    {"WRITE_TIME", [](const D& r) { return less(r.write_time, r.flush_time); }},
    {"META_TIME", [](const D& r) { return r.metadata_time + r.flush_time; }},
    {"MAX_READ_TIME", [](const D& r) { return r.slowest_read.time; }},
    {"MAX_WRITE_TIME", [](const D& r) { return r.slowest_write.time; }},
};

// One record after the other of a module, by the names of its counters.
template <class Row>
class LibraryMaker {
  public:
    LibraryMaker(const LogView& view, Module module, std::span<const CountOf<Row>> counts,
                 std::span<const SecondsOf<Row>> seconds, std::span<const std::string_view> unknown)
        : view_(view),
          module_(module),
          known_(*counters_of(module)),
          counts_(counts),
          seconds_(seconds),
          numbers_(known_.numbers.size()),
          times_(known_.times.size())
    {
        for (const auto& one : counts) count_places_.push_back(place(known_.numbers, one.counter));
        for (const auto& one : seconds) time_places_.push_back(place(known_.times, one.counter));
        for (const std::string_view one : unknown) unknown_.push_back(place(known_.numbers, one));
    }

    void begin(const Row& record, std::int64_t rank)
    {
        std::fill(numbers_.begin(), numbers_.end(), 0);
        std::fill(times_.begin(), times_.end(), 0.0);
        rank_ = rank;
        for (const std::size_t at : unknown_) numbers_[at] = not_known;
        for (std::size_t at = 0; at < counts_.size(); ++at)
            numbers_[count_places_[at]] = static_cast<std::int64_t>(counts_[at].of(record));
        for (std::size_t at = 0; at < seconds_.size(); ++at) {
            const std::uint64_t time = seconds_[at].of(record);
            times_[time_places_[at]] =
                seconds_[at].instant ? view_.seconds_at(time) : static_cast<double>(time) / 1e9;
        }
    }
    void set(std::string_view counter, std::uint64_t number)
    {
        numbers_[place(known_.numbers, counter)] = static_cast<std::int64_t>(number);
    }
    void set_from(std::string_view counter, std::size_t offset, std::uint64_t number)
    {
        numbers_[place(known_.numbers, counter) + offset] = static_cast<std::int64_t>(number);
    }
    void leave_out_from(std::string_view counter, std::size_t offset)
    {
        numbers_[place(known_.numbers, counter) + offset] = not_known;
    }
    void write(const Row& record, std::uint64_t container, Writer& writer)
    {
        writer.add(module_, CounterRecord{view_.id_of(record.file), rank_,
                                          container == 0 ? 0 : view_.id_of(container), numbers_, times_});
    }
    // Who was fastest and slowest is recorded of shared objects alone.
    void add_sharing(const Sharing& record)
    {
        if (rank_ >= 0) return;
        constexpr double square_of_second = 1e18;
        numbers_[place(known_.numbers, "FASTEST_RANK")] =
            view_.rank_of(record.fastest.process).value_or(reduced);
        numbers_[place(known_.numbers, "SLOWEST_RANK")] =
            view_.rank_of(record.slowest.process).value_or(reduced);
        set("FASTEST_RANK_BYTES", record.fastest.bytes);
        set("SLOWEST_RANK_BYTES", record.slowest.bytes);
        times_[place(known_.times, "FASTEST_RANK_TIME")] = static_cast<double>(record.fastest.time) / 1e9;
        times_[place(known_.times, "SLOWEST_RANK_TIME")] = static_cast<double>(record.slowest.time) / 1e9;
        times_[place(known_.times, "VARIANCE_RANK_TIME")] = record.time.variance() / square_of_second;
        times_[place(known_.times, "VARIANCE_RANK_BYTES")] = record.bytes.variance();
    }

  private:
    static std::size_t place(std::span<const std::string_view> names, std::string_view name)
    {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) throw std::logic_error(fmt::format("Darshan has no {}", name));
        return static_cast<std::size_t>(found - names.begin());
    }

    const LogView& view_;
    Module module_;
    const Counters& known_;
    std::span<const CountOf<Row>> counts_;
    std::span<const SecondsOf<Row>> seconds_;
    std::vector<std::size_t> count_places_, time_places_, unknown_;
    std::vector<std::int64_t> numbers_;
    std::vector<double> times_;
    std::int64_t rank_ = 0;
};

// The four commonest sizes. Of the shapes of accesses we have the commonest one: it is that of the size that
// it makes. Darshan's last dimension of HDF5 is the slowest, of PnetCDF the first.
void add_shapes(const DatasetRecord& record, DataLibrary library, LibraryMaker<DatasetRecord>& maker)
{
    const auto place_of = [&](std::size_t dimension) {
        return library == DataLibrary::pnetcdf ? dimension : shape_dimensions - 1 - dimension;
    };
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        maker.set_from("SIZE_READ_AGG_0_100", at, record.read_size.count[at]);
        maker.set_from("SIZE_WRITE_AGG_0_100", at, record.write_size.count[at]);
    }
    auto common = record.common_size.slot;
    std::sort(common.begin(), common.end(), [](const auto& a, const auto& b) {
        return a.count != b.count ? a.count > b.count : a.size > b.size;
    });
    constexpr std::size_t numbers_of_shape = 1 + 2 * shape_dimensions;
    for (std::size_t at = 0; at < common_shapes; ++at) {
        const std::size_t offset = at * numbers_of_shape;
        maker.set_from("ACCESS1_ACCESS", offset, common[at].size);
        maker.set_from("ACCESS1_COUNT", at, common[at].count);
        if (common[at].count == 0) continue;
        const Extents* shape = nullptr;
        for (const CommonShape* const one : {&record.write_shape, &record.read_shape})
            if (one->lead > 0 && one->shape.rank <= shape_dimensions &&
                points_of(one->shape) * record.element_bytes == common[at].size)
                shape = &one->shape;
        for (std::size_t dimension = 0; dimension < shape_dimensions; ++dimension) {
            maker.leave_out_from("ACCESS1_STRIDE_D1", offset + dimension);
            if (shape == nullptr)
                maker.leave_out_from("ACCESS1_LENGTH_D1", offset + dimension);
            else
                maker.set_from("ACCESS1_LENGTH_D1", offset + place_of(dimension),
                               dimension < shape->rank ? shape->extent[dimension] : 0);
        }
    }
}

void write_files(const LogView& view, DataLibrary library, LibraryMaker<DataFileRecord> maker, Module module,
                 Writer& writer)
{
    const ToldRecords<DataFileRecord> records(view);
    records.each([&](const DataFileRecord& record, std::int64_t rank) {
        if (record.library != static_cast<std::uint64_t>(library)) return;
        maker.begin(record, rank);
        maker.write(record, 0, writer);
    });
    if (records.without_some_files()) writer.mark_partial(module);
}

template <class Finish>
void write_objects(const LogView& view, DataLibrary library, LibraryMaker<DatasetRecord> maker, Module module,
                   Writer& writer, Finish finish)
{
    const ToldRecords<DatasetRecord> records(view);
    records.each([&](const DatasetRecord& record, std::int64_t rank) {
        if (record.library != static_cast<std::uint64_t>(library)) return;
        maker.begin(record, rank);
        add_shapes(record, library, maker);
        finish(record, maker);
        maker.add_sharing(record);
        maker.write(record, record.container, writer);
    });
    if (records.without_some_files()) writer.mark_partial(module);
}

// From the fastest dimension on; Darshan has the first five.
void add_chunk(const DatasetRecord& record, LibraryMaker<DatasetRecord>& maker)
{
    const std::size_t known = std::min<std::size_t>(record.chunk.rank, Extents::most);
    for (std::size_t at = 0; at < std::min(known, shape_dimensions); ++at)
        maker.set_from("CHUNK_SIZE_D1", at, record.chunk.extent[known - 1 - at]);
}

// Which function of PnetCDF it was is not recorded.
void leave_out_functions(const DatasetRecord&, LibraryMaker<DatasetRecord>& maker)
{
    constexpr std::size_t functions = 32;  // from PUT_VAR to BPUT_VARN
    for (std::size_t at = 0; at < functions; ++at) maker.leave_out_from("PUT_VAR", at);
}

}  // namespace

void write_library(const LogView& view, Module module, Writer& writer)
{
    switch (module) {
        case Module::h5f:
            return write_files(view, DataLibrary::hdf5, {view, module, h5f_counts, h5f_seconds, {}}, module,
                               writer);
        case Module::h5d:
            return write_objects(view, DataLibrary::hdf5,
                                 {view, module, h5d_counts, dataset_seconds, h5d_unknown}, module, writer,
                                 add_chunk);
        case Module::pnetcdf_file:
            return write_files(
                view, DataLibrary::pnetcdf,
                {view, module, pnetcdf_file_counts, pnetcdf_file_seconds, pnetcdf_file_unknown}, module,
                writer);
        case Module::pnetcdf_var:
            return write_objects(view, DataLibrary::pnetcdf,
                                 {view, module, pnetcdf_var_counts, dataset_seconds, {}}, module, writer,
                                 leave_out_functions);
        default:
            return;
    }
}

}  // namespace fathom::darshan
