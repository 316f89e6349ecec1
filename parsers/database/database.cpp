// Statements are prepared once for each SQL text, with places for the values that SOCI binds.
#include "parsers/database/database.h"

#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <soci/soci.h>

#include "parsers/database/passwords.h"

namespace fathom::database {

// Named, since Connection has members of these types.
namespace detail {

// A value that SOCI reads from or writes to, in a place that stays.
struct Place {
    ValueType type = ValueType::text;
    long long integer = 0;
    double real = 0;
    std::string text;
    soci::indicator known = soci::i_ok;

    void set(const Value& value)
    {
        known = value.index() == 0 ? soci::i_null : soci::i_ok;
        if (const auto* whole = std::get_if<std::int64_t>(&value)) integer = *whole;
        if (const auto* number = std::get_if<double>(&value)) real = *number;
        if (const auto* words = std::get_if<std::string>(&value)) text = *words;
    }
    Value get() const
    {
        if (known == soci::i_null) return {};
        if (type == ValueType::integer) return static_cast<std::int64_t>(integer);
        if (type == ValueType::real) return real;
        return text;
    }
    void used_by(soci::statement& statement)
    {
        if (type == ValueType::integer)
            statement.exchange(soci::use(integer, known));
        else if (type == ValueType::real)
            statement.exchange(soci::use(real, known));
        else
            statement.exchange(soci::use(text, known));
    }
    void filled_by(soci::statement& statement)
    {
        if (type == ValueType::integer)
            statement.exchange(soci::into(integer, known));
        else if (type == ValueType::real)
            statement.exchange(soci::into(real, known));
        else
            statement.exchange(soci::into(text, known));
    }
};

// A null is bound as a text.
ValueType type_of(const Value& value)
{
    if (std::holds_alternative<std::int64_t>(value)) return ValueType::integer;
    return std::holds_alternative<double>(value) ? ValueType::real : ValueType::text;
}

// SOCI wants names: ? becomes :v0, :v1 and so on.
std::string with_names(std::string_view sql)
{
    std::string out;
    std::size_t number = 0;
    for (const char letter : sql) {
        if (letter == '?')
            out += fmt::format(":v{}", number++);
        else
            out += letter;
    }
    return out;
}

struct Prepared {
    soci::statement statement;
    std::deque<Place> values, columns;
    bool busy = false;  // its rows are being visited

    Prepared(soci::session& session, std::string_view sql, std::span<const ValueType> given,
             std::span<const ValueType> taken)
        : statement(session), values(given.size()), columns(taken.size())
    {
        statement.alloc();
        statement.prepare(with_names(sql));
        for (std::size_t at = 0; at < taken.size(); ++at) {
            columns[at].type = taken[at];
            columns[at].filled_by(statement);
        }
        for (std::size_t at = 0; at < given.size(); ++at) {
            values[at].type = given[at];
            values[at].used_by(statement);
        }
        statement.define_and_bind();
    }
};

}  // namespace detail

namespace {

using detail::Prepared;
using detail::type_of;

constexpr int seconds_to_wait = 600;

// How many they were.
std::size_t visit_rows(Prepared& prepared, std::span<const Value> values, std::size_t columns,
                       const Database::Visit& visit)
{
    std::size_t rows = 0;
    for (std::size_t at = 0; at < values.size(); ++at) prepared.values[at].set(values[at]);
    prepared.statement.execute();
    Values row(columns);
    while (prepared.statement.fetch()) {
        for (std::size_t at = 0; at < row.size(); ++at) row[at] = prepared.columns[at].get();
        visit(row);
        ++rows;
    }
    return rows;
}

// "sqlite3_statement_backend::prepare: file is not a database", "Cannot establish connection to the database.
// \nconnection to server at ... failed\n\tIs the server running?": what the database said, in one line,
// without the place in SOCI, its heading and hints.
std::string in_one_line(std::string_view text)
{
    const std::size_t place = text.find("::"), words = text.find(": ", place);
    if (place < text.find(' ') && words != std::string_view::npos) text.remove_prefix(words + 2);
    std::string line;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (part.starts_with('\t')) continue;
        if (part.starts_with("Cannot establish connection") && !text.empty()) continue;
        while (part.ends_with(' ') || part.ends_with('.')) part.remove_suffix(1);
        if (!part.empty()) line += (line.empty() ? "" : "; ") + std::string(part);
    }
    return line;
}

}  // namespace

