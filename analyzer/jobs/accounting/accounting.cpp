// The kinds of files, a row each.
#include "analyzer/jobs/accounting/accounting.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "analyzer/document/printable.h"
#include "analyzer/jobs/accounting/accounts.h"
#include "analyzer/jobs/accounting/sources.h"

namespace fathom::jobs {
namespace {

// JSON says late what it is; of others, logs among them, less is read.
constexpr std::size_t first_bytes_of_file = 4096, first_bytes_of_json = 65536;
constexpr std::size_t most_complaints = 10;

struct Source {
    bool (*is)(const std::string& path, std::string_view first_bytes);
    void (*read)(const std::string& path, const Reading& reading);
};

template <bool (*is)(std::string_view first_bytes)>
bool by_bytes(const std::string&, std::string_view first_bytes)
{
    return is(first_bytes);
}

constexpr Source sources[] = {
    {is_job_summary, read_job_summary},
    {by_bytes<is_pytokio_json>, read_pytokio_json},
    {by_bytes<is_sacct_json>, read_sacct_json},
    {by_bytes<is_sacct_text>, read_sacct_text},
};

// The beginning of a file, up to so many bytes of it, of which it has some already.
void read_to(std::ifstream& file, std::size_t size, std::string& bytes)
{
    const std::size_t had = bytes.size();
    bytes.resize(size);
    file.read(bytes.data() + had, static_cast<std::streamsize>(size - had));
    bytes.resize(had + static_cast<std::size_t>(file.gcount()));
}

// nullptr: none of these. What is no regular file would lose what is read from it here.
const Source* source_of(const std::string& path)
{
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) return nullptr;
    std::ifstream file(path, std::ios::binary);
    std::string first;
    read_to(file, first_bytes_of_file, first);
    if (const std::size_t at = first.find_first_not_of(" \t\r\n");
        at != std::string::npos && first[at] == '{')
        read_to(file, first_bytes_of_json, first);
    for (const Source& source : sources)
        if (source.is(path, first)) return &source;
    return nullptr;
}

// The first complaints of a file, and how many more there are.
class Complaints {
  public:
    Complaints(const std::string& path, const AccountingPlan& plan)
        : path_(report::printable(path)), plan_(plan)
    {}

    void add(const std::string& where, const std::string& what)
    {
        if (++number <= most_complaints)
            plan_.say(fmt::format("{}{}{}: {}", path_, where.empty() ? "" : ", ", where, what));
    }
    void end() const
    {
        if (number > most_complaints)
            plan_.say(fmt::format("{}: {} more that cannot be used", path_, number - most_complaints));
    }

    std::size_t number = 0;

  private:
    std::string path_;
    const AccountingPlan& plan_;
};

}  // namespace

void AccountingCount::add(const AccountingCount& other)
{
    allocations += other.allocations;
    changed += other.changed;
    steps += other.steps;
    logs += other.logs;
    unstarted += other.unstarted;
    broken += other.broken;
}

void give(Listed&& listed, const Reading& reading)
{
    if (has_started(listed))
        reading.take(std::move(listed));
    else
        reading.leave_out();
}

bool is_accounting(const std::string& path)
{
    return source_of(path) != nullptr;
}

AccountingCount add_accounting(Database& database, const std::string& path, const AccountingPlan& plan,
                               const Tick& tick, const std::atomic<bool>& stop)
{
    AccountingCount count;
    Accounts accounts(database, count);
    Complaints complaints(path, plan);
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    const Reading reading{
        [&](Listed&& listed) { accounts.take(std::move(listed)); }, [&] { ++count.unstarted; },
        [&](const std::string& where, const std::string& what) { complaints.add(where, what); },
        [&](std::uint64_t done) {
            tell_progress(tick, done, unknown ? done : size);
            return !stop;
        }};
    if (const Source* const source = source_of(path))
        source->read(path, reading);
    else
        complaints.add("", "this is no accounting: sacct -P and sacct --json make it");
    accounts.write();
    complaints.end();
    count.broken = complaints.number;
    return count;
}

}  // namespace fathom::jobs
