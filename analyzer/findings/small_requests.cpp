// Many reads or writes of less than 100 KiB: each costs a system call, whatever it moves.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/classic_netcdf.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/logging.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/sizes.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_requests = 1000;
// Writes into memory take some µs, however busy the machine is: those that take so long (ns) each wait for
// the device, which first has to read what lies around them.
constexpr std::uint64_t few_slow_writes = 200;
constexpr double slow_write = 500e3;
// Of no more than so many requests for each open there is little to put together: small files.
constexpr std::uint64_t least_in_a_row = 2;
constexpr double mostly_in_order = 0.8;

// What the program itself asked of POSIX in small requests.
struct SmallRequests {
    std::uint64_t calls = 0, all_calls = 0;
    double time = 0, excess = 0, least = 0;  // ns, over all processes
    LostTime lost;                           // by rank, in proportion to such requests
    double seeks = 0;                        // between them, in the same files: one for each, or nearly
    std::uint64_t in_order = 0;  // of the calls, those in files of which nearly all follow the last
    const FileCase* most = nullptr;
    std::uint64_t calls_of_most = 0;
    bool timed = true;  // false: the time is their share, by number, of all such requests of their files
};

std::uint64_t small_calls(const SizeHistogram& sizes)
{
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < small_classes; ++at) sum += sizes.count[at];
    return sum;
}

// Bytes in small requests: as many as the record has where all are small, else by the middles of the classes.
double bytes_in_small(const SizeHistogram& sizes, double all_bytes)
{
    double bytes = 0;
    std::uint64_t others = 0;
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at)
        if (at < small_classes)
            bytes += static_cast<double>(sizes.count[at]) * size_of_class(at);
        else
            others += sizes.count[at];
    return others == 0 ? all_bytes : std::min(bytes, all_bytes);
}

// Its writes wait for the device each: larger ones would be quicker too, but that is a finding of its own.
bool is_synced(const RecordView& record)
{
    return record[&PosixRecord::synced_writes] > record[&Transfers::writes] / 2;
}

// Requests of more than 10 KiB, which the system reads ahead or writes behind in larger ones; and writes of a
// page and more, for which it finds new memory, whatever is written at a time.
constexpr std::size_t large_enough = SizeHistogram::class_of((10 << 10) + 1);
constexpr double page = 4096, new_memory_rate_mib = 1024;

// What a byte takes in large requests. Where that is only assumed, those are compared with a device rather
// than with memory.
double ns_per_byte(const Scene::Reference& reference, Direction direction, std::size_t size_class,
                   double each)
{
    constexpr double device_rate_mib = 500;
    if (reference.measured) return reference.ns_per_byte;
    if (size_class >= large_enough) return 1e9 / (device_rate_mib * mebibyte);
    return direction == Direction::write && each >= page ? 1e9 / (new_memory_rate_mib * mebibyte)
                                                         : reference.ns_per_byte;
}

bool is_worth_a_look(const SmallRequests& reads, const SmallRequests& writes)
{
    return reads.calls + writes.calls >= few_requests ||
           (writes.calls >= few_slow_writes && writes.timed &&
            writes.time >= slow_write * static_cast<double>(writes.calls));
}

// So many of the file's requests began where the last one ended.
bool follow_one_another(const FileCase& file, Direction direction, double part)
{
    std::uint64_t calls = 0, consecutive = 0;
    for (const RecordView& record : file.records) {
        if (!record.has_pattern()) continue;
        const bool reads = direction == Direction::read;
        calls += reads ? record[&Transfers::reads] : record[&Transfers::writes];
        consecutive += reads ? record[&Pattern::consecutive_reads] : record[&Pattern::consecutive_writes];
    }
    return static_cast<double>(consecutive) > part * static_cast<double>(calls);
}

