// The modules of Darshan's logs and the counters of their records, by name and in the order of the newest
// version of each (the logs' format 3.41).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fathom::darshan {

// In the order of the slots of format 3.41; logs before it have fewer (container.cpp).
enum class Module : std::uint8_t {
    none,
    posix,
    mpiio,
    h5f,
    h5d,
    pnetcdf_file,
    pnetcdf_var,
    bgq,
    lustre,
    stdio,
    dxt_posix,
    dxt_mpiio,
    mdhim,
    apxc,
    apmpi,
    heatmap,
    dfs,
    daos,
};
inline constexpr std::size_t known_modules = 18;
inline constexpr std::array<std::string_view, known_modules> module_names = {
    "none",  "POSIX",     "MPI-IO",    "H5F",   "H5D",  "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "LUSTRE",
    "STDIO", "DXT_POSIX", "DXT_MPIIO", "MDHIM", "APXC", "APMPI",        "HEATMAP",     "DFS",  "DAOS"};

constexpr std::string_view name_of(Module module)
{
    return module_names[static_cast<std::size_t>(module)];
}

// The counters of a module whose records are all alike: whole numbers, then times in seconds (a few are
// variances), the latter with F_ in their names. A value of -1 means that it was not recorded.
struct Counters {
    Module module{};
    std::uint32_t version = 0;  // the newest one that is known
    std::string_view prefix;    // of the names as Darshan prints them: POSIX_OPENS, POSIX_F_READ_TIME
    std::span<const std::string_view> numbers, times;
    bool has_container = false;  // an id of the file that the object is in precedes the numbers
};

// Null for modules whose records are not like that, or that are not decoded.
const Counters* counters_of(Module module);

namespace detail {
consteval std::size_t place_of(std::span<const std::string_view> names, std::string_view name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw "no counter has this name";
    return static_cast<std::size_t>(found - names.begin());
}

// Names that several modules have. Transfers by size; Darshan calls those AGG that all ranks of a record did.
inline constexpr auto sizes_of_all_ranks = std::to_array<std::string_view>(
    {"SIZE_READ_AGG_0_100",   "SIZE_READ_AGG_100_1K",    "SIZE_READ_AGG_1K_10K",   "SIZE_READ_AGG_10K_100K",
     "SIZE_READ_AGG_100K_1M", "SIZE_READ_AGG_1M_4M",     "SIZE_READ_AGG_4M_10M",   "SIZE_READ_AGG_10M_100M",
     "SIZE_READ_AGG_100M_1G", "SIZE_READ_AGG_1G_PLUS",   "SIZE_WRITE_AGG_0_100",   "SIZE_WRITE_AGG_100_1K",
     "SIZE_WRITE_AGG_1K_10K", "SIZE_WRITE_AGG_10K_100K", "SIZE_WRITE_AGG_100K_1M", "SIZE_WRITE_AGG_1M_4M",
     "SIZE_WRITE_AGG_4M_10M", "SIZE_WRITE_AGG_10M_100M", "SIZE_WRITE_AGG_100M_1G", "SIZE_WRITE_AGG_1G_PLUS"});
// The four commonest sizes.
inline constexpr auto common_accesses =
    std::to_array<std::string_view>({"ACCESS1_ACCESS", "ACCESS2_ACCESS", "ACCESS3_ACCESS", "ACCESS4_ACCESS",
                                     "ACCESS1_COUNT", "ACCESS2_COUNT", "ACCESS3_COUNT", "ACCESS4_COUNT"});
// The four commonest shapes of accesses to datasets and variables.
inline constexpr auto access_shapes = std::to_array<std::string_view>(
    {"ACCESS1_ACCESS",    "ACCESS1_LENGTH_D1", "ACCESS1_LENGTH_D2", "ACCESS1_LENGTH_D3", "ACCESS1_LENGTH_D4",
     "ACCESS1_LENGTH_D5", "ACCESS1_STRIDE_D1", "ACCESS1_STRIDE_D2", "ACCESS1_STRIDE_D3", "ACCESS1_STRIDE_D4",
     "ACCESS1_STRIDE_D5", "ACCESS2_ACCESS",    "ACCESS2_LENGTH_D1", "ACCESS2_LENGTH_D2", "ACCESS2_LENGTH_D3",
     "ACCESS2_LENGTH_D4", "ACCESS2_LENGTH_D5", "ACCESS2_STRIDE_D1", "ACCESS2_STRIDE_D2", "ACCESS2_STRIDE_D3",
     "ACCESS2_STRIDE_D4", "ACCESS2_STRIDE_D5", "ACCESS3_ACCESS",    "ACCESS3_LENGTH_D1", "ACCESS3_LENGTH_D2",
     "ACCESS3_LENGTH_D3", "ACCESS3_LENGTH_D4", "ACCESS3_LENGTH_D5", "ACCESS3_STRIDE_D1", "ACCESS3_STRIDE_D2",
     "ACCESS3_STRIDE_D3", "ACCESS3_STRIDE_D4", "ACCESS3_STRIDE_D5", "ACCESS4_ACCESS",    "ACCESS4_LENGTH_D1",
     "ACCESS4_LENGTH_D2", "ACCESS4_LENGTH_D3", "ACCESS4_LENGTH_D4", "ACCESS4_LENGTH_D5", "ACCESS4_STRIDE_D1",
     "ACCESS4_STRIDE_D2", "ACCESS4_STRIDE_D3", "ACCESS4_STRIDE_D4", "ACCESS4_STRIDE_D5", "ACCESS1_COUNT",
     "ACCESS2_COUNT",     "ACCESS3_COUNT",     "ACCESS4_COUNT"});
// Of records that stand for all ranks.
inline constexpr auto extreme_ranks = std::to_array<std::string_view>(
    {"FASTEST_RANK", "FASTEST_RANK_BYTES", "SLOWEST_RANK", "SLOWEST_RANK_BYTES"});

// The names of some lists as one.
template <std::size_t... n>
consteval auto one_after_the_other(const std::array<std::string_view, n>&... lists)
{
    std::array<std::string_view, (n + ...)> all;
    auto at = all.begin();
    ((at = std::copy(lists.begin(), lists.end(), at)), ...);
    return all;
}
}  // namespace detail

