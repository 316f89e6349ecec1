// The function that a hook stands in front of: the next definition of its name, as the dynamic linker sees
// it.
#pragma once

#include <atomic>

namespace fathom {

// The address of the next definition of `name`; nullptr if nothing loaded has it. MPI (and libaio, liburing)
// that was loaded with local scope (mpi4py does that) is found too. errno stays.
void* next_definition(const char* name);

// The address of a variable of the MPI library; nullptr if no MPI is loaded. An executable may hold the
// variable itself (a copy relocation), so this looks there first.
void* mpi_variable(const char* name);

// Whether the MPI is one by the ABI that MPI 5 defines, whichever MPI it comes from.
bool mpi_abi_is_loaded();

// What a hook's caller gets where the original is missing: -1 or nothing, with ENOSYS.
void set_missing_errno();

// What all originals have in common: a name and an address that is looked up once.
class Original {
  public:
    constexpr explicit Original(const char* name) : name_(name) {}

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
    // It was found there by other means.
    void settle(void* function) { function_.store(function, std::memory_order_relaxed); }
    // The same, of one that was found before.
    void* known() const { return function_.load(std::memory_order_relaxed); }
    bool is_found() const { return function_.load(std::memory_order_relaxed) != nullptr; }
    const char* name() const { return name_; }

  private:
    const char* name_;
    std::atomic<void*> function_{nullptr};
};

// Looks up the C library's originals at once, while no other thread can hold the dynamic linker's lock: a
// thread that a library's constructor starts and waits for would hang in a first look-up of its own.
void find_originals();

// Puts an original on the list that find_originals() walks.
#define FATHOM_ORIGINAL(original)                                                                    \
    __attribute__((section("fathom_originals"), used)) constinit Original* const listed_##original = \
        &original;

// The same of one that is called without a look at whether it is there (served_hooks.cpp): all are, or
// streams are not looked into.
#define FATHOM_ORIGINAL_OF_STREAMS(original)                                                              \
    FATHOM_ORIGINAL(original)                                                                             \
    __attribute__((section("fathom_of_streams"), used)) constinit Original* const of_streams_##original = \
        &original;
bool has_originals_of_streams();

// One original function. Usually found by find_originals(); hooks that run before that, and MPI's, look for
// it themselves.
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
