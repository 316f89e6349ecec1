// Tools that a script starts again and again, and that read or write whole files each time.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Runs of a tool, one after the other, a second each, all of which but the first read one file; each writes
// one of its own.
Synthetic runs_of(std::string_view program, std::string_view command, std::int64_t runs, std::uint64_t read,
                  std::uint64_t written, std::uint64_t renames = 1)
{
    Synthetic made;
    const std::uint64_t archive = made.file("/out/r.zip");
    for (std::int64_t at = 0; at < runs; ++at) {
        made.process(-1, "node0", 2000 + static_cast<std::uint64_t>(at), 1000);
        Process& one = made.log.rows<Process>().back();
        one.program = program;
        one.command = command;
        one.libraries = "libc";
        one.start = job_start + static_cast<std::uint64_t>(at) * second;
        one.end = one.start + second;
        if (read > 0 && at > 0) made.io<PosixRecord>(archive, at, {.bytes_read = read, .read_time = 10 * ms});
        if (written > 0)
            made.io<PosixRecord>(made.file("/out/zi" + std::to_string(at)), at,
                                 {.bytes_written = written, .write_time = 10 * ms})
                .renames = renames;
    }
    return made;
}

}  // namespace

TEST_CASE("rewritten by a tool: five runs that read what the last one wrote, and write it anew")
{
    const report::Finding one =
        finding_of(runs_of("/usr/bin/zip", "zip r.zip a", 8, 4 * mib, 4 * mib).log, "rewritten_by_tool");
    CHECK(one.title == "8 runs of zip, each rewriting a whole file");
    CHECK(cost_of(one) == Approx(7));
    CHECK_THAT(numbers_of(one), Contains("/out/r.zip"));
    CHECK_THAT(lines_of(one), Contains("zip ARCHIVE FILES"));
    const auto found = [](std::string_view program, std::int64_t runs, std::uint64_t read,
                          std::uint64_t written) {
        return finds(runs_of(program, "zip", runs, read, written).log, "rewritten_by_tool");
    };
    CHECK(found("/usr/bin/zip", 5, 4 * mib, 4 * mib));
    CHECK_FALSE(found("/usr/bin/zip", 4, 4 * mib, 4 * mib));
    CHECK_FALSE(found("/home/user/app", 8, 4 * mib, 4 * mib));
    CHECK_FALSE(found("/usr/bin/zip", 8, 4 * mib, 2 * mib));
    CHECK_FALSE(found("/usr/bin/zip", 8, 0, 4 * mib));
    CHECK_FALSE(found("/usr/bin/zip", 8, mib, mib));
    CHECK_FALSE(finds(runs_of("/usr/bin/cp", "cp a b", 8, 4 * mib, 4 * mib, 0).log, "rewritten_by_tool"));
}

TEST_CASE("compared by reading: rsync --checksum, but for what it copies")
{
    const auto made = [](std::string_view command, std::uint64_t written) {
        return runs_of("/usr/bin/rsync", command, 5, 100 * mib, written);
    };
    const report::Finding one = finding_of(made("rsync -ac a/ b/", 0).log, "compared_by_reading");
    CHECK(one.title == "rsync --checksum reads 400 MiB to copy nothing");
    CHECK(cost_of(one) == Approx(5));
    CHECK(finds(made("rsync --archive --checksum a/ b/", 0).log, "compared_by_reading"));
    CHECK_FALSE(finds(made("rsync -a --copy-links a-c b", 0).log, "compared_by_reading"));
    CHECK(cost_of(made("rsync -c a b", 20 * mib).log, "compared_by_reading") ==
          Approx(5 * (1 - 200 / 500.0)));
    CHECK_FALSE(finds(made("rsync -c a b", 41 * mib).log, "compared_by_reading"));
    CHECK(one.cost_least == Approx(0.04));  // in reads
}

