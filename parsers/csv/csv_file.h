// Reads comma-separated values (RFC 4180) row by row: a line of names, then rows of as many fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/log/tick.h"

namespace fathom {

// A row, for as long as it is handed out. What is wrong with a field throws std::runtime_error with the file,
// the line, the column's name and what stands there.
class CsvRow {
  public:
    CsvRow(const std::string& path, const std::vector<std::string>& names) : path_(path), names_(names) {}

    std::string_view text(std::size_t column) const { return fields_[column]; }
    double number(std::size_t column) const;        // finite, up to 1e21
    std::uint64_t whole(std::size_t column) const;  // 0 or more, up to 2^64 - 1
    // Rows are counted as lines, the names being line 1; line breaks within quotes and empty lines do not
    // count.
    std::uint64_t line() const { return line_; }

  private:
    friend class CsvFile;
    [[noreturn]] void refuse(std::size_t column, std::string_view why) const;

    const std::string& path_;
    const std::vector<std::string>& names_;
    std::vector<std::string> fields_;
    std::uint64_t line_ = 1;
};

// Throws std::runtime_error where the file cannot be read, has no line of names, two of one name, or a row
// with more or fewer fields.
class CsvFile {
  public:
    explicit CsvFile(std::string path);  // reads the names
    ~CsvFile();
    CsvFile(const CsvFile&) = delete;
    CsvFile& operator=(const CsvFile&) = delete;

    const std::string& path() const { return path_; }
    const std::vector<std::string>& names() const { return names_; }
    std::optional<std::size_t> find(std::string_view name) const;
    std::size_t column(std::string_view name) const;  // throws where there is none: says which there are

    // Hands out all rows once, in order. Memory is that of one row. `tick` gets bytes.
    void each_row(const std::function<void(const CsvRow&)>& use, const Tick& tick = {});

  private:
    struct Source;

    std::string path_;
    std::vector<std::string> names_;
    std::unique_ptr<Source> source_;
};

}  // namespace fathom