// The places of a module's counters, checked by the compiler: record.numbers[posix("BYTES_READ")] and
// record.times[transfer_time("READ_TIME")].
inline constexpr auto posix_calls = std::to_array<std::string_view>({"OPENS",
                                                                     "FILENOS",
                                                                     "DUPS",
                                                                     "READS",
                                                                     "WRITES",
                                                                     "SEEKS",
                                                                     "STATS",
                                                                     "MMAPS",
                                                                     "FSYNCS",
                                                                     "FDSYNCS",
                                                                     "RENAME_SOURCES",
                                                                     "RENAME_TARGETS",
                                                                     "RENAMED_FROM",
                                                                     "MODE",
                                                                     "BYTES_READ",
                                                                     "BYTES_WRITTEN",
                                                                     "MAX_BYTE_READ",
                                                                     "MAX_BYTE_WRITTEN",
                                                                     "CONSEC_READS",
                                                                     "CONSEC_WRITES",
                                                                     "SEQ_READS",
                                                                     "SEQ_WRITES",
                                                                     "RW_SWITCHES",
                                                                     "MEM_NOT_ALIGNED",
                                                                     "MEM_ALIGNMENT",
                                                                     "FILE_NOT_ALIGNED",
                                                                     "FILE_ALIGNMENT",
                                                                     "MAX_READ_TIME_SIZE",
                                                                     "MAX_WRITE_TIME_SIZE",
                                                                     "SIZE_READ_0_100",
                                                                     "SIZE_READ_100_1K",
                                                                     "SIZE_READ_1K_10K",
                                                                     "SIZE_READ_10K_100K",
                                                                     "SIZE_READ_100K_1M",
                                                                     "SIZE_READ_1M_4M",
                                                                     "SIZE_READ_4M_10M",
                                                                     "SIZE_READ_10M_100M",
                                                                     "SIZE_READ_100M_1G",
                                                                     "SIZE_READ_1G_PLUS",
                                                                     "SIZE_WRITE_0_100",
                                                                     "SIZE_WRITE_100_1K",
                                                                     "SIZE_WRITE_1K_10K",
                                                                     "SIZE_WRITE_10K_100K",
                                                                     "SIZE_WRITE_100K_1M",
                                                                     "SIZE_WRITE_1M_4M",
                                                                     "SIZE_WRITE_4M_10M",
                                                                     "SIZE_WRITE_10M_100M",
                                                                     "SIZE_WRITE_100M_1G",
                                                                     "SIZE_WRITE_1G_PLUS",
                                                                     "STRIDE1_STRIDE",
                                                                     "STRIDE2_STRIDE",
                                                                     "STRIDE3_STRIDE",
                                                                     "STRIDE4_STRIDE",
                                                                     "STRIDE1_COUNT",
                                                                     "STRIDE2_COUNT",
                                                                     "STRIDE3_COUNT",
                                                                     "STRIDE4_COUNT"});