TEST_CASE("compared by reading: borg without its cache of files")
{
    const auto found = [](std::string_view command) {
        return finds(runs_of("/usr/bin/borg", command, 5, 100 * mib, 0).log, "compared_by_reading");
    };
    CHECK(found("borg create --files-cache=disabled r::a x"));
    CHECK(found("borg create --files-cache disabled r::a x"));
    CHECK_FALSE(found("borg create --files-cache=mtime,size r::a x"));
    CHECK_FALSE(found("borg create r::a disabled"));
}

TEST_CASE("rewritten by a tool: what all runs read is what they write, not their configuration")
{
    Synthetic made = runs_of("/usr/bin/svn", "svn update", 8, 4 * mib, 4 * mib);
    CHECK_FALSE(finds(made.log, "rewritten_by_tool"));  // a tool for versions
    made = runs_of("/usr/bin/zip", "zip r.zip a", 8, 4 * mib, 4 * mib);
    CHECK(finds(made.log, "rewritten_by_tool"));
    for (std::int64_t at = 0; at < 8; ++at)
        made.io<PosixRecord>(made.file("/in/" + std::to_string(at)), at,
                             {.bytes_read = 4 * mib, .read_time = ms});
    CHECK_FALSE(finds(made.log, "rewritten_by_tool"));
}

TEST_CASE("compressed between: what gzip writes and another gzip reads, and its making where it is removed")
{
    struct Case {
        std::string_view reader = "/usr/bin/gzip", command = "gzip -d";
        std::uint64_t kept_text = 8 * mib, unlinks = 0, read = 2 * mib;
        std::string_view file = "/out/a.csv.gz";
    };
    const auto made = [](const Case& of) {
        Synthetic job;
        const std::uint64_t text = job.file("/out/a.csv"), compressed = job.file(of.file);
        for (const std::int64_t at : {0, 1}) {
            job.process(-1, "node0", 2000 + static_cast<std::uint64_t>(at), 1000);
            Process& one = job.log.rows<Process>().back();
            one.program = at == 0 ? "/usr/bin/gzip" : of.reader;
            one.command = at == 0 ? "gzip" : of.command;
            one.start = job_start + static_cast<std::uint64_t>(at) * 2 * second;
            one.end = one.start + second + static_cast<std::uint64_t>(at) * second / 2;
            one.cpu_time = second;
        }
        job.io<PosixRecord>(text, 0, {.bytes_read = 8 * mib, .read_time = 10 * ms});
        job.io<PosixRecord>(compressed, 0, {.bytes_written = 2 * mib, .write_time = 10 * ms});
        job.io<PosixRecord>(compressed, 1, {.bytes_read = of.read, .read_time = 10 * ms}).unlinks =
            of.unlinks;
        if (of.kept_text > 0)
            job.io<PosixRecord>(text, 1, {.bytes_written = of.kept_text, .write_time = 10 * ms});
        return job;
    };
    const report::Finding one = finding_of(made({.unlinks = 1}).log, "compressed_between");
    CHECK(one.title == "1 file compressed by one step and decompressed by another");
    CHECK(cost_of(one) == Approx(2.5));
    CHECK_FALSE(one.cost_least);
    CHECK_THAT(numbers_of(one), Contains("/out/a.csv.gz"));
    CHECK(cost_of(made({}).log, "compressed_between") == Approx(1.5));
    // Into a pipe.
    const report::Finding piped = finding_of(made({.kept_text = 0}).log, "compressed_between");
    CHECK(cost_of(piped) == Approx(1));
    CHECK(piped.cost_least == Approx(0));
    CHECK_FALSE(finds(made({.reader = "/home/user/app"}).log, "compressed_between"));
    CHECK_FALSE(finds(made({.command = "gzip -t a.csv.gz"}).log, "compressed_between"));
    CHECK_FALSE(finds(made({.read = mib / 2}).log, "compressed_between"));
    CHECK_FALSE(finds(made({.file = "/out/a.tar.gz"}).log, "compressed_between"));
    CHECK_FALSE(finds(made({.file = "/out/a.tgz"}).log, "compressed_between"));
}

