// The function that a hook stands in front of: the next definition of its name, as the dynamic linker sees
// it.
#pragma once

#include <atomic>

namespace fathom {

// The address of the next definition of `name`; nullptr if nothing loaded has it. MPI that was loaded with
// local scope (mpi4py does that) is found too. errno stays.
void* next_definition(const char* name);

// The address of a variable of the MPI library; nullptr if no MPI is loaded. An executable may hold the
// variable itself (a copy relocation), so this looks there first.
void* mpi_variable(const char* name);

// What a hook's caller gets where the original is missing: -1 or nothing, with ENOSYS.
void set_missing_errno();

// One original function, looked up at its first use: hooks run before any constructor of ours.
template <class Function>
class Next;

template <class Result, class... Arguments>
class Next<Result(Arguments...)> {
  public:
    constexpr explicit Next(const char* name) : name_(name) {}

    Result operator()(Arguments... arguments)
    {
        using Pointer = Result (*)(Arguments...);
        auto function = reinterpret_cast<Pointer>(function_.load(std::memory_order_relaxed));
        if (__builtin_expect(function == nullptr, 0)) {
            function = reinterpret_cast<Pointer>(next_definition(name_));
            if (function == nullptr) {
                set_missing_errno();
                if constexpr (std::is_pointer_v<Result> || std::is_void_v<Result>)
                    return Result();
                else
                    return static_cast<Result>(-1);
            }
            function_.store(reinterpret_cast<void*>(function), std::memory_order_relaxed);
        }
        return function(arguments...);
    }

  private:
    const char* name_;
    std::atomic<void*> function_{nullptr};
};

}  // namespace fathom
