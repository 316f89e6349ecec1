// Expands the table of HDF5's calls. The original is looked up for whoever calls (originals.h); where there
// is none, the caller gets what a call that fails gives.
#include <cerrno>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/operations/hdf5_operations.h"

namespace fathom {
namespace hdf5 {
namespace {

using F = DataFileCounters;
using D = DatasetCounters;

struct Token {  // H5O_token_t
    std::uint64_t word[2];
};

// Whether something fails is seen in errno by none of HDF5's users; it stays all the same.
class KeptErrno {
  public:
    KeptErrno() : before_(errno) {}
    ~KeptErrno() { errno = before_; }
    KeptErrno(const KeptErrno&) = delete;
    KeptErrno& operator=(const KeptErrno&) = delete;

  private:
    int before_;
};

template <class Operation>
bool begins(Operation& operation, const Original& original)
{
    const KeptErrno kept;
    return operation.begin(original);
}

template <class Operation, class... Values>
void ends(Operation& operation, Values... values)
{
    const KeptErrno kept;
    operation.end(values...);
}

}  // namespace

#define HDF5_ORIGINAL(result, name, parameters)                                            \
    static constinit libraries::Function function;                                         \
    const Original original = function.of(#name, __builtin_return_address(0));             \
    if (__builtin_expect(original.function == nullptr, 0)) return static_cast<result>(-1); \
    const auto call = reinterpret_cast<result(*) parameters>(original.function);

#define HDF5(result, name, parameters, arguments, operation) \
    FATHOM_BARE_HOOK(result, name, parameters)               \
    {                                                        \
        HDF5_ORIGINAL(result, name, parameters)              \
        auto what = operation;                               \
        if (!begins(what, original)) return call arguments;  \
        const std::uint64_t start = now();                   \
        const result given = call arguments;                 \
        ends(what, given, Interval{start, now()});           \
        return given;                                        \
    }

// What is not timed.
#define HDF5_SPACE(result, name, parameters, arguments, operation) \
    FATHOM_BARE_HOOK(result, name, parameters)                     \
    {                                                              \
        HDF5_ORIGINAL(result, name, parameters)                    \
        auto what = operation;                                     \
        if (!begins(what, original)) return call arguments;        \
        const result given = call arguments;                       \
        ends(what, given);                                         \
        return given;                                              \
    }

#include "libinterpose/hooks/hdf5_hooks.inc"

}  // namespace hdf5

namespace {
constinit Next<int(void*)> next_dlclose("dlclose");
}

FATHOM_BARE_HOOK(int, dlclose, (void* handle))
{
    const int result = next_dlclose(handle);
    libraries::something_was_unloaded();
    return result;
}

}  // namespace fathom