TEST_CASE("copied again: three runs of cp of one file, whose copies are read once and left as they are")
{
    struct Case {
        std::int64_t runs = 3;
        std::string_view program = "/usr/bin/cp";
        std::uint64_t size = 100 * mib, read = 100 * mib, changed = 0;
    };
    const auto made = [](const Case& of) {
        Synthetic job;
        const std::uint64_t source = job.file("/in/deck.bin");
        for (std::int64_t at = 0; at <= of.runs; ++at) {
            job.process(-1, "node0", 2000 + static_cast<std::uint64_t>(at), 1000);
            Process& one = job.log.rows<Process>().back();
            one.program = at < of.runs ? of.program : "/home/user/app";
            one.start = job_start + static_cast<std::uint64_t>(at) * second;
            one.end = one.start + second;
            if (at == of.runs) continue;
            job.io<PosixRecord>(source, at, {.bytes_read = of.size, .read_time = 10 * ms});
            job.io<PosixRecord>(job.file("/out/deck" + std::to_string(at)), at,
                                {.bytes_written = of.size, .write_time = 10 * ms});
        }
        for (std::int64_t at = 0; at < of.runs; ++at)
            job.io<PosixRecord>(101 + static_cast<std::uint64_t>(at), of.runs,
                                {.bytes_read = of.read, .bytes_written = of.changed, .read_time = ms});
        return job;
    };
    const report::Finding one = finding_of(made({}).log, "copied_again");
    CHECK(one.title == "One file copied by 3 runs of cp, 300 MiB in all");
    CHECK(cost_of(one) == Approx(3));
    CHECK_THAT(numbers_of(one), Contains("/in/deck.bin"));
    CHECK_THAT(lines_of(one), Contains("ln -s"));
    CHECK_FALSE(finds(made({.runs = 2}).log, "copied_again"));
    CHECK_FALSE(finds(made({.program = "/home/user/copy"}).log, "copied_again"));
    CHECK_FALSE(finds(made({.size = 256 * 1024 - 1, .read = mib}).log, "copied_again"));
    CHECK_FALSE(finds(made({.read = 151 * mib}).log, "copied_again"));
    CHECK_FALSE(finds(made({.changed = 1}).log, "copied_again"));
}

TEST_CASE("sync by a script: eight runs, but the longest")
{
    const auto made = [](std::int64_t runs, std::string_view program = "/usr/bin/sync") {
        return runs_of(program, "sync", runs, 0, 0);
    };
    const report::Finding one = finding_of(made(8).log, "synced_by_tool");
    CHECK(one.title == "8 runs of sync");
    CHECK(cost_of(one) == Approx(7));
    CHECK(lines_of(one) == "sync -f FOLDER\n");
    CHECK_FALSE(finds(made(7).log, "synced_by_tool"));
    CHECK_FALSE(finds(made(8, "/home/user/sync").log, "synced_by_tool"));
}

TEST_CASE("redundant reads: runs of a tool that each read up to the part that they want")
{
    // So much of 100 MiB each, and the last one all of it.
    const auto made = [](std::uint64_t each, std::int64_t runs, std::string_view program) {
        Synthetic job;
        const std::uint64_t file = job.file("/in/all.hmm");
        for (std::int64_t at = 0; at < runs; ++at) {
            job.process(-1, "node0", 2000 + static_cast<std::uint64_t>(at), 1000);
            job.log.rows<Process>().back().program = program;
            const std::uint64_t bytes = at + 1 == runs ? 100 * mib : each;
            calls(job, file, at, Direction::read, 100, bytes / 100, 200 * ms).highest_read = bytes;
        }
        return job;
    };
    const report::Finding one = finding_of(made(50 * mib, 5, "/usr/bin/hmmfetch").log, "redundant_reads");
    CHECK_THAT(one.title, Contains("200 MiB read that other processes read as well"));
    CHECK_THAT(one.advice.front().text, Contains("Have one run of hmmfetch take all parts"));
    CHECK_FALSE(finds(made(20 * mib, 5, "/usr/bin/hmmfetch").log, "redundant_reads"));
    CHECK_FALSE(finds(made(50 * mib, 5, "/home/user/app").log, "redundant_reads"));
    CHECK_FALSE(finds(made(79 * mib, 2, "/usr/bin/hmmfetch").log, "redundant_reads"));
}