SmallRequests small_of(const Scene& scene, Direction direction, const Scene::Reference& reference)
{
    const bool reads = direction == Direction::read;
    SmallRequests small{.lost = LostTime(scene.job)};
    std::uint64_t others = 0;  // beneath MPI-IO, and those that nothing could be put together with
    // Where durations were not recorded by size: by number; and what the bytes would have taken.
    double likely_time = 0, likely_lasting = 0;
    for (const FileCase& file : scene.files) {
        std::uint64_t calls = 0;
        bool synced = false;
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::posix) continue;
            synced = synced || (!reads && is_synced(record));
            const std::uint64_t of_record = small_calls(reads ? record[&Transfers::read_size]
                                                              : record[&Transfers::write_size]),
                                all = reads ? record[&Transfers::reads] : record[&Transfers::writes];
            calls += of_record;
            if (file.use->by_mpiio || all == 0) continue;
            if (!reads && is_synced(record)) continue;
            small.all_calls += all;
            const double part = static_cast<double>(of_record) / static_cast<double>(all);
            likely_time +=
                static_cast<double>(reads ? record[&Transfers::read_time]
                                          : record[&Transfers::write_time] - record[&Transfers::sync_time]) *
                part;
            likely_lasting +=
                bytes_in_small(reads ? record[&Transfers::read_size] : record[&Transfers::write_size],
                               static_cast<double>(reads ? record[&Transfers::bytes_read]
                                                         : record[&Transfers::bytes_written])) *
                reference.ns_per_byte;
        }
        const bool counts = !file.use->by_mpiio && !synced &&
                            calls > least_in_a_row * file.use->system.opens &&
                            (!reads || 2 * file.use->system.bytes_read > calls) &&  // the end of the file
                            (reads || !is_sqlite(file.use->path)) &&  // it writes pages, whatever it is given
                            !(follow_one_another(file, direction, 0.5) && is_buffered_netcdf(scene, file));
        (counts ? small.calls : others) += calls;
        if (counts)
            for (const RecordView& record : file.records)
                if (record.layer == Layer::posix && record.has_pattern() &&
                    record[&Pattern::seeks] > few_requests &&
                    record[&Pattern::seeks] > (record[&Transfers::reads] + record[&Transfers::writes]) / 2 &&
                    (record[&Transfers::reads] >= record[&Transfers::writes]) == reads)
                    small.seeks += static_cast<double>(record[&Pattern::seeks]);
        if (counts)
            for (const RecordView& record : file.records)
                if (record.layer == Layer::posix)
                    small.lost.add(record,
                                   static_cast<double>(small_calls(reads ? record[&Transfers::read_size]
                                                                         : record[&Transfers::write_size])));
        if (counts && follow_one_another(file, direction, mostly_in_order)) small.in_order += calls;
        if (!counts || calls <= small.calls_of_most) continue;
        small.calls_of_most = calls;
        small.most = &file;
    }
    if (small.calls == 0) return small;
    if (!scene.times(Layer::posix, reads ? Kind::read : Kind::write)) {
        small.timed = false;
        small.time = likely_time;
        small.excess = std::max(likely_time - likely_lasting, 0.0);
        return small;
    }
    // Histograms of durations do not show which were those: they are taken to be like the rest.
    const double own = static_cast<double>(small.calls) / static_cast<double>(small.calls + others);
    for (std::size_t at = 0; at < small_classes; ++at) {
        const OperationSum sum = scene.operations(Layer::posix, reads ? Kind::read : Kind::write, at);
        const double each = scene.size_of(Layer::posix, reads ? Kind::read : Kind::write, at),
                     bytes = static_cast<double>(sum.operations) * each;
        double steady = scene.steady_time(Layer::posix, reads ? Kind::read : Kind::write, at);
        if (reads && at >= large_enough &&
            static_cast<double>(small.in_order) >= mostly_in_order * static_cast<double>(small.calls))
            steady = std::min(steady, scene.read_in_order(at));
        small.time += own * static_cast<double>(sum.time);
        small.excess += own * std::max(steady - bytes * ns_per_byte(reference, direction, at, each), 0.0);
        small.least += own * scene.at_least(direction, steady, bytes);
    }
    return small;
}

