// The advice of redundant_reads.
#include "analyzer/findings/redundant_reads_advice.h"

#include <algorithm>

#include "analyzer/findings/file_names.h"

namespace fathom {
namespace {

using namespace report;

constexpr Remedy read_again_remedies[] = {
    {Language::c,
     "Keep what was read, or map the file, which leaves that to the system:",
     {"mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);"}},
    {Language::fortran,
     "Read it into an array once, before the loop, and take values from there, rather than by REWIND; where "
     "it is opened with access=\"direct\", with a recl as long as the file:",
     {"read(unit) array(:, record)    ! of each record in turn",
      "read(unit, rec=1) array    ! access=\"direct\""}},
    {Language::hdf5,
     "Read the dataset once, before the loop; or have HDF5 keep its chunks in memory:",
     {"H5Pset_chunk_cache(dataset_access, 12421, 256 << 20, 1.0);"}},
    {Language::python,
     "Keep what was read, also where a function reads it:",
     {"@functools.cache", "def read(path): …"}},
    {Language::python,
     "Or map the file, which leaves that to the system:",
     {"array = numpy.load(path, mmap_mode=\"r\")    # of .npy",
      "array = numpy.memmap(path, dtype, \"r\")    # of bare numbers"}},
    {Language::h5py, "Read the dataset into an array once, before the loop:", {"array = dataset[...]"}},
    {Language::h5py,
     "Or have HDF5 keep its chunks in memory, of which each dataset has 1 MiB at first:",
     {"h5py.File(path, \"r\", rdcc_nbytes=256 << 20)"}},
    {Language::netcdf4, "Read the variable into an array once, before the loop:", {"array = variable[...]"}},
    {Language::netcdf4,
     "Or have its chunks kept in memory:",
     {"variable.set_var_chunk_cache(size=256 << 20)"}},
    {Language::script, "Keep in memory what was read."},
    {Language::shell, "Read it once, in bash into a variable:", {"mapfile -t lines < FILE"}},
    {Language::packaged,
     "PROGRAM goes through the file several times: look for an option that has it take more at a time, such "
     "as a larger batch, index, cache or limit of memory."},
};
constexpr Remedy emptying_seeks_remedies[] = {
    {Language::cxx,
     "Leave out seekg where the next piece follows the last one; take pieces that lie close to each other "
     "from memory:",
     {"file.read(reinterpret_cast<char*>(&record), sizeof record);    // no seekg before it"}},
    {Language::script, "Leave out seeks where the next piece follows the last one."},
};
// Which nothing maps.
constexpr Remedy read_zip_again_remedies[] = {
    {Language::python,
     "Take each array, or member, out of the archive once, before the loop: archive[name] of numpy.load "
     "reads it anew each time:",
     {"weights = archive[\"weights\"]", "arrays = dict(numpy.load(path))"}},
};
// Of datasets that lie in one piece, without chunks that could be kept.
constexpr Remedy read_piece_again_remedies[] = {
    {Language::hdf5,
     "Read the dataset once, before the loop; or select the part that is wanted, and read no more:",
     {"H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL);"}},
    {Language::h5py, "Read the dataset into an array once, before the loop:", {"array = dataset[...]"}},
    {Language::h5py,
     "Or read the part that is wanted, and no more:",
     {"row = dataset[number]    # rather than dataset[...][number]"}},
    {Language::netcdf4, "Read the variable into an array once, before the loop:", {"array = variable[...]"}},
    {Language::netcdf4,
     "Or read the part that is wanted, and no more:",
     {"row = variable[number]    # rather than variable[...][number]"}},
};

// A mapping of text has to be taken apart as well.
constexpr Remedy read_text_again_remedies[] = {
    {Language::c, "Read and take apart the file once, before the loop, and keep what was made of it."},
    {Language::fortran,
     "Read it into an array once, before the loop, and take values from there:",
     {"read(unit, *) array"}},
    {Language::python,
     "Read and take apart the file once, also where a function does so, and keep what was made of it:",
     {"@functools.cache", "def load(path): …"}},
    {Language::python,
     "Where memory has no room for a table, go through it once, in parts:",
     {"for part in pandas.read_csv(path, chunksize=100_000): …    # rather than skiprows= in each turn"}},
    {Language::script, "Read and take apart the file once, before the loop, and keep what was made of it."},
    {Language::shell, "Read it once, in bash into a variable:", {"mapfile -t lines < FILE"}},
    {Language::packaged,
     "PROGRAM goes through the file several times: look for an option that has it take more at a time, such "
     "as a larger batch, index, cache or limit of memory."},
};
// What was read stays as it is: only what came behind it is new.
constexpr Remedy read_growing_remedies[] = {
    {Language::c,
     "Read on from where the last read ended, as the file grows: keep it open, or keep the offset:",
     {"pread(fd, block, sizeof block, seen);    // then seen += what it returned"}},
    {Language::cxx,
     "Read on from where the last read ended, as the file grows: keep the stream, and clear its end of file:",
     {"file.clear();    // then getline again"}},
    {Language::fortran,
     "Read on from where the last read ended, as the file grows: keep the unit open, and step back over its "
     "end:",
     {"read(unit, '(a)', iostat=status) line    ! status < 0: backspace(unit)"}},
    {Language::python,
     "Read on from where the last read ended, as the file grows: keep the file open, or keep the offset:",
     {"file.seek(seen)", "new = file.read(); seen = file.tell()"}},
    {Language::script, "Read on from where the last read ended, as the file grows: keep the offset."},
    {Language::shell, "Take only what is new, as the file grows:", {"tail -c +$((seen + 1)) FILE"}},
};
// Of what is compressed: to go back is to begin anew.
constexpr Remedy read_compressed_again_remedies[] = {
    {Language::c,
     "Go through it once, in order, or unpack it before: a compressed file begins anew at each step back:",
     {"gzip -d < FILE > COPY"}},
    {Language::python,
     "Open it once and take what is in it in the order in which it lies there, or unpack it once: a "
     "compressed file begins anew at each step back:",
     {"for member in archive: data = archive.extractfile(member).read()    # tarfile",
      "archive.extractall(folder)", "gzip -d < FILE > COPY    # in a shell"}},
    {Language::shell,
     "Unpack it once, or have one command do in one pass what several do:",
     {"gzip -d < FILE > COPY", "gzip -d < FILE | awk '…'"}},
    {Language::gzip,
     "Unpack it once, and have the programs behind the pipe read the copy:",
     {"gzip -d < FILE > COPY"}},
    {Language::packaged,
     "Have PROGRAM take more at a time, by an option for a larger batch, index, cache or limit of memory."},
    {Language::packaged, "Or unpack it once, and have PROGRAM read the copy:", {"gzip -d < FILE > COPY"}},
};
// Of a database of SQLite, by whatever program.
constexpr Remedy read_database_again_remedies[] = {
    {Language::sqlite,
     "Queries that go through the whole table each time want an index, which spares their work as well:",
     {"EXPLAIN QUERY PLAN SELECT …;    -- SCAN: no index", "CREATE INDEX name ON table_name(column);"}},
    {Language::sqlite,
     "Or have SQLite keep more of the database in memory: its cache has 2 MB at first:",
     {"PRAGMA cache_size = -1048576;  -- KiB", "PRAGMA mmap_size = 1073741824;"}},
};

constexpr Remedy by_index_remedies[] = {
    {Language::packaged,
     "An index of the file is there: have PROGRAM take regions by it, and all of them in one run:",
     {"bcftools view -R REGIONS FILE.vcf.gz", "samtools view -M -L REGIONS FILE.bam",
      "tabix -R REGIONS FILE.gz"}},
};

constexpr Remedy read_up_to_part_remedies[] = {
    {Language::script, "Have one run take all parts that are wanted."},
    {Language::packaged,
     "Have one run of PROGRAM take all parts that are wanted; make an index of the file, where PROGRAM has a "
     "command for that; or look for an option that has it go to the part before it reads: now each run reads "
     "from the beginning up to its part."},
};
constexpr Remedy read_by_all_remedies[] = {
    {Language::c,
     "Where each rank works on a part, have it read no more than that:",
     {"pread(fd, part, length, offset);"}},
    {Language::fortran,
     "Where each rank works on a part, have it read no more than that:",
     {"open (newunit=unit, file=path, access=\"stream\")", "read(unit, pos=first) part"}},
    {Language::hdf5,
     "Where each rank works on a part, have it read no more than that:",
     {"H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL);"}},
    {Language::python,
     "Where each rank works on a part, have it read no more than that:",
     {"part = numpy.array(numpy.load(path, mmap_mode=\"r\")[first:last])    # of .npy"}},
    {Language::h5py,
     "Where each rank works on a part, have it read no more than that:",
     {"part = dataset[first:last]"}},
    {Language::netcdf4,
     "Where each rank works on a part, have it read no more than that:",
     {"part = variable[first:last]"}},
    {Language::c,
     "Where all need all of it, read it on one rank and send it to the others:",
     {"if (rank == 0) read_all(buffer, length);", "MPI_Bcast(buffer, length, MPI_BYTE, 0, MPI_COMM_WORLD);"}},
    {Language::c,
     "Or have MPI-IO do so:",
     {"MPI_File_read_at_all(file, 0, buffer, length, MPI_BYTE, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Where all need all of it, read it on one rank and send it to the others:",
     {"if (rank == 0) read(unit) array",
      "call MPI_Bcast(array, size(array), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)"}},
    {Language::fortran,
     "Or have MPI-IO do so:",
     {"call MPI_File_read_at_all(file, 0_MPI_OFFSET_KIND, array, size(array), MPI_DOUBLE_PRECISION, &",
      "                          MPI_STATUS_IGNORE, error)"}},
    {Language::hdf5,
     "Where all need all of it, read it on one rank and send it to the others:",
     {"if (rank == 0) H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array);",
      "MPI_Bcast(array, length, MPI_DOUBLE, 0, MPI_COMM_WORLD);"}},
    {Language::python,
     "Where all need all of it, read it on one rank and send it to the others, with mpi4py:",
     {"array = numpy.load(path) if comm.rank == 0 else numpy.empty(shape)", "comm.Bcast(array, root=0)"}},
    {Language::h5py,
     "Where all need all of it, read it on one rank and send it to the others, with mpi4py:",
     {"array = dataset[...] if comm.rank == 0 else numpy.empty(shape)", "comm.Bcast(array, root=0)"}},
    {Language::netcdf4,
     "Where all need all of it, read it on one rank and send it to the others, with mpi4py:",
     {"array = variable[...] if comm.rank == 0 else None", "array = comm.bcast(array, root=0)"}},
    {Language::script,
     "Have each rank read only the part that it works on; or read it on one rank and send it."},
    {Language::packaged,
     "Copy it once to each node, and have PROGRAM read it there:",
     {"srun --ntasks-per-node=1 cp FILE /dev/shm/"}},
};

constexpr const char* deal_out = "Deal the files out to the ranks, and have each send what it found to all:";
constexpr Remedy deal_out_remedies[] = {
    {Language::c,
     deal_out,
     {"for (int file = rank; file < files; file += ranks) read_one(file);",
      "MPI_Allgatherv(found, count, type, all, counts, places, type, MPI_COMM_WORLD);"}},
    {Language::fortran,
     deal_out,
     {"do file = rank + 1, files, ranks",
      "call MPI_Allgatherv(found, count, type, all, counts, places, type, "
      "MPI_COMM_WORLD, error)"}},
    {Language::python,
     deal_out,
     {"found = [load(path) for path in paths[comm.rank::comm.size]]", "all_found = comm.allgather(found)"}},
};

constexpr Remedy read_by_processes_remedies[] = {
    {Language::c,
     "Read it before fork(), so that the children have it; or map it, so that all use the system's one copy:",
     {"mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);"}},
    {Language::python,
     "Read it before the workers start: those that are forked have it already:",
     {"data = read(path)",
      "with multiprocessing.get_context(\"fork\").Pool() as pool: pool.map(work, parts)"}},
    {Language::python,
     "Or map it:",
     {"array = numpy.load(path, mmap_mode=\"r\")    # of .npy",
      "array = numpy.memmap(path, dtype, \"r\")    # of bare numbers"}},
    {Language::script, "Have one process read it for all."},
    {Language::shell,
     "Have one process do in one pass what many do, such as look for several patterns, or sums of several "
     "columns:",
     {"grep -f PATTERNS FILE", "awk 'NR == FNR { keys[$1]; next } $1 in keys' KEYS FILE",
      "awk '{ a += $1; b += $2 } END { print a, b }' FILE"}},
    {Language::packaged, "Have one run of PROGRAM do what these runs do, where it takes several tasks."},
    {Language::gzip,
     "Decompress the file once, into another or into one pipe, and have one program take from it all that is "
     "wanted:",
     {"gzip -dc FILE.gz > FILE", "gzip -dc FILE.gz | awk '{ sum[$1] += $2 } END { … }'"}},
};

bool is_archive_of_tar(std::string_view path)
{
    constexpr std::string_view endings[] = {".tgz", ".txz", ".tbz", ".tbz2", ".tzst"};
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return name.find(".tar.") != std::string_view::npos ||
           std::any_of(std::begin(endings), std::end(endings),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

constexpr Remedy members_remedies[] = {
    {Language::tar,
     "Have one run of tar take out all that is wanted, or all there is: each run unpacks the archive from "
     "its beginning:",
     {"tar -xf ARCHIVE MEMBER MEMBER …"}},
};

// A file beside it that says where in it which region of a genome is.
bool is_indexed(const Scene& scene, std::string_view path)
{
    constexpr std::string_view endings[] = {".tbi", ".csi", ".bai", ".crai", ".gzi", ".fai"};
    return std::any_of(scene.files.begin(), scene.files.end(), [&](const FileCase& file) {
        const std::string_view other = file.use->path;
        return other.starts_with(path) && std::find(std::begin(endings), std::end(endings),
                                                    other.substr(path.size())) != std::end(endings);
    });
}

// Of the file's datasets, as far as they are known.
bool has_no_chunks(const Scene& scene, std::string_view path)
{
    bool known = false;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        if (!one.own || one.container != path) continue;
        if (one.sums.layout != static_cast<std::uint64_t>(DataLayout::contiguous)) return false;
        known = true;
    }
    return known;
}

}  // namespace

std::vector<Advice> advice_on_redundant_reads(const Scene& scene, const AdvisedProgram& program,
                                              std::string_view path, ReadAgainBy by)
{
    if (by == ReadAgainBy::seeks_of_stream) return advice_in(program, emptying_seeks_remedies);
    if (by == ReadAgainBy::same_as_it_grows) return advice_in(program, read_growing_remedies);
    const bool same_process = by == ReadAgainBy::same_process || by == ReadAgainBy::same_by_formats,
               mpi = scene.job.mpi;
    if (same_process &&
        (program.language == Language::sqlite || (is_sqlite(path) && program.uses("libsqlite3"))))
        return advice_in({.language = Language::sqlite}, read_database_again_remedies);
    if (!same_process && program.language == Language::packaged && is_indexed(scene, path))
        return advice_in(program, by_index_remedies);
    if (!same_process && !mpi && is_archive_of_tar(path))
        return advice_in({.language = Language::tar}, members_remedies);
    if (is_compressed(path) && (same_process || !mpi)) {
        std::vector<Advice> advice = advice_in(program, read_compressed_again_remedies);
        if (!is_archive_of_tar(path))
            for (Advice& one : advice)
                std::erase_if(one.lines,
                              [](std::string_view line) { return line.find("extract") < line.size(); });
        return advice;
    }
    if (same_process && is_zip(path) && is_python(program))
        return advice_in(program, read_zip_again_remedies);
    const bool by_hdf5 = program.language == Language::hdf5 || program.language == Language::h5py ||
                         program.language == Language::netcdf4;
    if (same_process && by_hdf5 && has_no_chunks(scene, path))
        return advice_in(program, read_piece_again_remedies);
    if (same_process)
        return advice_in(program, is_text(path) || is_pickled(path) || by == ReadAgainBy::same_by_formats
                                      ? std::span<const Remedy>(read_text_again_remedies)
                                      : read_again_remedies);
    if (by == ReadAgainBy::others_in_part) return advice_in(program, read_up_to_part_remedies);
    if (by == ReadAgainBy::others_file_by_file && !is_packaged(program))
        return advice_in(program, deal_out_remedies);
    if (mpi) return advice_in(program, read_by_all_remedies);
    if (by == ReadAgainBy::tasks)
        return {
            {"Have each task read only its part of the file, from the place where that begins, or give "
             "each a file of its own."}};
    // A shell starts it for each line, key or column.
    const bool awk = program.name.ends_with("awk");
    return advice_in(awk ? AdvisedProgram{.language = Language::shell} : program, read_by_processes_remedies);
}

}  // namespace fathom