TEST_CASE("redundant reads: a tool of genomes finds its regions by the index beside the file")
{
    Synthetic made;
    const std::uint64_t file = made.file("/in/all.vcf.gz");
    for (std::int64_t at = 0; at < 5; ++at) {
        made.process(-1, "node0", 2000 + static_cast<std::uint64_t>(at), 1000);
        made.log.rows<Process>().back().program = "/usr/bin/bcftools";
        calls(made, file, at, Direction::read, 100, mib, 100 * ms);
    }
    CHECK_THAT(lines_of(finding_of(made.log, "redundant_reads")), Contains("gzip -d"));
    made.io<PosixRecord>(made.file("/in/all.vcf.gz.tbi"), 0, {});
    CHECK_THAT(lines_of(finding_of(made.log, "redundant_reads")), Contains("bcftools view -R REGIONS"));
}

TEST_CASE(
    "redundant reads: runs of a tool on one file for one task, from five on, not those for several tasks")
{
    const auto made = [](std::int64_t runs, std::string_view last, std::string_view path = "/in/all.bam",
                         std::uint64_t written = 0) {
        Synthetic job;
        const std::uint64_t file = job.file(path);
        for (std::int64_t at = 0; at < runs; ++at) {
            job.process(-1, "node0", 2000 + static_cast<std::uint64_t>(at), 1000);
            Process& one = job.log.rows<Process>().back();
            one.program = "/usr/bin/samtools";
            one.command = at + 1 == runs ? last : "samtools view -c all.bam";
            calls(job, file, at, Direction::read, 100, mib, 100 * ms);
            if (written > 0)
                job.io<PosixRecord>(job.file("/part" + std::to_string(at)), at, {.bytes_written = written});
        }
        return finds(job.log, "redundant_reads");
    };
    CHECK(made(5, "samtools view -b all.bam"));
    // A part that is as long is no copy where it was unpacked.
    CHECK(made(5, "samtools view -b all.bam", "/in/all.bam", 100 * mib));
    CHECK_FALSE(made(5, "samtools view -b all.sam", "/in/all.dat", 100 * mib));
    CHECK_FALSE(made(4, "samtools view -b all.bam"));
    CHECK_FALSE(made(6, "samtools index all.bam"));
}

TEST_CASE("what a shell reads again after each line is no repeated read, and its own printf no bulk")
{
    const auto found = [](std::string_view program, std::string_view rule) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().program = program;
        made.log.rows<Process>().front().libraries = "libc";
        calls(made, made.file("/list"), 0, Direction::read, 100'000, 4096, 100 * us).highest_read = mib;
        StdioRecord& row =
            made.io<StdioRecord>(made.file("/out"), 0, {.bytes_written = 4 * mib, .write_time = 10 * second});
        row.writes = 1'000'000;
        row.write_size.add(4, 1'000'000);
        return finds(made.log, rule);
    };
    CHECK(found("/home/user/app", "redundant_reads"));
    CHECK_FALSE(found("/usr/bin/bash", "redundant_reads"));
    CHECK(found("/home/user/app", "stdio_bulk"));
    CHECK_FALSE(found("/usr/bin/bash", "stdio_bulk"));
}

