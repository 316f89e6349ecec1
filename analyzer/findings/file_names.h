// What the name of a file, or how it is moved, says of what is in it.
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom {

// Text, which a program takes apart as it comes.
bool is_text(std::string_view path);
// Objects of Python, which are all made anew where one is wanted.
bool is_pickled(std::string_view path);
// By gzip, bzip2, xz or zstd, which can only be gone through from the beginning.
bool is_compressed(std::string_view path);
// xz or zstd, whose highest levels take longest of all; empty: neither.
std::string_view strong_compressor_of(std::string_view path);
// An archive or a database with a directory or an index, which libraries read at each open.
bool has_index(std::string_view path);
// A module of Python, or its compiled form.
bool is_python_module(std::string_view path);
// In the folder that a tool for versions or workflows has for itself.
bool is_of_tools_own(std::string_view path);
// An archive of zip, as NumPy makes of several arrays.
bool is_zip(std::string_view path);
// An array of NumPy.
bool is_array(std::string_view path);
// A database of SQLite.
bool is_sqlite(std::string_view path);
bool is_lmdb(std::string_view path);
// What SQLite keeps beside a database.
inline constexpr std::string_view sqlite_log = "-wal", sqlite_journal = "-journal";
bool is_log_of_sqlite(std::string_view path);  // either of them

// Not by its name: gfortran's units have a buffer of 8 KiB for text, which they pass on by halves where its
// lines are short, and of 128 KiB for others. Of 100 calls and more.
bool is_formatted_by_fortran(std::uint64_t calls, std::uint64_t bytes);

}  // namespace fathom