void add_evidence(Finding& finding, const SmallRequests& small, std::string_view what)
{
    if (small.calls == 0) return;
    finding.evidence.push_back(
        {fmt::format("small_{}", what), fmt::format("{} of up to 100 KiB", what), count(small.calls),
         fmt::format("of {} {}; together they took {}{}, {} each on average", format_count(small.all_calls),
                     what, small.timed ? "" : "about ", format_seconds(small.time / 1e9),
                     format_seconds(small.time / 1e9 / static_cast<double>(small.calls)))});
}

constexpr Remedy follow_in_reads[] = {
    {Language::c,
     "Collect data in memory and move it in pieces of 1 MiB or more:",
     {"read(fd, block, 1 << 20);"}},
    {Language::c,
     "A stream of stdio does so with a large buffer:",
     {"setvbuf(file, NULL, _IOFBF, 4 << 20);"}},
    {Language::unknown,
     "Collect data in memory and move it in pieces of 1 MiB or more. In C through stdio:",
     {"setvbuf(file, NULL, _IOFBF, 4 << 20);"}},
    {Language::unknown, "In Python:", {"open(path, \"rb\", buffering=4 << 20)"}},
    {Language::cxx,
     "Give the stream a large buffer before it opens the file:",
     {"std::vector<char> buffer(4 << 20);", "std::ifstream file;",
      "file.rdbuf()->pubsetbuf(buffer.data(), buffer.size());", "file.open(path, std::ios::binary);"}},
    {Language::fortran, "Read whole arrays by one READ rather than their elements:", {"read(unit) array"}},
    {Language::fortran,
     "Or give gfortran's units larger buffers (from version 10 on):",
     {"export GFORTRAN_UNFORMATTED_BUFFER_SIZE=4194304", "export GFORTRAN_FORMATTED_BUFFER_SIZE=4194304"},
     "libgfortran"},
    {Language::netcdf,
     "Read whole variables, or large blocks of them, by one call. In Fortran it is nf90_get_var with start "
     "and "
     "count:",
     {"nc_get_vara_double(file, variable, start, count, array);"}},
    {Language::pnetcdf,
     "Read whole variables, or large blocks of them, by one call of all ranks. In Fortran it is "
     "nf90mpi_get_var_all:",
     {"ncmpi_get_vara_double_all(file, variable, start, count, array);"}},
    {Language::adios2,
     "Ask for whole blocks, and have ADIOS2 fetch them together at the end of the step:",
     {"adios2_get(engine, variable, array, adios2_mode_deferred);", "adios2_end_step(engine);"}},
    {Language::hdf5,
     "Read whole datasets, or large blocks of them, by one call. In Fortran it is h5dread_f:",
     {"H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array);"}},
    {Language::hdf5,
     "Where blocks of a dataset without chunks have to be small, have HDF5 fetch more at a time:",
     {"H5Pset_sieve_buf_size(file_access, 4 << 20);"}},
    {Language::python, "Give the file a large buffer:", {"open(path, \"rb\", buffering=4 << 20)"}},
    {Language::python, "Or read arrays whole, with NumPy:", {"array = numpy.fromfile(path, dtype=float)"}},
    {Language::h5py,
     "Read a dataset once, or large slices of it, and pick from the array:",
     {"array = dataset[...]"}},
    {Language::h5py,
     "Where the dataset's chunks are small, copy it into larger ones, of 1 MiB or more:",
     {"copy.create_dataset(name, data=dataset[...], chunks=shape_of_chunk)"}},
    {Language::netcdf4,
     "Read a variable once, or large slices of it, and pick from the array:",
     {"array = dataset.variables[name][...]"}},
    {Language::shell,
     "The shell reads a little at a time, line by line: have one program read the file instead of a loop:",
     {"awk '{ print $1 }' FILE", "mapfile -t lines < FILE    # in bash"}},
    {Language::script, "Collect data in memory and read it in pieces of 1 MiB or more."},
    {Language::packaged,
     "PROGRAM came with the system: look for an option of it that sets a buffer or block size."},
    {Language::tar, "Have tar read larger blocks:", {"tar --blocking-factor=2048 -xf ARCHIVE"}},
    {Language::dd, "Have dd move larger blocks:", {"dd if=INPUT of=OUTPUT bs=1M"}},
    {Language::cp, "cp chooses its own block size. dd takes one:", {"dd if=FILE of=COPY bs=4M"}},
    {Language::gzip,
     "gzip has no option for it: let it read and write pipes, and have dd move large blocks:",
     {"dd if=INPUT bs=4M | gzip … | dd of=OUTPUT obs=4M"}},
    {Language::sort,
     "sort reads its input whole where it may use so much memory, and needs no temporary files:",
     {"sort --buffer-size=4G FILE"}},
    {Language::sqlite,
     "Have SQLite keep more of the database in memory, in larger pages:",
     {"PRAGMA cache_size = -1048576;  -- KiB", "PRAGMA page_size = 65536; VACUUM;"}},
};
constexpr Remedy follow_in_writes[] = {
    {Language::c,
     "Collect data in memory and move it in pieces of 1 MiB or more:",
     {"write(fd, block, 1 << 20);"}},
    {Language::c,
     "A stream of stdio does so with a large buffer:",
     {"setvbuf(file, NULL, _IOFBF, 4 << 20);"}},
    {Language::unknown,
     "Collect data in memory and move it in pieces of 1 MiB or more. In C through stdio:",
     {"setvbuf(file, NULL, _IOFBF, 4 << 20);"}},
    {Language::unknown, "In Python:", {"open(path, \"wb\", buffering=4 << 20)"}},
    {Language::cxx,
     "End lines by '\\n', and flush seldom: std::endl and std::flush empty the buffer each time:",
     {"file << value << '\\n';"}},
    {Language::cxx,
     "And give the stream a large buffer before it opens the file:",
     {"std::vector<char> buffer(4 << 20);", "std::ofstream file;",
      "file.rdbuf()->pubsetbuf(buffer.data(), buffer.size());", "file.open(path, std::ios::binary);"}},
    {Language::fortran, "Write whole arrays by one WRITE rather than their elements:", {"write(unit) array"}},
    {Language::fortran,
     "Or give gfortran's units larger buffers (from version 10 on), and FLUSH them less often:",
     {"export GFORTRAN_UNFORMATTED_BUFFER_SIZE=4194304", "export GFORTRAN_FORMATTED_BUFFER_SIZE=4194304"},
     "libgfortran"},
    {Language::netcdf,
     "Write whole variables, or large blocks of them, by one call. In Fortran it is nf90_put_var with start "
     "and "
     "count:",
     {"nc_put_vara_double(file, variable, start, count, array);"}},
    {Language::pnetcdf,
     "Write large blocks by one call of all ranks, or post small ones and have PnetCDF put them together. In "
     "Fortran these are nf90mpi_iput_var and nf90mpi_wait_all:",
     {"ncmpi_iput_vara_double(file, variable, start, count, array, &request);",
      "ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL);"}},
    {Language::adios2,
     "Put whole blocks, and have ADIOS2 write them together at the end of the step, by few ranks:",
     {"adios2_set_parameter(io, \"NumAggregators\", \"8\");",
      "adios2_put(engine, variable, array, adios2_mode_deferred);", "adios2_end_step(engine);"}},
    {Language::hdf5,
     "Write whole datasets, or large blocks of them, by one call. In Fortran it is h5dwrite_f:",
     {"H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array);"}},
    {Language::hdf5,
     "Where a dataset grows, make its chunks 1 MiB or more; collect what HDF5 notes about itself, too:",
     {"H5Pset_chunk(dataset_creation, dimensions, shape_of_chunk);",
      "H5Pset_meta_block_size(file_access, 1 << 20);"}},
    {Language::python, "Give the file a large buffer:", {"open(path, \"wb\", buffering=4 << 20)"}},
    {Language::python,
     "Or write arrays whole, with NumPy:",
     {"numpy.save(path, array)", "array.tofile(file)    # without a header"}},
    {Language::h5py,
     "Fill an array in memory and assign it by one statement, rather than element by element:",
     {"dataset[...] = array"}},
    {Language::h5py,
     "Where a dataset grows, make its chunks 1 MiB or more:",
     {"file.create_dataset(name, shape, dtype, maxshape=limits, chunks=shape_of_chunk)"}},
    {Language::netcdf4,
     "Fill an array in memory and assign it by one statement, rather than element by element:",
     {"variable[...] = array"}},
    {Language::netcdf4,
     "Where the variable grows, make its chunks 1 MiB or more:",
     {"dataset.createVariable(name, \"f8\", dimensions, chunksizes=shape_of_chunk)"}},
    {Language::shell,
     "Each echo is a write of its own: have one program make the lines, or collect them in a pipe:",
     {"awk 'BEGIN { for (i = 0; i < 1000000; i++) print i }' > FILE", "for … done | dd of=FILE obs=4M"}},
    {Language::script, "Collect data in memory and write it in pieces of 1 MiB or more."},
    {Language::packaged,
     "PROGRAM came with the system: look for an option of it that sets a buffer or block size."},
    {Language::tar, "Have tar write larger blocks:", {"tar --blocking-factor=2048 -cf ARCHIVE FOLDER"}},
    {Language::dd, "Have dd move larger blocks:", {"dd if=INPUT of=OUTPUT bs=1M"}},
    {Language::cp, "cp chooses its own block size. dd takes one:", {"dd if=FILE of=COPY bs=4M"}},
    {Language::gzip,
     "gzip has no option for it: let it read and write pipes, and have dd move large blocks:",
     {"dd if=INPUT bs=4M | gzip … | dd of=OUTPUT obs=4M"}},
    {Language::sort,
     "Have sort write into a pipe, and dd into the file; with enough memory it needs no temporary files:",
     {"sort --buffer-size=4G INPUT | dd of=OUTPUT obs=4M"}},
    {Language::sqlite,
     "Put many changes into one transaction, and keep them in larger pages:",
     {"BEGIN; …; COMMIT;", "PRAGMA page_size = 65536; VACUUM;"}},
};
constexpr Remedy tools_of_scripts[] = {
    {Language::packaged,
     "Have one run of PROGRAM do all the work, rather than start it again and again; or look for an option "
     "of it that sets a buffer or block size."},
    {Language::tar,
     "Have one run of tar put all files into the archive, or take all out of it:",
     {"tar -cf ARCHIVE FILES"}},
    {Language::sqlite, "Have one run of sqlite3 do all statements:", {"sqlite3 DATABASE < STATEMENTS"}},
};
// Of C and C++, where the file is a descriptor's, and no stream's.
constexpr Remedy descriptor_reads[] = {
    {Language::c,
     "Move pieces of 1 MiB or more, and take the records from memory:",
     {"read(fd, block, 1 << 20);", "pread(fd, block, 1 << 20, offset);"}},
};
constexpr Remedy descriptor_writes[] = {
    {Language::c,
     "Collect data in memory and move it in pieces of 1 MiB or more:",
     {"write(fd, block, 1 << 20);", "pwrite(fd, block, 1 << 20, offset);"}},
};
// A compressor writes what it has at each flush, which also makes its output larger.
constexpr Remedy compressed_writes[] = {
    {Language::python,
     "Do not flush the compressor for each record: it ends a block each time, which takes longer than the "
     "write. Let it write when its buffer is full:",
     {"with gzip.open(path, \"wb\") as file:",
      "    for record in records: file.write(record)    # no flush()"}},
    {Language::c,
     "Do not flush the compressor for each record, and give it larger pieces:",
     {"gzbuffer(file, 1 << 20);", "deflate(&stream, Z_NO_FLUSH);"}},
};