std::string without_password(std::string url)
{
    const std::vector<TextPart> parts = passwords_in(url);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        url.replace(part->begin, part->length, "...");
    return url;
}

std::string with_timeouts(std::string url)
{
    constexpr std::string_view prefix = "postgres";
    if (!url.starts_with(prefix) || url.find("://") == std::string::npos) return url;
    for (const auto& [name, value] :
         {std::pair{"connect_timeout", "5"}, std::pair{"tcp_user_timeout", "10000"}})
        if (url.find(name) == std::string::npos)
            url += fmt::format("{}{}={}", url.find('?') == std::string::npos ? '?' : '&', name, value);
    return url;
}

struct Database::Connection {
    const Dialect* dialect;
    std::string name, password_free_url;
    soci::session session;
    std::map<std::string, std::unique_ptr<Prepared>, std::less<>> prepared;

    // Throws what SOCI threw as an error of ours.
    [[noreturn]] void fail(const std::string& what) const
    {
        // The rest is the statement with all its values.
        std::string sentence = fmt::format("{}: {}", name, in_one_line(what.substr(0, what.find(" while "))));
        for (const Dialect::Remedy& remedy : dialect->remedies)
            if (what.find(remedy.words) != std::string::npos) {
                sentence += fmt::format("; {}", remedy.sentence);
                break;
            }
        throw DatabaseError(sentence);
    }

    template <class Work>
    auto guarded(Work work)
    {
        try {
            return work();
        } catch (const soci::soci_error& error) {
            fail(error.what());
        }
    }

    Prepared& statement(std::string_view sql, std::span<const ValueType> given,
                        std::span<const ValueType> taken)
    {
        std::string key = key_of(sql, given);
        if (const auto found = prepared.find(key); found != prepared.end()) return *found->second;
        make_room();
        auto made = std::make_unique<Prepared>(session, sql, given, taken);
        return *prepared.emplace(std::move(key), std::move(made)).first->second;
    }
    // So many are kept at most: what people ask for makes others over and over.
    void make_room()
    {
        constexpr std::size_t most_kept = 400;
        if (prepared.size() < most_kept) return;
        std::erase_if(prepared, [](const auto& one) { return !one.second || !one.second->busy; });
    }
    void forget(std::string_view sql, std::span<const ValueType> given)
    {
        prepared.erase(key_of(sql, given));
    }

    // Two texts may differ in the types of their values alone.
    static std::string key_of(std::string_view sql, std::span<const ValueType> given)
    {
        std::string key(sql);
        for (const ValueType type : given) key += static_cast<char>('0' + static_cast<int>(type));
        return key;
    }
};

Database::Database(const std::string& url, Access access) : connection_(std::make_unique<Connection>())
{
    connection_->dialect = &dialect_of(url);
    connection_->name = without_password(url);
    if (access == Access::write && connection_->dialect->only_read)
        throw DatabaseError(fmt::format(
            "{}: Fathom reads what others keep in {}; its own tables go into SQLite or PostgreSQL", name(),
            connection_->dialect->name));
    if (connection_->dialect->prefix.empty()) {
        std::error_code unknown;
        if (access != Access::write && !std::filesystem::exists(url, unknown))
            throw DatabaseError(fmt::format(
                "{}: there is no such database; `fathom jobs add` makes one, and --db names another",
                name()));
        if (url.find('"') != std::string::npos)
            throw DatabaseError(fmt::format("{}: the path of a database may have no \"", name()));
    }
    connection_->guarded([&] {
        connection_->session.open(connection_->dialect->factory(),
                                  connection_->dialect->connection(url, seconds_to_wait));
        run(connection_->dialect->greeting);
    });
}

Database::~Database() = default;

const Dialect& Database::dialect() const
{
    return *connection_->dialect;
}

const std::string& Database::name() const
{
    return connection_->name;
}

void Database::give_up_after(unsigned seconds)
{
    if (dialect().prefix.empty())
        run(fmt::format("pragma busy_timeout = {}", seconds * 1000));
    else
        run(fmt::format("set statement_timeout = '{}s'", seconds));
}

