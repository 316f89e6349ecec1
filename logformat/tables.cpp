// The one place where the columns of all tables are made: each takes the compiler a while.
#include "logformat/tables.h"

namespace fathom {

Columns columns_of_table(std::size_t number)
{
    Columns columns;
    each_table([&](const auto& table, std::size_t at) {
        if (at == number) columns = made_columns<typename std::remove_cvref_t<decltype(table)>::Row>();
    });
    return columns;
}

}  // namespace fathom
