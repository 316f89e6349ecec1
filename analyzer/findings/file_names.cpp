// By how the names end.
#include "analyzer/findings/file_names.h"

#include <algorithm>
#include <span>

namespace fathom {
namespace {

constexpr std::string_view text_endings[] = {
    ".txt", ".csv",  ".tsv",   ".json", ".jsonl",   ".ndjson", ".xml",  ".html", ".yaml",
    ".yml", ".log",  ".fasta", ".fa",   ".fastq",   ".fq",     ".vcf",  ".sam",  ".bed",
    ".gff", ".xyz",  ".pdb",   ".svg",  ".geojson", ".gtf",    ".gff3", ".kml",  ".gpx",
    ".mtx", ".toml", ".ini",   ".nwk",  ".sdf",     ".mol2",   ".cif"};
constexpr std::string_view pickled_endings[] = {".pkl", ".pickle"};
constexpr std::string_view compressed_endings[] = {".gz",  ".tgz",  ".bz2", ".tbz2", ".xz",
                                                   ".txz", ".lzma", ".zst", ".z",    ".lz4"};
constexpr std::string_view indexed_endings[] = {".zip",    ".npz",     ".jar",  ".whl", ".docx", ".xlsx",
                                                ".tar",    ".db",      ".dir",  ".pag", ".gdbm", ".mdb",
                                                ".sqlite", ".sqlite3", ".fits", ".fit"};
constexpr std::string_view sqlite_endings[] = {".db", ".db3", ".sqlite", ".sqlite3", ".gpkg", ".mbtiles"};

bool ends_in_one_of(std::string_view path, std::span<const std::string_view> endings)
{
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

bool is_text(std::string_view path)
{
    return ends_in_one_of(path, text_endings);
}

bool is_pickled(std::string_view path)
{
    return ends_in_one_of(path, pickled_endings);
}

bool is_compressed(std::string_view path)
{
    return ends_in_one_of(path, compressed_endings);
}

std::string_view strong_compressor_of(std::string_view path)
{
    struct Strong {
        std::string_view ending, tool;
    };
    constexpr Strong endings[] = {{".xz", "xz"}, {".txz", "xz"}, {".lzma", "xz"}, {".zst", "zstd"}};
    for (const Strong& one : endings)
        if (path.ends_with(one.ending)) return one.tool;
    return {};
}

bool has_index(std::string_view path)
{
    return ends_in_one_of(path, indexed_endings);
}

bool is_python_module(std::string_view path)
{
    constexpr std::string_view folders[] = {"/site-packages/", "/dist-packages/", "/lib/python3",
                                            "/__pycache__"};
    return path.ends_with(".py") || path.ends_with(".pyc") ||
           std::any_of(std::begin(folders), std::end(folders),
                       [&](std::string_view folder) { return path.find(folder) != std::string_view::npos; });
}

bool is_of_tools_own(std::string_view path)
{
    constexpr std::string_view folders[] = {"/.git/", "/.hg/", "/.svn/", "/.snakemake/"};
    return std::any_of(std::begin(folders), std::end(folders),
                       [&](std::string_view folder) { return path.find(folder) != std::string_view::npos; });
}

bool is_zip(std::string_view path)
{
    return path.ends_with(".npz") || path.ends_with(".zip");
}

bool is_array(std::string_view path)
{
    return path.ends_with(".npy");
}

bool is_sqlite(std::string_view path)
{
    constexpr std::string_view beside[] = {"-wal", "-journal", "-shm"};
    for (const std::string_view ending : beside)
        if (path.ends_with(ending)) path.remove_suffix(ending.size());
    constexpr std::string_view temporary = "etilqs_";  // of sorts and the like
    return ends_in_one_of(path, sqlite_endings) || path.substr(path.rfind('/') + 1).starts_with(temporary);
}

bool is_log_of_sqlite(std::string_view path)
{
    return is_sqlite(path) && (path.ends_with(sqlite_log) || path.ends_with(sqlite_journal));
}

bool is_lmdb(std::string_view path)
{
    return path.ends_with("/data.mdb");
}

bool is_formatted_by_fortran(std::uint64_t calls, std::uint64_t bytes)
{
    constexpr std::uint64_t few_calls = 100, buffer_for_text = 8 << 10;
    const std::uint64_t each = bytes / std::max<std::uint64_t>(calls, 1);
    return calls >= few_calls && each <= buffer_for_text && each >= buffer_for_text / 2;
}

}  // namespace fathom
