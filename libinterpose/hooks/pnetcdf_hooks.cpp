// Expands the tables of PnetCDF's calls to its hundreds of functions.
#include "libinterpose/hooks/library_hook.h"
#include "libinterpose/operations/pnetcdf_operations.h"

namespace fathom::pnetcdf {
namespace {
using F = DataFileCounters;
}

#define PNETCDF(name, parameters, arguments, operation) \
    FATHOM_LIBRARY_ROW(int, ncmpi_##name, parameters, arguments, operation)
#include "libinterpose/hooks/pnetcdf_hooks.inc"

#define EACH_NUMBER(ROW, ...)                                                                         \
    ROW(_schar, __VA_ARGS__)                                                                          \
    ROW(_uchar, __VA_ARGS__)                                                                          \
    ROW(_short, __VA_ARGS__) ROW(_ushort, __VA_ARGS__) ROW(_int, __VA_ARGS__) ROW(_uint, __VA_ARGS__) \
        ROW(_long, __VA_ARGS__) ROW(_float, __VA_ARGS__) ROW(_double, __VA_ARGS__)                    \
            ROW(_longlong, __VA_ARGS__) ROW(_ulonglong, __VA_ARGS__)

#define ATTRIBUTE(type, unused)                                                                            \
    PNETCDF(put_att##type, (int id, int variable, const char* name, int kind, Offset n, const void* from), \
            (id, variable, name, kind, n, from), OnFile(id, &F::attribute_writes, &F::attribute_time))     \
    PNETCDF(get_att##type, (int id, int variable, const char* name, void* to), (id, variable, name, to),   \
            OnFile(id, &F::attribute_reads, &F::attribute_time))
EACH_NUMBER(ATTRIBUTE, )

// The calls that wait, and those that do not, of one form and type.
#define WAITING(type, form, parameters, arguments, part)                       \
    PNETCDF(put_##form##type, parameters, arguments,                           \
            Transfer<WriteSide>(id, variable, Manner::independent, PART part)) \
    PNETCDF(put_##form##type##_all, parameters, arguments,                     \
            Transfer<WriteSide>(id, variable, Manner::collective, PART part))  \
    PNETCDF(get_##form##type, parameters, arguments,                           \
            Transfer<ReadSide>(id, variable, Manner::independent, PART part))  \
    PNETCDF(get_##form##type##_all, parameters, arguments,                     \
            Transfer<ReadSide>(id, variable, Manner::collective, PART part))
#define ASKING(type, form, parameters, arguments, part)                        \
    PNETCDF(iput_##form##type, parameters, arguments,                          \
            Transfer<WriteSide>(id, variable, Manner::nonblocking, PART part)) \
    PNETCDF(bput_##form##type, parameters, arguments,                          \
            Transfer<WriteSide>(id, variable, Manner::nonblocking, PART part)) \
    PNETCDF(iget_##form##type, parameters, arguments,                          \
            Transfer<ReadSide>(id, variable, Manner::nonblocking, PART part))
#define PART(...) __VA_ARGS__

// Memory of the type that the name tells…
#define BUFFER const void* memory
#define VALUES memory
#define REQUEST
#define REQUESTED
#define PNETCDF_FORM(form, parameters, arguments, part) \
    WAITING(_text, form, parameters, arguments, part)   \
    EACH_NUMBER(WAITING, form, parameters, arguments, part)
#include "libinterpose/hooks/pnetcdf_transfer_hooks.inc"
#undef PNETCDF_FORM
#undef REQUEST
#undef REQUESTED
#define REQUEST , int* request
#define REQUESTED , request
#define PNETCDF_FORM(form, parameters, arguments, part) \
    ASKING(_text, form, parameters, arguments, part)    \
    EACH_NUMBER(ASKING, form, parameters, arguments, part)
#include "libinterpose/hooks/pnetcdf_transfer_hooks.inc"
#undef PNETCDF_FORM
#undef BUFFER
#undef VALUES

// …several variables at once…
#define SEVERAL(type, form, parameters, arguments, part)                                   \
    PNETCDF(mput_##form##type, parameters, arguments,                                      \
            SeveralTransfers<WriteSide>(id, n, variables, Manner::independent, PART part)) \
    PNETCDF(mput_##form##type##_all, parameters, arguments,                                \
            SeveralTransfers<WriteSide>(id, n, variables, Manner::collective, PART part))  \
    PNETCDF(mget_##form##type, parameters, arguments,                                      \
            SeveralTransfers<ReadSide>(id, n, variables, Manner::independent, PART part))  \
    PNETCDF(mget_##form##type##_all, parameters, arguments,                                \
            SeveralTransfers<ReadSide>(id, n, variables, Manner::collective, PART part))
#define BUFFER void* const* memory
#define VALUES memory
#define PNETCDF_FORM(form, parameters, arguments, part) \
    SEVERAL(_text, form, parameters, arguments, part)   \
    EACH_NUMBER(SEVERAL, form, parameters, arguments, part)
#include "libinterpose/hooks/pnetcdf_several_hooks.inc"
#undef PNETCDF_FORM
#undef BUFFER
#undef VALUES

// …and of one of MPI's.
#define BUFFER void *const *memory, const Offset *items, const Handle *kinds
#define VALUES memory, items, kinds
#define PNETCDF_FORM(form, parameters, arguments, part) SEVERAL(, form, parameters, arguments, part)
#include "libinterpose/hooks/pnetcdf_several_hooks.inc"
#undef PNETCDF_FORM
#undef BUFFER
#undef VALUES
#define BUFFER const void *memory, Offset items, Handle kind
#define VALUES memory, items, kind
#define PNETCDF_FORM(form, parameters, arguments, part) ASKING(, form, parameters, arguments, part)
#include "libinterpose/hooks/pnetcdf_transfer_hooks.inc"
#undef PNETCDF_FORM
#undef REQUEST
#undef REQUESTED
#define REQUEST
#define REQUESTED
#define PNETCDF_FORM(form, parameters, arguments, part) WAITING(, form, parameters, arguments, part)
#include "libinterpose/hooks/pnetcdf_transfer_hooks.inc"
WAITING(, vard, (int id, int variable, Handle in_file, BUFFER), (id, variable, in_file, VALUES),
        (Part{Part::typed, nullptr, 0, nullptr, items, kind}))

}  // namespace fathom::pnetcdf