// The same place again and again.
constexpr Remedy of_one_place[] = {
    {Language::c,
     "They all go to the same few bytes: keep these in memory, and write them at the end, or once in a "
     "while. "
     "A number that several processes share can lie in memory that they share:",
     {"counter = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);",
      "first = atomic_fetch_add(counter, 100);"}},
    {Language::script,
     "They all go to the same few bytes: keep these in memory, and write them at the end, or once in a "
     "while."},
};
// Of NetCDF in its classic format.
constexpr Remedy unbuffered_netcdf[] = {
    {Language::c,
     "Leave out NC_SHARE (in Fortran nf90_share), and syncs after each record: they pass each record on by "
     "itself, and the number of records in the file's header after it:",
     {"nc_create(path, NC_CLOBBER, &file);"}},
    {Language::c,
     "Or write many records by one call. In Fortran it is nf90_put_var with start and count:",
     {"nc_put_vara_double(file, variable, start, count, array);"}},
    {Language::python,
     "Leave out the s behind the mode, and syncs after each record: they pass each record on by itself, and "
     "the number of records in the file's header after it:",
     {"netCDF4.Dataset(path, \"w\", format=\"NETCDF3_CLASSIC\")    # rather than \"ws\""}},
    {Language::python, "Or add many records at a time:", {"variable[first:last] = rows"}},
    {Language::packaged, "Look for an option of PROGRAM that has it buffer what it writes."},
};

