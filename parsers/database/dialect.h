// The kinds of databases, a row each: all in which they differ.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace soci {
class session;
struct backend_factory;
}  // namespace soci

namespace fathom::database {

struct Dialect {
    std::string_view name;    // as one calls it
    std::string_view prefix;  // of its URLs; empty: a path
    const soci::backend_factory& (*factory)();
    // What SOCI is given for a URL; `seconds`: how long to wait for others who write.
    std::string (*connection)(const std::string& url, int seconds);
    // Settings of a new session.
    std::string_view greeting;
    // What lets the plans of kept statements be kept; empty: they are.
    std::string_view keeping_plans;
    // Begins a transaction beside which no other one of Fathom writes.
    std::span<const std::string_view> begin_writing;
    // Gives the names of tables that are called like the value.
    std::string_view tables_named;
    // How many tables there are, where a database is one program's; empty: several share it.
    std::string_view count_of_tables;
    // Type of a column of whole numbers that is the key of a table.
    std::string_view key_type;
    // The database's clock, in ns of UNIX time.
    std::string_view now;
    // How many values a statement may have.
    std::size_t most_values;
    // Tables of others are read there; Fathom keeps none of its own.
    bool only_read;
    // What to do about an error whose text has these words.
    struct Remedy {
        std::string_view words, sentence;
    };
    std::span<const Remedy> remedies;
};

// By the URL's prefix: "postgresql://…", "sqlite:PATH" or a path. Throws DatabaseError for other schemes.
const Dialect& dialect_of(const std::string& url);

}  // namespace fathom::database
