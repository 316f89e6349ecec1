// Which source a file is, and which of its classes were asked for.
#include "analyzer/timing/operations/timed_operations.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sys/stat.h>

#include "analyzer/document/units.h"
#include "analyzer/timing/operations/from_csv.h"
#include "analyzer/timing/operations/from_log.h"
#include "logformat/log/trace.h"
#include "parsers/open.h"
#include "parsers/parser.h"

namespace fathom {
namespace {

bool same_word(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char one, unsigned char other) {
        return std::tolower(one) == std::tolower(other);
    });
}

bool has_size(const TimedClass& one, std::uint64_t size)
{
    if (one.same_size()) return *one.least_bytes == size;
    return (one.least_bytes || one.most_bytes) && one.least_bytes.value_or(0) <= size &&
           size <= one.most_bytes.value_or(size);
}

// How many of the counted operations, of kinds that are in both, are not among the traced ones.
std::uint64_t untraced(const TimedOperations& counted, const TimedOperations& traced)
{
    std::map<std::pair<std::string, std::string>, std::uint64_t> seen;
    for (const TimedClass& one : traced.classes) seen[{one.layer, one.operation}] += one.operations;
    std::map<std::pair<std::string, std::string>, std::uint64_t> all;
    for (const TimedClass& one : counted.classes) all[{one.layer, one.operation}] += one.operations;
    std::uint64_t more = 0;
    for (const auto& [what, operations] : all) more += operations - std::min(operations, seen[what]);
    return more;
}

TimedOperations of_size(TimedOperations all, const OperationChoice& choice)
{
    if (choice.size)
        std::erase_if(all.classes, [&](const TimedClass& one) { return !has_size(one, *choice.size); });
    return all;
}

}  // namespace

bool is_chosen(const OperationChoice& choice, std::string_view layer, std::string_view operation)
{
    return (choice.layer.empty() || same_word(choice.layer, layer)) &&
           (choice.operation.empty() || same_word(choice.operation, operation));
}

bool is_csv_file(const std::string& path)
{
    if (path.ends_with(".csv")) return true;
    struct stat about {};
    if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
    std::string bytes(first_bytes_shown, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    for (const Parser& parser : parsers())
        if (parser.recognises(bytes)) return false;
    // What else people name by mistake is text, too; what looks like a header is not among it.
    const std::string_view first = std::string_view(bytes).substr(0, bytes.find('\n'));
    const bool text = std::all_of(first.begin(), first.end(),
                                  [](unsigned char c) { return c >= ' ' || c == '\r' || c == '\t'; });
    return text && !first.empty() && first.find_first_of("{<#%") != 0;
}

TimedOperations timed_operations(const Log& log, const OperationChoice& choice, const Tick& tick)
{
    if (choice.from == TimedFrom::histograms || (choice.from == TimedFrom::best && !has_trace(log)))
        return of_size(from_histograms(log, choice), choice);
    TimedOperations traced = from_trace(log, choice, tick);
    TimedOperations counted = from_histograms(log, choice);
    if (traced.classes.empty() && choice.from == TimedFrom::best && !counted.classes.empty())
        traced = counted;
    if (const std::uint64_t more = untraced(counted, traced); more > 0)
        traced.notes.push_back(
            fmt::format("The trace lacks {} of these operations; the log's histograms have all of them "
                        "(--from histograms).",
                        report::format_count(more)));
    return of_size(std::move(traced), choice);
}

TimedOperations timed_operations(const std::string& path, const OperationChoice& choice, const Tick& tick)
{
    if (is_csv_file(path)) return of_size(from_csv(path, choice, tick), choice);
    return timed_operations(open_dataset(path, tick), choice);
}

}  // namespace fathom
