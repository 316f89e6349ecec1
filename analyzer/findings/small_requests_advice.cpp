// The advice of small_requests.
#include "analyzer/findings/small_requests_advice.h"

#include "analyzer/findings/classic_netcdf.h"
#include "analyzer/findings/file_names.h"

namespace fathom {
namespace {

using namespace report;

// Of tools that do the same in both directions.
constexpr Remedy larger_blocks_of_dd{
    Language::dd,
    "Have dd move larger blocks; to skip or count bytes no block has to be one byte long:",
    {"dd if=INPUT of=OUTPUT bs=1M",
     "dd if=INPUT of=OUTPUT bs=1M skip=BYTES count=BYTES iflag=skip_bytes,count_bytes"}};
constexpr Remedy dd_for_cp{
    Language::cp, "cp chooses its own block size. dd takes one:", {"dd if=FILE of=COPY bs=4M"}};
constexpr Remedy dd_around_gzip{
    Language::gzip,
    "gzip has no option for it: let it read and write pipes, and have dd move large blocks:",
    {"dd if=INPUT bs=4M | gzip … | dd of=OUTPUT obs=4M"}};

constexpr Remedy follow_in_reads[] = {
    {Language::c,
     "Collect data in memory and move it in pieces of 1 MiB or more:",
     {"read(fd, block, 1 << 20);"}},
    {Language::c, "A stream of stdio does so with a large buffer:", {own_buffer, set_buffer}},
    {Language::unknown,
     "Collect data in memory and move it in pieces of 1 MiB or more. In C through stdio:",
     {own_buffer, set_buffer}},
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
     "and count:",
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
    {Language::python,
     "Leave out buffering=0, without which Python reads 8 KiB and more at a time; a larger buffer helps "
     "beyond that:",
     {"open(path, \"rb\", buffering=4 << 20)"}},
    {Language::python,
     "Or read arrays of numbers whole, with NumPy:",
     {"array = numpy.fromfile(path, dtype=float)"}},
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
    {Language::script,
     "In Java, read through a buffer; a RandomAccessFile has none:",
     {"new DataInputStream(new BufferedInputStream(new FileInputStream(path), 1 << 20))"},
     "java"},
    {Language::script,
     "In Node.js, read the file as a stream:",
     {"fs.createReadStream(path, { highWaterMark: 1 << 20 })"},
     "node"},
    {Language::script, "Collect data in memory and read it in pieces of 1 MiB or more."},
    {Language::packaged,
     "PROGRAM came with the system: look for an option of it that sets a buffer or block size."},
    {Language::tar, "Have tar read larger blocks:", {"tar --blocking-factor=2048 -xf ARCHIVE"}},
    larger_blocks_of_dd,
    dd_for_cp,
    dd_around_gzip,
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
    {Language::c, "A stream of stdio does so with a large buffer:", {own_buffer, set_buffer}},
    {Language::unknown,
     "Collect data in memory and move it in pieces of 1 MiB or more. In C through stdio:",
     {own_buffer, set_buffer}},
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
     "and count:",
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
     "Write whole datasets, or large blocks of them, by one call; and where datasets have chunks, make these "
     "1 MiB or more. In Fortran these are h5dwrite_f and h5pset_chunk_f:",
     {"H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array);",
      "H5Pset_chunk(dataset_creation, dimensions, shape_of_chunk);"}},
    {Language::hdf5,
     "Collect what HDF5 notes about itself, too:",
     {"H5Pset_meta_block_size(file_access, 1 << 20);"}},
    {Language::python,
     "Leave out flush=True of print, flush() after each line, and buffering=0 or 1: Python's own buffer "
     "takes 8 KiB and more, and is written when it is full. A larger one helps beyond that:",
     {"print(line, file=file)    # no flush=True", "open(path, \"wb\", buffering=4 << 20)"}},
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
    {Language::script,
     "In Perl, leave out $| = 1 and autoflush, which write each line by itself:",
     {"$file->autoflush(0);"},
     "perl"},
    {Language::script,
     "In Java, write through a buffer; a RandomAccessFile has none:",
     {"new DataOutputStream(new BufferedOutputStream(new FileOutputStream(path), 1 << 20))"},
     "java"},
    {Language::script,
     "In Node.js, write through a stream rather than by appendFileSync or writeSync:",
     {"const file = fs.createWriteStream(path, { highWaterMark: 1 << 20 });"},
     "node"},
    {Language::script,
     "In Ruby, leave out sync = true, which writes each line by itself:",
     {"file.sync = false"},
     "ruby"},
    {Language::script,
     "In Tcl, leave the channel its buffer, and make it larger:",
     {"fconfigure $channel -buffering full -buffersize 1000000"},
     "tclsh"},
    {Language::script, "Collect data in memory and write it in pieces of 1 MiB or more."},
    {Language::packaged,
     "PROGRAM came with the system: look for an option of it that sets a buffer or block size."},
    {Language::tar,
     "Have tar write larger blocks:",
     {"tar --blocking-factor=2048 -cf ARCHIVE FOLDER", "tar --blocking-factor=2048 -xf ARCHIVE"}},
    larger_blocks_of_dd,
    dd_for_cp,
    dd_around_gzip,
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

// Of Rust, whose programs have the compiler's library without that of C++.
constexpr Remedy reads_of_rust[] = {
    {Language::c,
     "In Rust, read through a buffer:",
     {"let mut file = BufReader::with_capacity(1 << 20, file);"}},
};
constexpr Remedy writes_of_rust[] = {
    {Language::c,
     "In Rust, write through a buffer, and do not flush it in each turn:",
     {"let mut file = BufWriter::with_capacity(1 << 20, file);"}},
};

// Beside others, where each goes to the device by itself.
constexpr Remedy without_direct[] = {
    {Language::c,
     "Where the file is opened with O_DIRECT, leave that out: the system then reads ahead and writes behind. "
     "If it has to be, larger pieces want aligned memory as well:",
     {"posix_memalign(&block, 4096, 1 << 20);"}},
    {Language::python,
     "Where the file is opened with os.O_DIRECT, leave that out: the system then reads ahead and writes "
     "behind."},
    {Language::dd, "Leave out iflag=direct and oflag=direct, too."},
};

// The same place again and again.
constexpr Remedy of_one_place[] = {
    {Language::c,
     "They all go to the same few bytes: keep these in memory, and write them at the end, or once in a "
     "while. A number that several processes share can lie in memory that they share:",
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

// Of several ranks, between each other's.
constexpr Remedy interleaved_writes[] = {
    {Language::c,
     "Ranks write between each other's pieces of one file: have them do so together, by MPI-IO with a view "
     "of the file for each, which puts the pieces of all into large requests:",
     {"MPI_File_set_view(file, offset, type, pieces, \"native\", MPI_INFO_NULL);",
      "MPI_File_write_all(file, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Ranks write between each other's pieces of one file: have them do so together, by MPI-IO with a view "
     "of the file for each, which puts the pieces of all into large requests:",
     {"call MPI_File_set_view(file, offset, type, pieces, \"native\", MPI_INFO_NULL, error)",
      "call MPI_File_write_all(file, buffer, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::python,
     "Ranks write between each other's pieces of one file: have them do so together, by mpi4py with a view "
     "of the file for each, which puts the pieces of all into large requests:",
     {"file.Set_view(offset, MPI.DOUBLE, pieces)", "file.Write_all(array)"}},
};

// In the order of the file, with gaps between them.
constexpr Remedy lie_apart[] = {
    {Language::c,
     "They lie apart, in the order of the file: move the region from the first to the last in pieces of some "
     "MiB, and pick from memory, where the gaps between them are short."},
    {Language::hdf5,
     "They lie apart, in the order of the file: move whole blocks by one call, and pick from memory:",
     {"H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL);"}},
    {Language::h5py,
     "They lie apart, in the order of the file: move large slices, and pick from the array:",
     {"part = dataset[first:last]"}},
    {Language::netcdf4,
     "They lie apart, in the order of the file: move large slices, and pick from the array:",
     {"part = variable[first:last]"}},
    {Language::packaged, "Look for an option of PROGRAM for a larger buffer, cache or limit of memory."},
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
     "Where PROGRAM has an option for a cache or a limit of memory, make it larger, as they do not follow "
     "one another; or have it work on a copy in the node's memory:",
     {"cp FILE /dev/shm/"}},
    {Language::sqlite,
     "They do not follow one another: have SQLite keep more of the database in memory:",
     {"PRAGMA cache_size = -1048576;  -- KiB"}},
};

// A buffer that is full each time is too small; nothing empties it too soon.
constexpr Remedy larger_buffers[] = {
    {Language::cxx,
     "Give the stream a large buffer before it opens the file:",
     {"std::vector<char> buffer(4 << 20);", "std::ofstream file;",
      "file.rdbuf()->pubsetbuf(buffer.data(), buffer.size());", "file.open(path, std::ios::binary);"}},
    {Language::fortran,
     "Give gfortran's units larger buffers (from version 10 on), and FLUSH them less often:",
     {"export GFORTRAN_UNFORMATTED_BUFFER_SIZE=4194304", "export GFORTRAN_FORMATTED_BUFFER_SIZE=4194304"},
     "libgfortran"},
    {Language::script, "Collect data in memory and write it in pieces of 1 MiB or more."},
};

// Pieces that do not wait in a buffer, although there is one: they are large, or something empties it.
constexpr Remedy past_buffers[] = {
    {Language::cxx,
     "Put them together in a string, and write that: a stream of C++ passes pieces of 1 KiB and more on by "
     "themselves, however large its buffer:",
     {"block += record;    // until it has some MiB", "file.write(block.data(), block.size());"}},
    {Language::fortran,
     "FLUSH the unit seldom: gfortran puts what WRITE gives it together, and FLUSH passes it on:",
     {"if (mod(step, 1000) == 0) flush(unit)"},
     "libgfortran"},
    {Language::fortran, "Write whole arrays by one WRITE rather than their elements:", {"write(unit) array"}},
};

// A stream that was open when the program began, such as std::cout with > FILE.
constexpr Remedy standard_streams[] = {
    {Language::cxx,
     "End lines by '\\n' rather than std::endl, and untie the standard streams: std::cout is emptied before "
     "each read of std::cin:",
     {"std::ios::sync_with_stdio(false);", "std::cin.tie(nullptr);"}},
    {Language::c,
     "Leave stdout its buffer: no setbuf(stdout, NULL), and no fflush after each line; a println! of Rust "
     "writes each line by itself:",
     {own_buffer, "setvbuf(stdout, buffer, _IOFBF, sizeof buffer);",
      "let mut out = BufWriter::new(stdout().lock());    // Rust"}},
    {Language::python,
     "Leave standard output its buffer, which it has where it is a file: no python -u, no PYTHONUNBUFFERED, "
     "and no flush=True:",
     {"unset PYTHONUNBUFFERED", "python3 SCRIPT > FILE"}},
};

// Whoever writes it found it open. Streams of C++ are opened in stdio and moved in POSIX.
bool is_redirected(const FileCase& file)
{
    const auto opened = [&](std::int64_t process) {
        return std::any_of(file.records.begin(), file.records.end(), [&](const RecordView& record) {
            return record.process == process && record[&Transfers::opens] > 0;
        });
    };
    bool written = false;
    for (const RecordView& record : file.records) {
        if (record[&Transfers::bytes_written] == 0) continue;
        if (opened(record.process)) return false;
        written = true;
    }
    return written;
}

// The program opened it by open(): the streams of stdio, and those of C++ on top of them, open by fopen().
bool is_of_descriptor(const FileCase& file)
{
    std::uint64_t opens = 0, opens_of_streams = 0;
    for (const RecordView& record : file.records)
        (record.layer == Layer::stdio ? opens_of_streams : opens) += record[&Transfers::opens];
    return opens > 0 && opens_of_streams == 0 && !is_redirected(file);
}

std::vector<Advice> in_larger_pieces(AdvisedProgram program, const FileCase& file,
                                     const RequestsInFile& requests)
{
    const bool reads = requests.direction == Direction::read,
               compiled = program.language == Language::c || program.language == Language::cxx;
    if (!reads && (compiled || is_python(program)) && is_redirected(file))
        return advice_in(program, standard_streams);
    if (!reads && is_compressed(file.use->path) &&
        (compiled || program.language == Language::python || program.language == Language::h5py))
        return advice_in(program, compressed_writes);
    const bool of_descriptor = is_of_descriptor(file);
    std::vector<Advice> advice;
    const auto add = [&](std::span<const Remedy> remedies) {
        for (Advice& one : advice_in(program, remedies)) advice.push_back(std::move(one));
    };
    if (compiled && of_descriptor) {
        program.language = Language::c;
        if (program.uses("libgcc_s") && !program.uses("libstdc++"))
            add(reads ? reads_of_rust : writes_of_rust);
        add(reads ? descriptor_reads : descriptor_writes);
    } else
        add(reads ? std::span<const Remedy>(follow_in_reads) : follow_in_writes);
    if (requests.past_memory && of_descriptor &&
        (program.language == Language::c || program.language == Language::python ||
         program.language == Language::dd))
        add(without_direct);
    return advice;
}

}  // namespace

std::vector<Advice> advice_on_small_requests(const Scene& scene, AdvisedProgram program,
                                             const AdvisedProgram& tool, const FileCase& file,
                                             RequestsInFile requests)
{
    if (is_packaged(tool) && tool.name != program.name) return advice_in(tool, tools_of_scripts);
    if (is_unbuffered_netcdf(scene, file)) return advice_in(program, unbuffered_netcdf);
    if (file.is_one_place()) return advice_in(program, of_one_place);
    // A shell goes back to the end of each line; threads of Node.js take turns to read on.
    const bool goes_on = requests.direction == Direction::read &&
                         (program.language == Language::shell || program.name.starts_with("node"));
    // Out of order, a large buffer would fetch megabytes each time.
    if (!requests.in_order && !goes_on && requests.direction == Direction::write && scene.job.mpi &&
        file.use->system.writers().count > 1 &&
        (program.language == Language::c || program.language == Language::cxx ||
         program.language == Language::fortran || program.language == Language::python))
        return advice_in(program, interleaved_writes);
    if (!requests.in_order && !goes_on)
        return requests.ascending ? advice_in(program, lie_apart) : advice_in(program, follow_nothing);
    if (requests.each >= full_buffer && requests.direction == Direction::write &&
        (program.language == Language::fortran || program.language == Language::script ||
         (program.language == Language::cxx && !is_of_descriptor(file))))
        return advice_in(program, larger_buffers);
    constexpr double past_buffers_of_cxx = 1024;
    if (requests.direction == Direction::write && requests.each < full_buffer &&
        ((program.language == Language::cxx && !is_of_descriptor(file) &&
          requests.each >= past_buffers_of_cxx) ||
         program.language == Language::fortran))
        return advice_in(program, past_buffers);
    return in_larger_pieces(std::move(program), file, requests);
}

}  // namespace fathom
