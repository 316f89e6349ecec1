// The parts of Log that neither read nor write files.
#include "logformat/log/log.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace fathom {
namespace {

// The name of a column, in a place of this thread: it is asked for very often.
const std::string& name_of(std::string_view table, std::string_view column)
{
    thread_local std::string name;
    name.assign(table).append(".").append(column);
    return name;
}

}  // namespace

// Here, since they go over all tables: in each file that makes a log they would take the compiler longest.
Log::Log() = default;
Log::Log(Log&& other) noexcept = default;
Log& Log::operator=(Log&& other) noexcept = default;
Log::~Log() = default;

std::optional<std::string_view> Log::fact(std::string_view name) const
{
    for (const Fact& fact : rows<Fact>())
        if (fact.name == name) return fact.value;
    return std::nullopt;
}

std::string_view Log::keep(std::string_view text)
{
    // Short ones share a block, which never grows beyond its room and so stays where it is.
    constexpr std::size_t block = 4096;
    if (texts_.empty() || texts_.back().capacity() - texts_.back().size() < text.size())
        texts_.emplace_back().reserve(std::max(block, text.size()));
    std::vector<std::byte>& last = texts_.back();
    const std::size_t from = last.size();
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    last.insert(last.end(), bytes, bytes + text.size());
    return {reinterpret_cast<const char*>(last.data() + from), text.size()};
}

std::span<std::byte> Log::keep(std::vector<std::byte> bytes)
{
    return texts_.emplace_back(std::move(bytes));
}

void Log::add_fact(std::string_view name, std::string_view value)
{
    rows<Fact>().push_back({keep(name), keep(value)});
}

bool Log::recorded(std::string_view table, std::string_view column) const
{
    return not_recorded.empty() || !not_recorded.contains(name_of(table, column));
}

void Log::mark_lacking(std::string_view table, std::string_view column)
{
    not_recorded.insert(name_of(table, column));
}

bool Log::recorded(std::string_view name) const
{
    if (!is_column(name)) throw std::logic_error("no table has the column " + std::string(name));
    return !not_recorded.contains(name);
}

void Log::mark_lacking(std::string_view name)
{
    not_recorded.insert(name);
}

void Log::compact()
{
    std::size_t bytes = 0;
    const auto each_text = [&](auto visit) {
        each_table([&](const auto& table, std::size_t) {
            using Row = typename std::remove_cvref_t<decltype(table)>::Row;
            for (Row& row : rows<Row>())
                each_field<Row>([&](const auto& field) {
                    auto& value = row.*field.member;
                    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string_view>)
                        visit(value);
                });
        });
    };
    each_text([&](std::string_view text) { bytes += text.size(); });
    std::vector<std::byte> copy(bytes);
    std::size_t at = 0;
    each_text([&](std::string_view& text) {
        if (text.empty()) return;
        std::memcpy(copy.data() + at, text.data(), text.size());
        text = {reinterpret_cast<const char*>(copy.data() + at), text.size()};
        at += text.size();
    });
    texts_.clear();
    keep(std::move(copy));
}

void Log::append(Log&& other)
{
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        auto& ours = rows<Row>();
        auto& theirs = other.rows<Row>();
        if (ours.empty())
            ours = std::move(theirs);
        else
            ours.insert(ours.end(), theirs.begin(), theirs.end());
        if constexpr (packs<Row>) packed<Row>().append(std::move(other.packed<Row>()));
    });
    std::move(other.texts_.begin(), other.texts_.end(), std::back_inserter(texts_));
    std::move(other.problems.begin(), other.problems.end(), std::back_inserter(problems));
    not_recorded.merge(other.not_recorded);
}

}  // namespace fathom
