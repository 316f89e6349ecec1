// In which language a job's findings give advice.
#include "analyzer/findings/language.h"

#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Matchers::Contains;

namespace {

struct Ran {
    std::string_view program, libraries;
};

// A process that writes to a file, 1,000 bytes at a time.
Synthetic writer(const Ran& ran, std::string_view path = "/data")
{
    Synthetic made;
    made.process(-1);
    made.log.rows<Process>().front().program = ran.program;
    made.log.rows<Process>().front().libraries = ran.libraries;
    large(made, made.file("/large"), 0);
    calls(made, made.file(path), 0, Direction::write, 10'000, 1000, ms);
    return made;
}

Language language_of(const Ran& ran)
{
    const Synthetic made = writer(ran);
    return program_of(Job(made.log)).language;
}

std::string small_writes(const Ran& ran, std::string_view path = "/data")
{
    return lines_of(finding_of(writer(ran, path).log, "small_requests"));
}

std::string words_of(const report::Finding& finding)
{
    std::string all;
    for (const report::Advice& advice : finding.advice) all += advice.text + "\n";
    return all;
}

// Two ranks that write to a file by MPI-IO, 1,000 bytes at a time, each by itself.
Synthetic ranks_of(const Ran& ran, MpiioRecord** first = nullptr)
{
    Synthetic made;
    made.ranks(2);
    for (Process& process : made.log.rows<Process>()) {
        process.program = ran.program;
        process.libraries = ran.libraries;
    }
    const std::uint64_t file = made.file("/shared");
    made.log.rows<MpiioRecord>().reserve(2);
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        MpiioRecord& row = through_mpiio(made, file, rank, 1000, 1000, 10 * ms);
        made.io<PosixRecord>(file, rank, {.bytes_written = 1'000'000, .write_time = 9 * second},
                             Scope::beneath_mpiio);
        if (first != nullptr && rank == 0) *first = &row;
    }
    return made;
}

constexpr Ran of_c = {"/home/user/app", "libc"}, of_cxx = {"/home/user/app", "libc libstdc++"},
              of_fortran = {"/home/user/app", "libc libgfortran"},
              of_hdf5 = {"/home/user/app", "libc libhdf5"}, of_python = {"/usr/bin/python3.11", "libc"},
              of_h5py = {"/usr/bin/python3.11", "libc libhdf5"}, of_shell = {"/usr/bin/dash", ""},
              of_netcdf4 = {"/usr/bin/python3.11", "libc libhdf5 libnetcdf"},
              of_perl = {"/usr/bin/perl", "libc"}, of_tar = {"/usr/bin/tar", "libc"},
              of_sqlite = {"/usr/bin/sqlite3", "libc libsqlite3"}, of_tool = {"/usr/bin/rsync", "libc"};

}  // namespace

TEST_CASE("language: by the executable's name and the libraries that it had loaded")
{
    const std::pair<Ran, Language> known[] = {
        {{"/home/user/app", ""}, Language::unknown},
        {{"", ""}, Language::unknown},
        {of_c, Language::c},
        {of_cxx, Language::cxx},
        {{"/home/user/app", "libc libc++"}, Language::cxx},
        {of_fortran, Language::fortran},
        {{"/home/user/app", "libc libstdc++ libgfortran"}, Language::fortran},
        {{"/home/user/app", "libc libmpi_mpifh"}, Language::fortran},
        {of_hdf5, Language::hdf5},
        {{"/home/user/app", "libc libgfortran libhdf5"}, Language::hdf5},
        {of_python, Language::python},
        {{"/home/user/conda/bin/python3", "libc libstdc++ libpython3"}, Language::python},
        {{"/home/user/python", ""}, Language::python},
        {{"/home/user/frozen", "libc libpython3"}, Language::python},
        {of_h5py, Language::h5py},
        {of_netcdf4, Language::netcdf4},
        {{"/home/user/app", "libc libhdf5 libnetcdf"}, Language::netcdf},
        {{"/home/user/app", "libc libgfortran libpnetcdf"}, Language::pnetcdf},
        {{"/home/user/app", "libc libstdc++ libhdf5 libadios2"}, Language::adios2},
        {of_shell, Language::shell},
        {{"/bin/bash", "libc"}, Language::shell},
        {of_perl, Language::script},
        {{"/usr/bin/perl5.36.0", ""}, Language::script},
        {of_tar, Language::tar},
        {{"/bin/dd", ""}, Language::dd},
        {of_sqlite, Language::sqlite},
        {of_tool, Language::packaged},
        {{"/usr/lib/git-core/git", "libc"}, Language::packaged},
        {{"/usr/sbin/logrotate", "libc"}, Language::packaged},
        {{"/usr/local/bin/tar", "libc"}, Language::c},
        {{"/home/user/sort", "libc"}, Language::c},
    };
    for (const auto& [ran, language] : known) {
        INFO(ran.program << " " << ran.libraries);
        CHECK(language_of(ran) == language);
    }
}

