// libcsv takes the bytes apart; fields are gathered to rows here.
#include "parsers/csv/csv_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <csv.h>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <stdexcept>
#include <sys/stat.h>

#include "logformat/log/words.h"

namespace fathom {
namespace {

// A field longer than this is no number and no name: the file is something else.
constexpr std::size_t longest_field = 1 << 16, most_columns = 1 << 12;

std::string shown(std::string_view field)
{
    constexpr std::size_t most = 40;
    return field.size() <= most ? std::string(field) : std::string(field.substr(0, most)) + "...";
}

}  // namespace

void CsvRow::refuse(std::size_t column, std::string_view why) const
{
    throw std::runtime_error(fmt::format("{}, line {}: {} is '{}', which is {}", path_, line_, names_[column],
                                         shown(fields_[column]), why));
}

double CsvRow::number(std::size_t column) const
{
    const std::string& field = fields_[column];
    constexpr double most = 1e21;
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (field.empty() || end != field.data() + field.size()) refuse(column, "no number");
    if (error != std::errc{} || !std::isfinite(value)) refuse(column, "no finite number");
    if (std::abs(value) > most) refuse(column, "beyond 1e21");
    return value;
}

std::uint64_t CsvRow::whole(std::size_t column) const
{
    const std::string& field = fields_[column];
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (field.empty() || end != field.data() + field.size() || error != std::errc{})
        refuse(column, "no whole number");
    return value;
}

struct CsvFile::Source {
    const std::string& path;
    std::FILE* file = nullptr;
    csv_parser parser{};
    std::uint64_t size = 0, read = 0, lines = 0;
    std::vector<std::string> fields;  // of the row under way, reused
    std::size_t filled = 0;
    std::function<void(std::uint64_t line)> on_row;
    std::exception_ptr trouble;  // libcsv's callbacks may not throw

    explicit Source(const std::string& of) : path(of)
    {
        if (csv_init(&parser, 0) != 0) throw std::bad_alloc();
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source()
    {
        if (file != nullptr) std::fclose(file);
        csv_free(&parser);
    }

    static void field(void* bytes, std::size_t size, void* self) noexcept
    {
        auto& source = *static_cast<Source*>(self);
        if (source.trouble) return;
        try {
            if (size > longest_field || source.filled > most_columns)
                throw std::runtime_error(
                    fmt::format("{}, line {}: too long for a row of values", source.path, source.lines + 1));
            if (source.filled == source.fields.size()) source.fields.emplace_back();
            source.fields[source.filled++].assign(static_cast<const char*>(bytes), size);
        } catch (...) {
            source.trouble = std::current_exception();
        }
    }
    static void row(int, void* self) noexcept
    {
        auto& source = *static_cast<Source*>(self);
        if (source.trouble) return;
        try {
            source.on_row(++source.lines);
        } catch (...) {
            source.trouble = std::current_exception();
        }
        source.filled = 0;
    }

    // One piece of the file; false at its end.
    bool step(std::size_t piece)
    {
        std::array<char, 1 << 16> buffer;
        const std::size_t got = std::fread(buffer.data(), 1, std::min(piece, buffer.size()), file);
        read += got;
        const bool broken = csv_parse(&parser, buffer.data(), got, field, row, this) != got;
        if (got == 0 && std::ferror(file) == 0) csv_fini(&parser, field, row, this);
        if (trouble) std::rethrow_exception(trouble);
        if (broken)
            throw std::runtime_error(
                fmt::format("{}, line {}: {}", path, lines + 1, csv_strerror(csv_error(&parser))));
        if (std::ferror(file) != 0)
            throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
        return got > 0;
    }
};

CsvFile::CsvFile(std::string path) : path_(std::move(path)), source_(std::make_unique<Source>(path_))
{
    Source& source = *source_;
    source.file = std::fopen(path_.c_str(), "rbe");
    struct stat about {};
    if (source.file == nullptr || fstat(fileno(source.file), &about) != 0)
        throw std::runtime_error(fmt::format("{}: {}; check the path", path_, std::strerror(errno)));
    if (S_ISDIR(about.st_mode)) throw std::runtime_error(path_ + ": is a folder");
    source.size = static_cast<std::uint64_t>(std::max<off_t>(about.st_size, 0));
    bool named = false;
    source.on_row = [&](std::uint64_t) {
        names_.assign(source.fields.begin(),
                      source.fields.begin() + static_cast<std::ptrdiff_t>(source.filled));
        named = true;
    };
    // Byte by byte, so that the first row is still to come.
    while (!named && source.step(1)) {
    }
    if (!named) throw std::runtime_error(path_ + ": is empty: its first line must name the columns");
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (names_.front().starts_with(byte_order_mark)) names_.front().erase(0, byte_order_mark.size());
    for (std::size_t at = 0; at < names_.size(); ++at)
        if (*find(names_[at]) != at)
            throw std::runtime_error(
                fmt::format("{}, line 1: two columns are called '{}'", path_, shown(names_[at])));
}

CsvFile::~CsvFile() = default;

std::optional<std::size_t> CsvFile::find(std::string_view name) const
{
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
}

std::size_t CsvFile::column(std::string_view name) const
{
    if (const auto found = find(name)) return *found;
    std::string all;
    for (const std::string& one : names_) {
        if (all.size() > 200) {
            all += ", ...";
            break;
        }
        add_to_list(all, shown(one));
    }
    throw std::runtime_error(fmt::format("{}: no column is called '{}'; there are: {}", path_, name, all));
}

void CsvFile::each_row(const std::function<void(const CsvRow&)>& use, const Tick& tick)
{
    Source& source = *source_;
    CsvRow row(path_, names_);
    source.on_row = [&](std::uint64_t line) {
        if (source.filled != names_.size())
            throw std::runtime_error(fmt::format("{}, line {}: has {} fields, where line 1 names {} columns",
                                                 path_, line, source.filled, names_.size()));
        row.line_ = line;
        row.fields_.swap(source.fields);
        row.fields_.resize(names_.size());
        use(row);
        row.fields_.swap(source.fields);
    };
    while (source.step(static_cast<std::size_t>(-1)))
        if (tick) tick(source.read, source.size);
}

}  // namespace fathom
