// Rows are formatted into a buffer, and written some hundred KiB at a time.
#include "analyzer/timing/measure/samples_csv.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>
#include <unistd.h>

#include "analyzer/document/csv_text.h"
#include "logformat/log/new_file.h"

namespace fathom::measure {
namespace {

constexpr std::size_t flush_at = 256u << 10;

std::string seconds(std::uint64_t nanoseconds)
{
    return fmt::format("{}.{:09}", nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000);
}

template <class Number>
std::string known(const std::optional<Number>& value)
{
    return value ? fmt::format("{}", *value) : std::string();
}

std::string start_of_row(const Configuration& one)
{
    return fmt::format("{},{},{},{},{},{}", name_of(one.state), name_of(one.operation), name_of(one.memory),
                       name_of(one.file), one.size, one.threads);
}

}  // namespace

std::string checks_beside(const std::string& samples)
{
    constexpr std::string_view ending = ".csv";
    const bool ends = samples.ends_with(ending) && samples.size() > ending.size();
    return samples.substr(0, samples.size() - (ends ? ending.size() : 0)) + ".checks.csv";
}

std::string already_there(const std::string& path)
{
    return path + ": is there already; name another file with -o, or say --overwrite";
}

GrowingCsv::GrowingCsv(std::string path, std::string_view header, bool replace)
    : path_(std::move(path)), waiting_(header)
{
    if (const std::string trouble = trouble_with_owner(path_); !trouble.empty())
        throw std::runtime_error(fmt::format("{}: {}", path_, trouble));
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replace ? O_TRUNC : O_EXCL);
    file_ = Descriptor(open(path_.c_str(), flags, 0666));
    if (file_.number() >= 0) return;
    if (errno == EEXIST) throw std::runtime_error(already_there(path_));
    throw std::runtime_error(fmt::format("{}: cannot create the file: {}; choose another place with -o",
                                         path_, std::strerror(errno)));
}

void GrowingCsv::add(std::string_view rows)
{
    waiting_ += rows;
    if (waiting_.size() >= flush_at) flush();
}

void GrowingCsv::flush()
{
    std::string_view rest = waiting_;
    while (!rest.empty()) {
        const ssize_t done = write(file_.number(), rest.data(), rest.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) give_up(errno);
        rest.remove_prefix(static_cast<std::size_t>(done));
    }
    whole_ += waiting_.size();
    waiting_.clear();
}

// What was written of the last rows goes, so that those before can be read.
void GrowingCsv::give_up(int why)
{
    [[maybe_unused]] const int cut = ftruncate(file_.number(), static_cast<off_t>(whole_));
    throw std::runtime_error(fmt::format(
        "{}: cannot write: {}; free some space, or choose another place with -o; the rows that are "
        "there are whole",
        path_, std::strerror(why)));
}

void add_samples(GrowingCsv& csv, const Configuration& one, unsigned thread, std::span<const Sample> samples,
                 std::uint64_t begin)
{
    const std::string row = fmt::format("{},{},{}", start_of_row(one), thread, one.repeat);
    fmt::memory_buffer line;
    for (std::size_t number = 0; number < samples.size(); ++number) {
        const Sample& sample = samples[number];
        line.clear();
        fmt::format_to(std::back_inserter(line), "{},{},{},{},{}\n", row, number, sample.offset,
                       seconds(sample.start - begin), seconds(sample.duration));
        csv.add({line.data(), line.size()});
    }
}

void add_check(GrowingCsv& csv, const Check& check, std::uint64_t page)
{
    const auto& [one, seen, verdict] = check;
    csv.add(fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", start_of_row(one), one.repeat, name_of(seen.how),
        seen.operations, seen.planned, seen.bytes, known(seen.resident_before), known(seen.resident_after),
        known(seen.cache_hits(one.operation, page)), known(seen.read_bytes), known(seen.write_bytes),
        as_asked_names[static_cast<std::size_t>(verdict.as_asked)], report::csv_text(verdict.why)));
}

}  // namespace fathom::measure
