// The functions of libraries that a process may have twice, or only where some of it sees them: HDF5, PnetCDF
// and netCDF. Which one a call is for depends on who makes it: it is what the dynamic linker would have given
// the caller without us.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "libinterpose/system/object.h"

namespace fathom::libraries {

// In the key of a library; of HDF5 neither.
constexpr std::uintptr_t of_pnetcdf = 1, of_netcdf = 2;

// One of these libraries, as long as it stays loaded.
struct Loaded {
    static constexpr std::size_t most = 8;  // of a process; of further ones nothing is counted

    std::atomic<std::uintptr_t>
        key{};  // where its object begins, and which of the libraries it is, which may be in one object
    std::uint8_t number = 0;       // of it among these
    std::atomic<bool> known{};     // `functions` is filled in
    std::uint64_t generation = 0;  // at which it was
    std::uint64_t version = 0;     // a million, a thousand and one for each number of it
    bool is_whole = false;         // all that is needed to ask it is there
    // The object that it is in; an empty one where that is gone.
    Object object() const;
    // Fills in `functions` and `is_whole`.
    void find_all(std::span<const char* const> names);

    void* functions[64]{};  // to ask it with: by the numbers of hdf5.h, pnetcdf.h and netcdf.h
};

// The original for one caller.
struct Original {
    void* function = nullptr;   // nullptr: there is none
    Loaded* library = nullptr;  // nullptr: too many
};

// What is remembered of a caller.
struct Binding {
    std::uintptr_t begin = 0, end = 0;  // its addresses
    std::atomic<std::uint64_t> generation{};
    std::uint64_t loads = 0;  // of one that is only likely: as many objects had been loaded; 0: it is certain
    Original original;
    Binding* next = nullptr;
};

// Grows when something may have been unloaded: what was there may be something else by now.
extern std::atomic<std::uint64_t> generation __attribute__((visibility("hidden")));
inline void something_was_unloaded()
{
    generation.fetch_add(1, std::memory_order_acq_rel);
}

// Whether it can be asked. look_up(library) fills in `functions`, `version` and `is_whole`: once, and again
// after something may have been unloaded.
template <class LookUp>
bool can_be_asked(Loaded& library, LookUp look_up)
{
    const std::uint64_t now = generation.load(std::memory_order_acquire);
    if (__builtin_expect(library.known.load(std::memory_order_acquire) && library.generation == now, 1))
        return library.is_whole;
    look_up(library);
    library.generation = now;
    library.known.store(true, std::memory_order_release);
    return library.is_whole;
}

// The one that this thread called last.
extern thread_local constinit Loaded* last_used
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// One function by name, whoever calls it.
class Function {
  public:
    Original of(const char* name, const void* caller)
    {
        const auto at = reinterpret_cast<std::uintptr_t>(caller);
        Binding* const first = first_.load(std::memory_order_acquire);
        if (first != nullptr && first->loads == 0 && at - first->begin < first->end - first->begin &&
            first->generation.load(std::memory_order_relaxed) == generation.load(std::memory_order_acquire))
            return last_used = first->original.library, first->original;
        return find(name, at);
    }

  private:
    Original find(const char* name, std::uintptr_t caller);

    std::atomic<Binding*> first_{};
};

}  // namespace fathom::libraries

// What the rows (name, result, parameters) of a list of questions are: their numbers in enum class Question,
// their names, and the functions ask_NAME(library)(ARGUMENTS).
#define FATHOM_QUESTION_NUMBER(name, result, parameters) name,
#define FATHOM_QUESTION_NAME(name, result, parameters) #name,
#define FATHOM_QUESTION_ASKED(name, result, parameters)                   \
    inline auto ask_##name(const Loaded& library)                         \
    {                                                                     \
        return reinterpret_cast<result(*) parameters>(                    \
            library.functions[static_cast<std::size_t>(Question::name)]); \
    }