void Database::run(std::string_view sql, std::span<const Value> values)
{
    connection_->guarded([&] {
        if (values.empty()) {
            connection_->session << std::string(sql);
            return;
        }
        std::vector<ValueType> given;
        for (const Value& value : values) given.push_back(type_of(value));
        Prepared& prepared = connection_->statement(sql, given, {});
        for (std::size_t at = 0; at < values.size(); ++at) prepared.values[at].set(values[at]);
        prepared.statement.execute(true);
    });
}

void Database::each(std::string_view sql, std::span<const Value> values, std::span<const ValueType> types,
                    const Visit& visit)
{
    connection_->guarded([&] {
        std::vector<ValueType> given;
        for (const Value& value : values) given.push_back(type_of(value));
        Prepared prepared(connection_->session, sql, given, types);
        visit_rows(prepared, values, types.size(), visit);
    });
}

void Database::each_again(std::string_view sql, std::span<const Value> values,
                          std::span<const ValueType> types, const Visit& visit)
{
    std::vector<ValueType> given;
    for (const Value& value : values) given.push_back(type_of(value));
    connection_->guarded([&] {
        Prepared& prepared = connection_->statement(sql, given, types);
        if (prepared.busy) return each(sql, values, types, visit);
        prepared.busy = true;
        // A statement goes on holding what it has read.
        constexpr std::size_t most_held = 10'000;  // values
        std::size_t rows = 0;
        try {
            rows = visit_rows(prepared, values, types.size(), visit);
        } catch (...) {
            connection_->forget(sql, given);
            throw;
        }
        prepared.busy = false;
        if (rows * types.size() > most_held) connection_->forget(sql, given);
    });
}

void Database::keep_plans()
{
    connection_->guarded([&] {
        connection_->prepared.clear();
        if (!dialect().keeping_plans.empty()) run(dialect().keeping_plans);
    });
}

Value Database::one(std::string_view sql, std::span<const Value> values, ValueType type)
{
    Value found;
    each(sql, values, std::span(&type, 1), [&](std::span<const Value> row) { found = row[0]; });
    return found;
}

Value Database::one_again(std::string_view sql, std::span<const Value> values, ValueType type)
{
    Value found;
    each_again(sql, values, std::span(&type, 1), [&](std::span<const Value> row) { found = row[0]; });
    return found;
}

void Database::insert(std::string_view table, std::span<const std::string_view> columns,
                      std::span<const ValueType> types, std::span<const Value> cells)
{
    constexpr std::size_t most_rows = 64;
    const std::size_t width = columns.size();
    const std::size_t at_once = std::min(most_rows, dialect().most_values / width);
    connection_->guarded([&] {
        for (std::size_t from = 0; from < cells.size();) {
            const std::size_t left = (cells.size() - from) / width;
            // Few sizes of statement, so that each is prepared once.
            std::size_t rows = at_once;
            while (rows > left) rows = rows > 8 ? 8 : 1;
            std::string row = "(?";
            for (std::size_t at = 1; at < width; ++at) row += ",?";
            row += ")";
            std::string sql =
                fmt::format("insert into {} ({}) values {}", table, fmt::join(columns, ","), row);
            std::vector<ValueType> given(types.begin(), types.end());
            for (std::size_t at = 1; at < rows; ++at) {
                sql += "," + row;
                given.insert(given.end(), types.begin(), types.end());
            }
            Prepared& prepared = connection_->statement(sql, given, {});
            for (std::size_t at = 0; at < rows * width; ++at) prepared.values[at].set(cells[from + at]);
            prepared.statement.execute(true);
            from += rows * width;
        }
    });
}

WriteTransaction::WriteTransaction(Database& database) : database_(database)
{
    for (const std::string_view sql : database.dialect().begin_writing) database.run(sql);
}

WriteTransaction::~WriteTransaction()
{
    if (!open_) return;
    try {
        database_.run("rollback");
    } catch (const DatabaseError&) {  // the connection is gone, and with it what was written
    }
}

void WriteTransaction::commit()
{
    database_.run("commit");
    open_ = false;
}

}  // namespace fathom::database