namespace {

constexpr std::uint64_t ids_of_index[] = {100, 101};  // of its input and output, the first two files

// bwa, which reads one file and makes another, 2 s each time; and a shell.
Synthetic indexed_again(std::int64_t runs, std::string_view program = "/usr/bin/bwa")
{
    Synthetic made;
    const std::uint64_t input = made.file("/data/ref.fa"), output = made.file("/data/ref.fa.bwt");
    for (std::int64_t at = 0; at < runs; ++at) {
        made.process(-1, "node0", 2000 + static_cast<std::uint64_t>(at), 1000);
        Process& one = made.log.rows<Process>().back();
        one.program = program;
        one.command = "bwa index ref.fa";
        one.libraries = "libc";
        one.start = job_start + static_cast<std::uint64_t>(at) * 3 * second;
        one.end = one.start + 2 * second;
        one.status = 0;
        made.io<PosixRecord>(input, at, {.bytes_read = mib, .read_time = ms});
        made.io<PosixRecord>(output, at, {.bytes_written = mib, .write_time = ms}).first_write =
            one.start + second;
    }
    made.process(-1, "node0", 1000);
    made.log.rows<Process>().back().program = "/usr/bin/bash";
    return made;
}

}  // namespace

TEST_CASE("repeated runs: three with the same arguments, and nothing changed between them")
{
    const report::Finding one = finding_of(indexed_again(4).log, "repeated_runs");
    CHECK(one.title == "4 runs of bwa with the same arguments make the same files");
    CHECK(cost_of(one) == Approx(6));
    CHECK_THAT(numbers_of(one), Contains("/data/ref.fa.bwt"));
    CHECK_THAT(lines_of(one), Contains("-nt INPUT ] || bwa"));
    CHECK(finds(indexed_again(3).log, "repeated_runs"));
    CHECK_FALSE(finds(indexed_again(2).log, "repeated_runs"));
    CHECK_FALSE(finds(indexed_again(4, "/home/user/simulate").log, "repeated_runs"));
}

TEST_CASE("repeated runs: those that add to their output each make something else")
{
    Synthetic made = indexed_again(4);
    std::uint64_t length = 0;
    for (PosixRecord& row : made.log.rows<PosixRecord>())
        if (row.bytes_written > 0) row.highest_written = length += row.bytes_written;
    CHECK_FALSE(finds(made.log, "repeated_runs"));
}

TEST_CASE("repeated runs: what changes between them, or is kept of each, makes them different")
{
    const auto changed = [](std::string_view path, auto change) {
        Synthetic made = indexed_again(4);
        const std::uint64_t file = path == "/data/ref.fa"       ? ids_of_index[0]
                                   : path == "/data/ref.fa.bwt" ? ids_of_index[1]
                                                                : made.file(path);
        PosixRecord& record = made.io<PosixRecord>(file, 4, {.bytes_written = 1});
        record.last_write = job_start + 4 * second;
        change(made, record);
        return finds(made.log, "repeated_runs");
    };
    const auto as_it_is = [](Synthetic&, PosixRecord&) {};
    CHECK(changed("/data/other", as_it_is));
    CHECK_FALSE(changed("/data/ref.fa", as_it_is));
    CHECK(
        changed("/data/ref.fa", [](Synthetic&, PosixRecord& record) { record.last_write = job_start - 1; }));
    CHECK_FALSE(changed("/data/ref.fa.bwt", [](Synthetic&, PosixRecord& record) {
        record.bytes_written = 0;
        record.renames = 1;
    }));
    CHECK_FALSE(changed("/data/other", [](Synthetic& made, PosixRecord&) {
        made.total(2, Layer::posix, Scope::streams, {.bytes_read = 1});
    }));
    CHECK_FALSE(changed("/data/other", [](Synthetic& made, PosixRecord&) {
        made.log.rows<Process>()[2].start -= 2 * second;  // beside the one before
    }));
    CHECK_FALSE(changed("/data/other", [](Synthetic& made, PosixRecord&) {
        made.io<PosixRecord>(made.file("/data/only once"), 2, {.bytes_written = 1});
    }));
    CHECK_FALSE(changed("/data/state", [](Synthetic& made, PosixRecord& record) {
        record.process = 0;
        record.bytes_read = 1;
        record.first_read = job_start, record.first_write = job_start + 1;
        const std::uint64_t file = record.file;
        for (std::int64_t at = 1; at < 4; ++at) made.io<PosixRecord>(file, at, {.bytes_written = 1});
    }));
}