TEST_CASE("language: a packaged program that has Python inside is no script")
{
    Synthetic made;
    made.process(-1);
    Process& process = made.log.rows<Process>().front();
    process.libraries = "libc libstdc++ libpython3";
    process.program = "/usr/bin/lmp";
    CHECK(program_of(Job(made.log)).language == Language::packaged);
    process.program = "/home/user/lmp";
    CHECK(program_of(Job(made.log)).language == Language::python);
    process.program = "/usr/bin/python3.11";
    CHECK(program_of(Job(made.log)).language == Language::python);
}

TEST_CASE("language: libraries are known by their whole names")
{
    const AdvisedProgram program{.libraries = "libc libhdf5"};
    CHECK(program.uses("libc"));
    CHECK(program.uses("libhdf5"));
    CHECK_FALSE(program.uses("libc++"));
    CHECK_FALSE(program.uses("hdf5"));
    CHECK_FALSE(program.uses("libc libhdf5"));
}

TEST_CASE("language: the program that lost most of the time decides")
{
    Synthetic made = writer(of_shell);
    made.process(-1);
    made.log.rows<Process>().back().program = "/usr/bin/dd";
    calls(made, made.file("/copy"), 1, Direction::write, 10'000, 1000, ms / 2);
    CHECK_THAT(lines_of(finding_of(made.log, "small_requests")), Contains("for … done"));
    calls(made, made.file("/copy"), 1, Direction::write, 10'000, 1000, ms);
    CHECK_THAT(lines_of(finding_of(made.log, "small_requests")), Contains("bs=1M"));
}

TEST_CASE("language: a process that left without a word of its libraries is taken for its like")
{
    Synthetic made = writer({"/usr/bin/python3", ""});
    made.process(-1);
    made.log.rows<Process>().back().program = "/usr/bin/python3";
    made.log.rows<Process>().back().libraries = "libc libhdf5";
    CHECK(program_of(Job(made.log)).language == Language::h5py);
}

TEST_CASE("language: tools that a script starts again and again are the script's")
{
    Synthetic made;
    made.process(-1);
    made.log.rows<Process>().front().program = "/usr/bin/bash";
    const auto add = [&](int processes) {
        for (int at = 0; at < processes; ++at) {
            const std::int64_t number = made.process(-1);
            made.log.rows<Process>().back().program = "/usr/bin/cat";
            made.total(number, Layer::posix, Scope::direct, {.read_time = second});
        }
    };
    add(31);
    CHECK(program_of(Job(made.log)).language == Language::packaged);
    add(1);
    CHECK(program_of(Job(made.log)).language == Language::shell);
    made.log.rows<Process>().front().program = "/usr/bin/find";
    CHECK(program_of(Job(made.log)).language == Language::packaged);
}

TEST_CASE("language: small writes")
{
    // Of files that were opened by open(); streams open by fopen().
    CHECK(small_writes(of_c) ==
          "write(fd, block, 1 << 20);\npwrite(fd, block, 1 << 20, offset);\nposix_memalign(&block, 4096, 1 "
          "<< 20);\n");
    CHECK(small_writes(of_cxx) == small_writes(of_c));
    CHECK_THAT(small_writes({"/home/user/app", "libc libgcc_s"}), Contains("BufWriter"));
    CHECK_THAT(small_writes({"/home/user/app", "libc libstdc++ libgcc_s"}), !Contains("BufWriter"));
    CHECK(small_writes(of_fortran) == "if (mod(step, 1000) == 0) flush(unit)\nwrite(unit) array\n");
    CHECK(small_writes({"/home/user/app", "libc libifcore"}) == "write(unit) array\n");
    CHECK_THAT(small_writes(of_hdf5, "/data.h5"), Contains("H5Dwrite") && !Contains("setvbuf"));
    CHECK_THAT(small_writes({"/home/user/app", "libc libhdf5 libnetcdf"}, "/data.nc"),
               Contains("nc_put_vara_double") && !Contains("H5Dwrite") && !Contains("setvbuf"));
    CHECK_THAT(small_writes({"/home/user/app", "libc libpnetcdf"}, "/data.nc"),
               Contains("ncmpi_wait_all") && !Contains("setvbuf"));
    CHECK_THAT(small_writes({"/home/user/app", "libc libhdf5 libadios2"}, "/data.bp"),
               Contains("NumAggregators") && !Contains("H5Dwrite"));
    CHECK_THAT(small_writes({"/home/user/app", "libc libnetcdf"}, "/run.log"),
               Contains("nc_put_vara_double") && Contains("setvbuf"));
    CHECK_THAT(small_writes(of_python), Contains("buffering=4 << 20") && Contains("numpy.save"));
    CHECK_THAT(small_writes(of_netcdf4, "/data.nc"), Contains("variable[...] = array") && !Contains("h5py"));
    CHECK_THAT(small_writes(of_h5py, "/data.nc"), Contains("dataset[...] = array") && !Contains("buffering"));
    CHECK_THAT(small_writes(of_shell), Contains("awk"));
    CHECK(small_writes(of_perl) == "$file->autoflush(0);\n");
    CHECK(small_writes(of_tar) ==
          "tar --blocking-factor=2048 -cf ARCHIVE FOLDER\ntar --blocking-factor=2048 -xf ARCHIVE\n");
    CHECK_THAT(small_writes({"/usr/bin/dd", "libc"}), Contains("dd if=INPUT of=OUTPUT bs=1M\n"));
    CHECK_THAT(small_writes({"/bin/gzip", "libc"}), Contains("obs=4M"));
    CHECK_THAT(small_writes({"/usr/bin/sort", "libc"}), Contains("--buffer-size"));
    CHECK_THAT(small_writes({"/usr/bin/cp", "libc"}), Contains("bs=4M"));
    CHECK_THAT(small_writes(of_sqlite), Contains("BEGIN; …; COMMIT;"));
    CHECK(small_writes(of_tool).empty());
    CHECK(words_of(finding_of(writer(of_tool).log, "small_requests")) ==
          "rsync came with the system: look for an option of it that sets a buffer or block size.\n");
}

TEST_CASE("language: a name that a shell would take for more is in no line to copy")
{
    const auto lines = [](std::string_view program) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().program = program;
        StdioRecord& row =
            made.io<StdioRecord>(made.file("/text"), 0, {.bytes_written = mib, .write_time = 20 * second});
        row.writes = row.syncs = 100'000;
        row.sync_time = 20 * second;
        return words_of(finding_of(made.log, "frequent_syncs"));
    };
    CHECK_THAT(lines("/usr/bin/sed-4.8"), Contains("option of sed-4.8 that"));
    CHECK_THAT(lines("/usr/bin/sed;reboot"), !Contains("reboot"));
    CHECK_THAT(lines("/usr/bin/$(reboot)"), !Contains("reboot"));
}

TEST_CASE("language: a file that may not be HDF5's gets advice for both")
{
    CHECK_THAT(small_writes(of_h5py, "/out.txt"),
               Contains("dataset[...] = array") && Contains("buffering=4 << 20"));
    CHECK_THAT(small_writes(of_hdf5, "/out.txt"), Contains("H5Dwrite") && Contains("setvbuf"));
}

TEST_CASE("language: MPI-IO by each rank alone")
{
    const auto lines = [](const Ran& ran) {
        return lines_of(finding_of(ranks_of(ran).log, "no_collectives"));
    };
    CHECK_THAT(lines(of_c), Contains("MPI_File_set_view(file") && Contains("MPI_File_write_all(file"));
    CHECK_THAT(lines(of_fortran), Contains("call MPI_File_write_all(file, array"));
    CHECK_THAT(lines(of_python), Catch::Matchers::EndsWith("file.Write_all(array)\n"));
    CHECK_THAT(lines(of_netcdf4), Contains("set_collective(True)"));
    CHECK_THAT(lines(of_h5py), Contains("with dataset.collective:"));
    CHECK_THAT(lines(of_hdf5), Contains("H5FD_MPIO_COLLECTIVE") && Contains("H5Sselect_hyperslab"));
    CHECK(lines(of_tool).empty());
}

TEST_CASE("language: one rank for all")
{
    const auto lines = [](const Ran& ran) {
        Synthetic made;
        made.ranks(2);
        for (Process& process : made.log.rows<Process>()) {
            process.program = ran.program;
            process.libraries = ran.libraries;
        }
        large(made, made.file("/all"), 0).write_time = 10 * second;
        made.log.rows<Totals>().back().write_time = 10 * second;
        return lines_of(finding_of(made.log, "single_process"));
    };
    CHECK_THAT(lines(of_fortran), Contains("call MPI_File_open"));
    CHECK_THAT(lines(of_python), Contains("MPI.File.Open"));
    CHECK_THAT(lines(of_netcdf4), Contains("parallel=True"));
    CHECK_THAT(lines(of_h5py), Contains("driver=\"mpio\""));
    CHECK_THAT(lines(of_hdf5), Contains("H5Pset_fapl_mpio"));
}

TEST_CASE("language: syncs, and SQLite where it is used")
{
    const auto lines = [](const Ran& ran) {
        Synthetic made = writer(ran);
        PosixRecord& row =
            made.io<PosixRecord>(made.file("/synced"), 0, {.bytes_written = mib, .write_time = 20 * second});
        row.syncs = 40;
        row.sync_time = 20 * second;
        return lines_of(finding_of(made.log, "frequent_syncs"));
    };
    CHECK(lines(of_c) == "fdatasync(fd);\n");
    CHECK_THAT(lines({"/home/user/app", "libc libsqlite3"}), Contains("sqlite3_exec"));
    CHECK(lines({"/home/user/app", ""}) == "fdatasync(fd);\nBEGIN; …; COMMIT;\n");
    CHECK_THAT(lines(of_python), Contains("os.fdatasync") && !Contains("executemany"));
    CHECK_THAT(lines({"/usr/bin/python3", "libc libsqlite3"}), Contains("executemany"));
    CHECK_THAT(lines({"/usr/bin/dd", "libc"}), Contains("conv=fdatasync"));
    CHECK_THAT(lines(of_sqlite), Contains("PRAGMA journal_mode = WAL;") && !Contains("fdatasync"));
    CHECK(lines(of_tool).empty());
}

TEST_CASE("language: opens, and looking at files")
{
    const auto churn = [](const Ran& ran, std::uint64_t written = mib, std::uint64_t reads = 0,
                          std::uint64_t maps = 0) {
        Synthetic made = writer(ran);
        PosixRecord& row = made.io<PosixRecord>(made.file("/log"), 0,
                                                {.bytes_written = written, .metadata_time = 20 * second});
        row.opens = 10'000;
        row.reads = reads;
        row.maps = maps;
        made.operations(Layer::posix, Kind::open, 0, std::vector<std::uint64_t>(10'000, 2 * ms));
        return lines_of(finding_of(made.log, "open_close_churn"));
    };
    CHECK_THAT(churn(of_shell), Contains("done > FILE"));
    CHECK_THAT(churn(of_cxx), Contains("file.flush();"));
    CHECK(churn(of_fortran) == "flush(unit)\n");
    CHECK_THAT(churn(of_python), Contains("with open(path, \"a\") as file:"));
    CHECK_THAT(churn(of_python, 0, 2501), Contains("with open(path, \"r\") as file:") && !Contains("flush"));
    CHECK(churn(of_python, 0, 2500) == "os.path.exists(path)\n");
    CHECK(churn(of_cxx, 0) == "std::filesystem::exists(path)\n");
    CHECK_THAT(churn(of_cxx, 0, 0, 10'000), !Contains("exists"));  // it maps what it opens
    CHECK(churn(of_perl).empty());
    CHECK_THAT(churn(of_sqlite), Contains("sqlite3 DATABASE < STATEMENTS"));

    const auto stats = [](const Ran& ran) {
        Synthetic made = writer(ran);
        made.io<PosixRecord>(made.file("/seen"), 0, {.metadata_time = 20 * second});
        made.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(1000, 20 * ms));
        return lines_of(finding_of(made.log, "metadata_bound"));
    };
    CHECK_THAT(stats(of_python), Contains("os.scandir"));
    CHECK_THAT(stats(of_cxx), Contains("directory_iterator"));
    CHECK_THAT(stats(of_shell), Contains("find FOLDER"));
    CHECK(stats(of_c).empty());
    CHECK(stats(of_tar).empty());
}

TEST_CASE("advice is in the words of an interpreter, and names a tool as it was called")
{
    const auto words = [](std::string_view program) {
        return words_of(finding_of(writer({program, ""}).log, "small_requests"));
    };
    CHECK_THAT(words("/usr/bin/perl"), Contains("autoflush") && !Contains("Java"));
    CHECK_THAT(words("/usr/lib/jvm/bin/java"), Contains("RandomAccessFile") && !Contains("autoflush"));
    CHECK_THAT(words("/usr/bin/lua5.4"), Contains("Collect data in memory") && !Contains("In "));
    Synthetic made = writer({"/usr/bin/redis-check-rdb", ""});
    CHECK(program_of(Job(made.log)).name == "redis-check-rdb");
    made.log.rows<Process>().front().command = "/usr/bin/redis-server /etc/redis.conf";
    CHECK(program_of(Job(made.log)).name == "redis-server");
    made.log.rows<Process>().front().command = "$(reboot) x";
    CHECK(program_of(Job(made.log)).name == "redis-check-rdb");
}

TEST_CASE("a database by its name is SQLite's where the program has SQLite, or locks the file")
{
    const auto lines = [](const Ran& ran, std::uint64_t locks) {
        Synthetic made = writer(ran, "/result");
        calls(made, made.file("/table.db"), 0, Direction::read, 20'000, 4096, ms).locks = locks;
        return lines_of(finding_of(made.log, "small_requests"));
    };
    CHECK_THAT(lines(of_c, 0), !Contains("PRAGMA"));
    CHECK_THAT(lines(of_c, 2), Contains("PRAGMA"));  // which it has inside
    CHECK_THAT(lines({"/home/user/app", "libc libsqlite3"}, 0), Contains("PRAGMA"));
}

TEST_CASE("a log that is read again as it grows is read on, not kept")
{
    const auto words = [](std::uint64_t last_write, std::uint64_t written, std::string_view path = "/a.log") {
        Synthetic made = writer(of_python, "/result");
        PosixRecord& row = calls(made, made.file(path), 0, Direction::read, 1'000, mib, 10 * ms);
        row.opens = 50;
        row.creates = 1;
        row.highest_read = row.highest_written = 20 * mib;
        row.writes = 50;
        row.bytes_written = written;
        row.first_write = job_start + second;
        row.last_write = last_write;
        row.first_read = job_start + 2 * second;
        row.last_read = job_start + 50 * second;
        const report::Finding one = finding_of(made.log, "redundant_reads");
        return one.why + "\n" + lines_of(one);
    };
    CHECK_THAT(words(job_start + 49 * second, 20 * mib),
               Contains("The file grows") && Contains("file.seek(seen)"));
    CHECK_THAT(words(job_start + second, 20 * mib), Contains("functools"));        // before it was read
    CHECK_THAT(words(job_start + 49 * second, 400 * mib), Contains("functools"));  // over what was there
    CHECK_THAT(words(job_start + 49 * second, 20 * mib, "/a.bin"), Contains("functools"));
}

TEST_CASE("advice on a packaged tool is what is known of it, else which kind of option to look for")
{
    const Remedy remedies[] = {{Language::packaged, "Look for an option of PROGRAM."},
                               {Language::packaged, "Have zip make it.", {}, "zip"}};
    const auto advice = [&](std::string_view name) {
        return advice_in({.language = Language::packaged, .name = std::string(name)}, remedies);
    };
    REQUIRE(advice("zip").size() == 1);
    CHECK(advice("zip").front().text == "Have zip make it.");
    REQUIRE(advice("rar").size() == 1);
    CHECK(advice("rar").front().text == "Look for an option of rar.");
}

TEST_CASE("advice names Fortran's calls rather than lines of C to a program of Fortran")
{
    const Remedy remedies[] = {
        {Language::netcdf, "Sync seldom. In Fortran it is nf90_sync:", {"nc_sync(file);"}}};
    const auto advice = [&](std::string_view libraries) {
        return advice_in({.language = Language::netcdf, .libraries = libraries}, remedies).front();
    };
    CHECK(advice("libc libnetcdf").lines.size() == 1);
    CHECK(advice("libc libgfortran libnetcdf").lines.empty());
    CHECK(advice("libc libgfortran libnetcdf").text == "Sync seldom. In Fortran it is nf90_sync.");
}
