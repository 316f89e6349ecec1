// As many keys at a time as fit; the last ones are filled up, so that statements are the same.
#include "analyzer/jobs/store/keys.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace fathom::jobs {
namespace {

// Few sizes of statement, so that each is prepared once.
constexpr std::size_t sizes[] = {1, 8, 64, 256};

template <class Ask>
void in_pieces(std::string_view sql, std::span<const Value> keys, Ask ask)
{
    const std::size_t place = sql.find("@keys");
    for (std::size_t from = 0; from < keys.size();) {
        const std::size_t left = keys.size() - from;
        const auto* const fits = std::ranges::find_if(sizes, [&](std::size_t size) { return size >= left; });
        const std::size_t size = fits == std::end(sizes) ? sizes[std::size(sizes) - 1] : *fits;
        const auto some = keys.subspan(from, std::min(size, left));
        Values piece(some.begin(), some.end());
        piece.resize(size, piece.back());
        std::string marks = "?";
        for (std::size_t at = 1; at < size; ++at) marks += ",?";
        ask(fmt::format("{}{}{}", sql.substr(0, place), marks,
                        sql.substr(place + std::string_view("@keys").size())),
            piece);
        from += some.size();
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