constexpr Remedy follow_nothing[] = {
    {Language::c,
     "They do not follow one another: sort them by offset and put neighbours together, or move whole "
     "regions and pick from memory."},
    {Language::hdf5,
     "They do not follow one another: move whole blocks by one call, or have HDF5 keep more chunks in "
     "memory:",
     {"H5Pset_chunk_cache(dataset_access, 12421, 256 << 20, 1.0);"}},
    {Language::h5py,
     "They do not follow one another: move large slices, and pick from the array; or have HDF5 keep more "
     "chunks in memory:",
     {"part = dataset[first:last]", "h5py.File(path, mode, rdcc_nbytes=256 << 20)"}},
    {Language::netcdf4,
     "They do not follow one another: move large slices, and pick from the array; or have more chunks kept "
     "in memory:",
     {"part = variable[first:last]", "variable.set_var_chunk_cache(size=256 << 20)"}},
    {Language::packaged,
     "They do not follow one another. Where PROGRAM has an option for a cache, make it larger; or have it "
     "work on a copy in the node's memory:",
     {"cp FILE /dev/shm/"}},
    {Language::sqlite,
     "They do not follow one another: have SQLite keep more of the database in memory:",
     {"PRAGMA cache_size = -1048576;  -- KiB"}},
};

// The program opened it by open(): the streams of stdio, and those of C++ on top of them, open by fopen().
bool is_of_descriptor(const FileCase& file)
{
    std::uint64_t opens = 0, opens_of_streams = 0;
    for (const RecordView& record : file.records)
        (record.layer == Layer::stdio ? opens_of_streams : opens) += record[&Transfers::opens];
    return opens > 0 && opens_of_streams == 0;
}

