// The function that a hook stands in front of: the next definition of its name, as the dynamic linker sees
// it.
#pragma once

#include <atomic>
#include <cstddef>

namespace fathom {

// The address of the next definition of `name`; nullptr if nothing loaded has it. MPI (and libaio, liburing)
// that was loaded with local scope (mpi4py does that) is found too. errno stays.
void* next_definition(const char* name);

// The same of what was loaded with this library before the program began, up to the C library; looked for in
// its tables alone. nullptr: it is not there, or only the dynamic linker can say, or it is too early.
void* quick_definition(const char* name);

// The address of a variable of the MPI library; nullptr if no MPI is loaded. An executable may hold the
// variable itself (a copy relocation), so this looks there first.
void* mpi_variable(const char* name);

// Whether the MPI is one by the ABI that MPI 5 defines, whichever MPI it comes from.
bool mpi_abi_is_loaded();

// What a hook's caller gets where the original is missing: -1 or nothing, with ENOSYS.
void set_missing_errno();

// What all originals have in common: a name and an address that is looked up once. The name is kept in place:
// the dynamic linker would have to set an address of it in each process.
class Original {
  public:
    static constexpr std::size_t most_name = 40;

    template <std::size_t size>
    constexpr explicit Original(const char (&name)[size])
    {
        static_assert(size <= most_name);
        for (std::size_t at = 0; at < size; ++at) name_[at] = name[at];
    }

    // nullptr if nothing loaded has it.
    void* find()
    {
        void* function = function_.load(std::memory_order_relaxed);
        if (__builtin_expect(function == nullptr, 0)) {
            function = next_definition(name_);
            function_.store(function, std::memory_order_relaxed);
        }
        return function;
    }
    // The same, but the dynamic linker is not asked.
    void* find_quickly()
    {
        void* function = function_.load(std::memory_order_relaxed);
        if (__builtin_expect(function == nullptr, 0)) {
            function = quick_definition(name_);
            function_.store(function, std::memory_order_relaxed);
        }
        return function;
    }
    // The same, of one that was found before.
    void* known() const { return function_.load(std::memory_order_relaxed); }

  private:
    std::atomic<void*> function_{nullptr};
    char name_[most_name] = {};
};

// Notes where the C library's originals are found from now on without the dynamic linker, whose lock another
// thread may hold then: one that a library's constructor starts and waits for would hang in a look-up. Where
// that is not possible, all are looked up at once.
void find_originals();
// Whether that has been done.
bool knows_originals();

// Puts an original of the C library on the list of those. They lie one behind the other.
#define FATHOM_ORIGINAL __attribute__((section("fathom_originals"), used, aligned(16)))

// The same of one that is called without a look at whether it is there (served_hook.h): all are, or streams
// are not looked into.
#define FATHOM_ORIGINAL_OF_STREAMS __attribute__((section("fathom_of_streams"), used, aligned(16)))
bool finds_originals_of_streams();

// One original function, found at its first call.
template <class Function>
class Next;

template <class Result, class... Arguments>
class Next<Result(Arguments...)> : public Original {
  public:
    using Original::Original;

    Result operator()(Arguments... arguments)
    {
        using Pointer = Result (*)(Arguments...);
        const auto function = reinterpret_cast<Pointer>(find());
        if (__builtin_expect(function == nullptr, 0)) {
            set_missing_errno();
            if constexpr (std::is_pointer_v<Result> || std::is_void_v<Result>)
                return Result();
            else
                return static_cast<Result>(-1);
        }
        return function(arguments...);
    }

    // Of one that is known to be there.
    Result call_known(Arguments... arguments) const
    {
        return reinterpret_cast<Result (*)(Arguments...)>(known())(arguments...);
    }
};

}  // namespace fathom
