// Tables of comma-separated values: what is taken for a row, and what is refused.
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "parsers/csv/csv_file.h"

using namespace fathom;

namespace {

class Written {
  public:
    explicit Written(std::string_view content)
        : path_(
              (std::filesystem::temp_directory_path() / ("fathom-csv-" + std::to_string(getpid()))).string())
    {
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~Written() { std::filesystem::remove(path_); }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::vector<std::string> column_of(std::string_view content, std::string_view name)
{
    const Written file(content);
    CsvFile csv(file.path());
    const std::size_t at = csv.column(name);
    std::vector<std::string> all;
    csv.each_row([&](const CsvRow& row) { all.emplace_back(row.text(at)); });
    return all;
}

std::string trouble_with(std::string_view content, std::string_view name = "a")
{
    const Written file(content);
    try {
        CsvFile csv(file.path());
        const std::size_t at = csv.column(name);
        csv.each_row([&](const CsvRow& row) { row.number(at); });
    } catch (const std::runtime_error& error) {
        const std::string words = error.what();
        CHECK(words.starts_with(file.path()));
        return words.substr(file.path().size());
    }
    return {};
}

}  // namespace

TEST_CASE("rows of comma-separated values come as they stand, quoted or not, also without a last line break")
{
    CHECK(column_of("a,b\n1,x\n2,y\n", "b") == std::vector<std::string>{"x", "y"});
    CHECK(column_of("\"a\",\"b\"\r\n1,\"x, \"\"y\"\"\nz\"\r\n2,w", "b") ==
          std::vector<std::string>{"x, \"y\"\nz", "w"});
    CHECK(column_of("\xEF\xBB\xBF"
                    "a,b\n1,\n",
                    "b") == std::vector<std::string>{""});
    CHECK(column_of("a\n\n1\n\n2\n", "a") == std::vector<std::string>{"1", "2"});
    CHECK(column_of("a,b\n", "a").empty());
}

TEST_CASE("numbers of comma-separated values are exact")
{
    const Written file("a,b\n0.1,18446744073709551615\n-1e-300,0\n");
    CsvFile csv(file.path());
    std::vector<double> numbers;
    std::vector<std::uint64_t> wholes;
    csv.each_row([&](const CsvRow& row) {
        numbers.push_back(row.number(0));
        wholes.push_back(row.whole(1));
        CHECK(row.line() == numbers.size() + 1);
    });
    CHECK(numbers == std::vector<double>{0.1, -1e-300});
    CHECK(wholes == std::vector<std::uint64_t>{18446744073709551615u, 0});
}

TEST_CASE("what is wrong with comma-separated values is reported with file and line")
{
    CHECK(trouble_with("") == ": is empty: its first line must name the columns");
    CHECK(trouble_with("b,c\n1,2\n") == ": no column is called 'a'; there are: b, c");
    CHECK(trouble_with("a,b,a\n") == ", line 1: two columns are called 'a'");
    CHECK(trouble_with("a,b\n1,2\n3\n") == ", line 3: has 1 fields, where line 1 names 2 columns");
    CHECK(trouble_with("a\n1\nfour\n") == ", line 3: a is 'four', which is no number");
    CHECK(trouble_with("a,b\n,1\n") == ", line 2: a is '', which is no number");
    CHECK(trouble_with("a\nnan\n") == ", line 2: a is 'nan', which is no finite number");
    CHECK(trouble_with("a\n-1.1e21\n") == ", line 2: a is '-1.1e21', which is beyond 1e21");
    CHECK(trouble_with("a\n1e999\n") == ", line 2: a is '1e999', which is no finite number");
    CHECK(trouble_with("a\n1\n" + std::string(100'000, '7') + "\n") ==
          ", line 3: too long for a row of values");
    CHECK_THROWS_WITH(CsvFile("/nowhere/at.csv"),
                      "/nowhere/at.csv: No such file or directory; check the path");
    CHECK_THROWS_WITH(CsvFile("/tmp"), "/tmp: is a folder");
}

TEST_CASE("rows of many pieces of the file are whole")
{
    std::string content = "a,b\n";
    for (int i = 0; i < 50'000; ++i) content += std::to_string(i) + ",\"some text\"\n";
    const Written file(content);
    CsvFile csv(file.path());
    std::uint64_t rows = 0, told = 0;
    csv.each_row([&](const CsvRow& row) { CHECK(row.whole(0) == rows++); },
                 [&](std::uint64_t done, std::uint64_t all) {
                     CHECK(all == content.size());
                     told = done;
                 });
    CHECK(rows == 50'000);
    CHECK(told == content.size());
}