std::vector<Advice> advice_on(AdvisedProgram program, const FileCase& file, Direction direction)
{
    const bool reads = direction == Direction::read,
               compiled = program.language == Language::c || program.language == Language::cxx;
    if (!reads && is_compressed(file.use->path) &&
        (compiled || program.language == Language::python || program.language == Language::h5py))
        return advice_in(program, compressed_writes);
    if (compiled && is_of_descriptor(file)) {
        program.language = Language::c;
        return reads ? advice_in(program, descriptor_reads) : advice_in(program, descriptor_writes);
    }
    return reads ? advice_in(program, follow_in_reads) : advice_in(program, follow_in_writes);
}

}  // namespace

MaybeFinding small_requests(const Scene& scene)
{
    const auto &read_reference = scene.reference(Direction::read),
               &write_reference = scene.reference(Direction::write);
    const SmallRequests reads = small_of(scene, Direction::read, read_reference),
                        writes = small_of(scene, Direction::write, write_reference);
    if (!is_worth_a_look(reads, writes)) return {};
    const bool mostly_reads =
        writes.most == nullptr || (reads.most != nullptr && reads.excess >= writes.excess);
    const SmallRequests& more = mostly_reads ? reads : writes;
    const Scene::Reference& reference = mostly_reads ? read_reference : write_reference;
    Finding finding;
    finding.title = fmt::format("{} small {} of up to 100 KiB", format_count(more.calls),
                                mostly_reads ? "reads" : "writes");
    AdvisedProgram program = program_of(scene.job, more.lost, more.most->use->path);
    if (is_sqlite(more.most->use->path)) program.language = Language::sqlite;
    // One that is given the offset, or follows the last, needs no seek.
    const OperationSum all_seeks = scene.operations(Layer::posix, Kind::seek);
    const double each_seek = all_seeks.operations > 0 ? static_cast<double>(all_seeks.time) /
                                                            static_cast<double>(all_seeks.operations)
                                                      : 0,
                 seeking = scene.cost(reads.lost, reads.seeks * each_seek) +
                           scene.cost(writes.lost, writes.seeks * each_seek);
    const double in_calls =
        scene.cost(reads.lost, reads.excess) + scene.cost(writes.lost, writes.excess) + seeking +
        around_calls(scene, program, Around::read, static_cast<double>(reads.calls), reads.lost) +
        around_calls(scene, program, Around::write, static_cast<double>(writes.calls), writes.lost);
    finding.cost = seconds(in_calls);
    finding.cost_basis =
        fmt::format("{} beyond what their bytes would have taken {}",
                    more.timed ? "the time of these requests"
                               : fmt::format("their share, by number, of the time in {} of their files,",
                                             mostly_reads ? "reads" : "writes"),
                    reference.words);
    if (seeking > 0) finding.cost_basis += "; and the seeks between them";
    finding.cost_basis += words_on_interpreter(program);
    if (!reference.measured)
        finding.cost_least = scene.cost(reads.lost, reads.least) + scene.cost(writes.lost, writes.least);
    const bool all_small = more.calls * 10 >= more.all_calls * 9;
    finding.confidence = !more.timed && !all_small          ? Confidence::low
                         : reference.measured && more.timed ? Confidence::high
                                                            : Confidence::medium;
    LoggedMessages made = mostly_reads ? LoggedMessages{} : logged_messages(scene, program);
    // A log that costs little to write is as it should be.
    if (in_calls < std::max(worthy_seconds, worthy_share * scene.run)) made.messages = 0;
    const bool much_logged = made.messages > in_calls / 4;
    if (much_logged) add_messages(finding, made, in_calls, scene.run);
    add_evidence(finding, reads, "reads");
    add_evidence(finding, writes, "writes");
    finding.evidence.push_back(
        {"file", "most of them in", path(more.most->use->path),
         fmt::format("{} small {}", format_count(more.calls_of_most), mostly_reads ? "reads" : "writes")});
    finding.why =
        "Each request costs a system call, and on a network file system often a message, however little it "
        "moves.";
    finding.doubt =
        "Requests that cannot be put together, because each depends on what the last one brought.";
    const AdvisedProgram tool = executable_of(scene.job, more.lost);
    const bool in_order =
        follow_one_another(*more.most, mostly_reads ? Direction::read : Direction::write, 0.5);
    if (is_packaged(tool) && tool.name != program.name)
        finding.advice = advice_in(tool, tools_of_scripts);
    else if (is_unbuffered_netcdf(scene, *more.most))
        finding.advice = advice_in(program, unbuffered_netcdf);
    else if (more.most->is_one_place())
        finding.advice = advice_in(program, of_one_place);
    else if (!in_order)
        finding.advice =
            advice_in(program, follow_nothing);  // a large buffer would fetch megabytes each time
    else
        finding.advice = advice_on(program, *more.most, mostly_reads ? Direction::read : Direction::write);
    if (much_logged) advise_on_messages(finding, program);
    LostTime lost(scene.job);
    lost.add(reads.lost, reads.excess);
    lost.add(writes.lost, writes.excess);
    Found found(std::move(finding), std::move(lost));
    found.metadata = seeking;
    found.file = more.most->use;
    return found;
}

}  // namespace fathom
