// So many keys at a time; the last ones are filled up, so that the statement is the same.
#include "analyzer/jobs/store/keys.h"

#include <fmt/format.h>

namespace fathom::jobs {
namespace {

constexpr std::size_t keys_at_once = 256;

template <class Ask>
void in_pieces(std::string_view sql, std::span<const Value> keys, Ask ask)
{
    const std::size_t place = sql.find("@keys");
    std::string marks = "?";
    for (std::size_t at = 1; at < keys_at_once; ++at) marks += ",?";
    const std::string statement = fmt::format("{}{}{}", sql.substr(0, place), marks,
                                              sql.substr(place + std::string_view("@keys").size()));
    for (std::size_t from = 0; from < keys.size(); from += keys_at_once) {
        const auto some = keys.subspan(from, std::min(keys_at_once, keys.size() - from));
        Values piece(some.begin(), some.end());
        piece.resize(keys_at_once, piece.back());
        ask(statement, piece);
    }
}

}  // namespace

void each_of(Database& database, std::string_view sql, std::span<const Value> keys,
             std::span<const ValueType> types, const Database::Visit& visit)
{
    in_pieces(sql, keys, [&](const std::string& statement, const Values& piece) {
        database.each_again(statement, piece, types, visit);
    });
}

void run_of(Database& database, std::string_view sql, std::span<const Value> keys, const Values& before)
{
    in_pieces(sql, keys, [&](const std::string& statement, const Values& piece) {
        Values values = before;
        values.insert(values.end(), piece.begin(), piece.end());
        database.run(statement, values);
    });
}

}  // namespace fathom::jobs
