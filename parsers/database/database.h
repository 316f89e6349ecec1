// A database of SQLite, PostgreSQL or MySQL: statements with values, rows, transactions. SOCI is known here
// alone.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "parsers/database/dialect.h"
#include "parsers/database/value.h"

namespace fathom::database {

// What went wrong, with which database, and what to do; no password is in it.
struct DatabaseError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// `change`: writing, of what is there.
enum class Access : unsigned char { read, change, write };

// "postgresql://anna:secret@host/db" -> "postgresql://anna:...@host/db"
std::string without_password(std::string url);

// The same URL, of a session that notices within seconds when a server goes away without a word.
std::string with_timeouts(std::string url);

class Database {
  public:
    // `url`: dialect_of(url). A file that is not there is made for writing, and an error otherwise. Throws
    // DatabaseError, as do all calls.
    Database(const std::string& url, Access access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const Dialect& dialect() const;
    // As messages call it.
    const std::string& name() const;

    // A question that takes longer is an error from now on.
    void give_up_after(unsigned seconds);

    // In `sql` each ? stands for the next of `values`.
    void run(std::string_view sql, std::span<const Value> values = {});

    // Calls visit(values) for each row: as many as `types`, and of those.
    using Visit = std::function<void(std::span<const Value>)>;
    void each(std::string_view sql, std::span<const Value> values, std::span<const ValueType> types,
              const Visit& visit);
    // The same, with a statement that is kept for the next time: for those that are asked over and over.
    void each_again(std::string_view sql, std::span<const Value> values, std::span<const ValueType> types,
                    const Visit& visit);
    // Of the first row; nothing inside where there is none.
    Value one(std::string_view sql, std::span<const Value> values, ValueType type);
    Value one_again(std::string_view sql, std::span<const Value> values, ValueType type);

    // From now on a statement that is kept may keep its plan, too: where tables are large when it is made,
    // and which plan is best does not depend on the values. Those that are kept now are not any longer.
    void keep_plans();

    // Many rows at once: `cells` holds them one behind the other, as many as `columns` each.
    void insert(std::string_view table, std::span<const std::string_view> columns,
                std::span<const ValueType> types, std::span<const Value> cells);

  private:
    friend class WriteTransaction;
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

// All that is written while it lives is there once commit() has returned, or nothing of it. No other one of
// Fathom writes meanwhile: what was read within stays true.
class WriteTransaction {
  public:
    explicit WriteTransaction(Database& database);
    ~WriteTransaction();
    WriteTransaction(const WriteTransaction&) = delete;
    WriteTransaction& operator=(const WriteTransaction&) = delete;

    void commit();

  private:
    Database& database_;
    bool open_ = true;
};

}  // namespace fathom::database