inline constexpr auto posix_numbers =
    detail::one_after_the_other(posix_calls, detail::common_accesses, detail::extreme_ranks);

// POSIX, MPI-IO, H5D and PNETCDF_VAR have the same times.
inline constexpr std::string_view transfer_times[] = {"OPEN_START_TIMESTAMP",
                                                      "READ_START_TIMESTAMP",
                                                      "WRITE_START_TIMESTAMP",
                                                      "CLOSE_START_TIMESTAMP",
                                                      "OPEN_END_TIMESTAMP",
                                                      "READ_END_TIMESTAMP",
                                                      "WRITE_END_TIMESTAMP",
                                                      "CLOSE_END_TIMESTAMP",
                                                      "READ_TIME",
                                                      "WRITE_TIME",
                                                      "META_TIME",
                                                      "MAX_READ_TIME",
                                                      "MAX_WRITE_TIME",
                                                      "FASTEST_RANK_TIME",
                                                      "SLOWEST_RANK_TIME",
                                                      "VARIANCE_RANK_TIME",
                                                      "VARIANCE_RANK_BYTES"};

inline constexpr auto mpiio_calls = std::to_array<std::string_view>(
    {"INDEP_OPENS", "COLL_OPENS", "INDEP_READS", "INDEP_WRITES", "COLL_READS", "COLL_WRITES", "SPLIT_READS",
     "SPLIT_WRITES", "NB_READS", "NB_WRITES", "SYNCS", "HINTS", "VIEWS", "MODE", "BYTES_READ",
     "BYTES_WRITTEN", "RW_SWITCHES", "MAX_READ_TIME_SIZE", "MAX_WRITE_TIME_SIZE"});
inline constexpr auto mpiio_numbers = detail::one_after_the_other(
    mpiio_calls, detail::sizes_of_all_ranks, detail::common_accesses, detail::extreme_ranks);

inline constexpr auto stdio_numbers = std::to_array<std::string_view>(
    {"OPENS", "FDOPENS", "READS", "WRITES", "SEEKS", "FLUSHES", "BYTES_WRITTEN", "BYTES_READ",
     "MAX_BYTE_READ", "MAX_BYTE_WRITTEN", "FASTEST_RANK", "FASTEST_RANK_BYTES", "SLOWEST_RANK",
     "SLOWEST_RANK_BYTES"});
inline constexpr std::string_view stdio_times[] = {"META_TIME",
                                                   "WRITE_TIME",
                                                   "READ_TIME",
                                                   "OPEN_START_TIMESTAMP",
                                                   "CLOSE_START_TIMESTAMP",
                                                   "WRITE_START_TIMESTAMP",
                                                   "READ_START_TIMESTAMP",
                                                   "OPEN_END_TIMESTAMP",
                                                   "CLOSE_END_TIMESTAMP",
                                                   "WRITE_END_TIMESTAMP",
                                                   "READ_END_TIMESTAMP",
                                                   "FASTEST_RANK_TIME",
                                                   "SLOWEST_RANK_TIME",
                                                   "VARIANCE_RANK_TIME",
                                                   "VARIANCE_RANK_BYTES"};

consteval std::size_t posix(std::string_view name)
{
    return detail::place_of(posix_numbers, name);
}
consteval std::size_t mpiio(std::string_view name)
{
    return detail::place_of(mpiio_numbers, name);
}
consteval std::size_t stdio(std::string_view name)
{
    return detail::place_of(stdio_numbers, name);
}
consteval std::size_t stdio_time(std::string_view name)
{
    return detail::place_of(stdio_times, name);
}
// Of POSIX, MPI-IO, H5D and PNETCDF_VAR.
consteval std::size_t transfer_time(std::string_view name)
{
    return detail::place_of(transfer_times, name);
}

}  // namespace fathom::darshan
