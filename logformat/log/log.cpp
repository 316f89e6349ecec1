// The parts of Log that neither read nor write files.
#include "logformat/log/log.h"

#include <cstring>
#include <iterator>

namespace fathom {
namespace {

std::string existing(std::string_view name)
{
    if (!is_column(name)) throw std::logic_error("no table has the column " + std::string(name));
    return std::string(name);
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
    std::vector<std::byte> copy(text.size());
    if (!text.empty()) std::memcpy(copy.data(), text.data(), text.size());
    const auto kept = keep(std::move(copy));
    return {reinterpret_cast<const char*>(kept.data()), kept.size()};
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
    return not_recorded.empty() || !not_recorded.contains(std::string(table).append(".").append(column));
}

void Log::mark_lacking(std::string_view table, std::string_view column)
{
    not_recorded.insert(std::string(table).append(".").append(column));
}

bool Log::recorded(std::string_view name) const
{
    return !not_recorded.contains(existing(name));
}

void Log::mark_lacking(std::string_view name)
{
    not_recorded.insert(existing(name));
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
    });
    std::move(other.texts_.begin(), other.texts_.end(), std::back_inserter(texts_));
    std::move(other.problems.begin(), other.problems.end(), std::back_inserter(problems));
    not_recorded.merge(other.not_recorded);
}

}  // namespace fathom
