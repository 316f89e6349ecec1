// What SQLite, PostgreSQL and MySQL have in common is in database.cpp; beyond that all get the same SQL.
#include "parsers/database/dialect.h"

#include <fmt/format.h>
#include <soci/soci-backend.h>

#include "parsers/database/database.h"

// Their own headers would need those of the databases.
extern "C" {
const soci::backend_factory* factory_sqlite3();
const soci::backend_factory* factory_postgresql();
const soci::backend_factory* factory_mysql();
}

namespace fathom::database {
namespace {

constexpr std::string_view sqlite_prefix = "sqlite:", mysql_prefix = "mysql://";

// A rollback journal, no shared memory: the file may lie on a file system that many nodes share.
std::string sqlite_connection(const std::string& url, int seconds)
{
    std::string path = url.starts_with(sqlite_prefix) ? url.substr(sqlite_prefix.size()) : url;
    if (path.starts_with(':') || path.starts_with("file:"))
        path = "./" + path;  // these mean other things to SQLite
    return fmt::format("dbname=\"{}\" timeout={}", path, seconds);
}

// SOCI takes what has no = in it for the name of an option.
std::string postgresql_connection(const std::string& url, int)
{
    return fmt::format("{}{}application_name=fathom", url, url.find('?') == std::string::npos ? '?' : '&');
}

// "mysql://anna:secret@host:3306/lmt?unix_socket=PATH": the words that the backend wants, each in quotes.
std::string mysql_connection(const std::string& url, int)
{
    const auto quoted = [](std::string_view name, std::string_view value) {
        if (value.empty()) return std::string();
        if (value.find_first_of("'\"\\") != std::string_view::npos)
            throw DatabaseError(fmt::format(
                "a quote or backslash in the {} of a MySQL URL cannot be told to its library", name));
        return fmt::format("{}='{}' ", name, value);
    };
    std::string_view rest = std::string_view(url).substr(mysql_prefix.size());
    const auto take_to = [&](char end) {
        const std::size_t at = rest.find(end);
        const std::string_view part = rest.substr(0, at);
        rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
        return part;
    };
    const std::size_t authority = std::min(rest.find_first_of("/?"), rest.size());
    const std::size_t at_sign = rest.substr(0, authority).rfind('@');
    std::string words;
    if (at_sign != std::string_view::npos) {
        const std::string_view user = rest.substr(0, at_sign);
        const std::size_t colon = user.find(':');
        words += quoted("user", user.substr(0, colon));
        if (colon != std::string_view::npos) words += quoted("password", user.substr(colon + 1));
        rest.remove_prefix(at_sign + 1);
    }
    const std::string_view place = take_to('/');
    const std::size_t colon = place.find(':');
    words += quoted("host", place.substr(0, colon));
    if (colon != std::string_view::npos) words += quoted("port", place.substr(colon + 1));
    words += quoted("dbname", take_to('?'));
    constexpr std::string_view socket = "unix_socket=";
    if (rest.starts_with(socket)) words += quoted("unix_socket", rest.substr(socket.size()));
    return words;
}

constexpr std::string_view begin_sqlite[] = {"begin immediate"};
// The number is Fathom's: whoever holds it is the only one who writes.
constexpr std::string_view begin_postgresql[] = {"begin", "select pg_advisory_xact_lock(70417741)"};

// A plan that is kept, made while a table was small, would go through all of it once it is large.
constexpr std::string_view postgresql_session =
    "select set_config('client_min_messages', 'error', false), "
    "set_config('plan_cache_mode', 'force_custom_plan', false)";
constexpr std::string_view postgresql_plans = "set plan_cache_mode = auto";

constexpr std::string_view now_postgresql =
    "cast(extract(epoch from clock_timestamp()) * 1000000000 as bigint)";

constexpr std::string_view begin_mysql[] = {"start transaction"};

constexpr Dialect::Remedy sqlite_remedies[] = {
    {"readonly", "the file or its folder must be writable for you"},
    {"unable to open", "its folder must be there and be writable for you"},
    {"locked", "another program has been writing to it for minutes: end that, or try again later"},
    {"full", "make room on its file system and run this again: what was committed is safe"},
    {"not a database", "name a database that `fathom jobs add --db FILE` made, or a new file"},
    {"malformed", "the file is damaged: restore it, or add the logs to a new one"},
    {"disk I/O error", "look at the file system that it lies on, then run this again"},
};
constexpr Dialect::Remedy postgresql_remedies[] = {
    {"could not translate", "check the name of the host"},
    {"password", "put HOST:PORT:DATABASE:USER:PASSWORD into ~/.pgpass, with permissions 0600"},
    {"does not exist", "ask who runs the server to make the database or the user (createdb, createuser)"},
    {"permission denied", "ask who runs the server for the right to write in this database (or to read)"},
    {"read-only", "this server takes no changes: name the primary one"},
    {"could not extend",
     "the server's disk is full: make room and run this again; what was committed is safe"},
    {"No space left", "the server's disk is full: make room and run this again; what was committed is safe"},
    {"onnection",
     "see that the server runs and can be reached, then run this again: what was committed is safe"},
    {"terminat",
     "see that the server runs and can be reached, then run this again: what was committed is safe"},
};

constexpr Dialect::Remedy mysql_remedies[] = {
    {"Access denied",
     "ask who runs the server for the right to read this database (grant select), and check the password"},
    {"Unknown database", "check the name of the database"},
    {"Unknown server host", "check the name of the host"},
    {"onnect", "see that the server runs and can be reached from here"},
    {"denied to user", "ask who runs the server for the right to read this database (grant select)"},
};

constexpr Dialect dialects[] = {
    {"PostgreSQL", "postgresql://", []() -> const soci::backend_factory& { return *factory_postgresql(); },
     postgresql_connection, postgresql_session, postgresql_plans, begin_postgresql,
     "select tablename from pg_catalog.pg_tables where tablename = ? and schemaname = current_schema()", "",
     "bigint", now_postgresql, 30000, false, postgresql_remedies},
    {"PostgreSQL", "postgres://", []() -> const soci::backend_factory& { return *factory_postgresql(); },
     postgresql_connection, postgresql_session, postgresql_plans, begin_postgresql,
     "select tablename from pg_catalog.pg_tables where tablename = ? and schemaname = current_schema()", "",
     "bigint", now_postgresql, 30000, false, postgresql_remedies},
    {"MySQL", mysql_prefix, []() -> const soci::backend_factory& { return *factory_mysql(); },
     mysql_connection, "set names utf8mb4", "", begin_mysql,
     "select table_name from information_schema.tables where table_name = ? and table_schema = database()",
     "", "bigint", "cast(unix_timestamp(now(6)) * 1000000000 as signed)", 30000, true, mysql_remedies},
    {"SQLite", "", []() -> const soci::backend_factory& { return *factory_sqlite3(); }, sqlite_connection,
     "pragma cache_size = -65536", "", begin_sqlite,
     "select name from sqlite_master where type = 'table' and name = ?",
     "select count(*) from sqlite_master where type = 'table'", "integer",
     "cast((julianday('now') - 2440587.5) * 86400000 as integer) * 1000000", 30000, false, sqlite_remedies},
};

}  // namespace

const Dialect& dialect_of(const std::string& url)
{
    const std::size_t scheme = url.find("://");
    for (const Dialect& dialect : dialects) {
        if (!dialect.prefix.empty() && url.starts_with(dialect.prefix)) return dialect;
        if (dialect.prefix.empty() && scheme == std::string::npos) return dialect;
    }
    throw DatabaseError(fmt::format(
        "{}: no database of this kind is known; say postgresql://HOST/DATABASE, or the path of a file",
        without_password(url)));
}

}  // namespace fathom::database
