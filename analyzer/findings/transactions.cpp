#include "analyzer/findings/transactions.h"

namespace fathom {
namespace {

constexpr Remedy transaction_remedies[] = {
    {Language::c,
     "Put many changes into one transaction:",
     {"sqlite3_exec(database, \"BEGIN\", NULL, NULL, NULL);",
      "sqlite3_exec(database, \"COMMIT\", NULL, NULL, NULL);"}},
    {Language::python,
     "Put many changes into one transaction:",
     {"with connection:", "    connection.executemany(\"INSERT INTO data VALUES (?, ?)\", rows)"}},
    {Language::script, "Put many changes into one transaction:", {"BEGIN; …; COMMIT;"}},
    {Language::packaged,
     "Look for an option of PROGRAM that puts many changes into one transaction, such as ogr2ogr -gt 65536."},
    {Language::sqlite, "Put many changes into one transaction:", {"BEGIN; …; COMMIT;"}},
    {Language::sqlite,
     "Or have it sync less often, where the last changes may be lost with the machine, but not the database:",
     {"PRAGMA journal_mode = WAL;", "PRAGMA synchronous = NORMAL;"}},
};

}  // namespace

std::vector<report::Advice> advice_on_transactions(const AdvisedProgram& program)
{
    return advice_in(program, transaction_remedies);
}

}  // namespace fathom
