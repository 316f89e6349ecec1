// Statements of Fortran that transfer data, as gfortran has them: a call where one begins, one for each item,
// and one where it ends. The first and the last are hooked.
#include "libinterpose/hooks/library_hook.h"
#include "libinterpose/recording/fortran_statements.h"

namespace fathom {
namespace {

template <class Note>
void noted(Note note, const fortran::Statement& statement)
{
    const libraries::KeptErrno kept;
    note(statement);
}

}  // namespace

#define FORTRAN_ORIGINAL(name)                                                            \
    FATHOM_LARGE static constinit libraries::Function function;                           \
    const libraries::Original original = function.of(#name, __builtin_return_address(0)); \
    if (__builtin_expect(original.function == nullptr, 0)) return;                        \
    const auto call = reinterpret_cast<void (*)(fortran::Statement*)>(original.function);

#define FORTRAN_BEGINS(name)                                  \
    FATHOM_BARE_HOOK(void, name, (fortran::Statement * what)) \
    {                                                         \
        FORTRAN_ORIGINAL(name)                                \
        noted(fortran::begins, *what);                        \
        call(what);                                           \
    }
FORTRAN_BEGINS(_gfortran_st_read)
FORTRAN_BEGINS(_gfortran_st_write)

#define FORTRAN_ENDS(name)                                    \
    FATHOM_BARE_HOOK(void, name, (fortran::Statement * what)) \
    {                                                         \
        FORTRAN_ORIGINAL(name)                                \
        call(what);                                           \
        noted(fortran::ends, *what);                          \
    }
FORTRAN_ENDS(_gfortran_st_read_done)
FORTRAN_ENDS(_gfortran_st_write_done)

}  // namespace fathom
