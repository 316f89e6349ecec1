// What the dynamic linker has loaded, looked at in its own tables: where a function is defined, and which
// version of it an object asks for. Nothing is opened, and no dlerror is left behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <link.h>

namespace fathom {

class Object {
  public:
    Object() = default;
    explicit Object(const dl_phdr_info& info);

    // The object that has this address; an empty one where none has.
    static Object holding(const void* address);

    explicit operator bool() const { return end_ != 0; }
    // Empty: the executable.
    const char* path() const { return path_ == nullptr ? "" : path_; }
    std::uintptr_t begin() const { return begin_; }
    std::uintptr_t end() const { return end_; }
    bool has(const void* address) const
    {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        return at >= begin_ && at < end_;
    }

    // Where it defines a function; nullptr if it does not, or only the dynamic linker can say where.
    void* defined(const char* name) const;

    // The symbol of this name that it defines, in the version that is its own; nullptr if there is none, or
    // it has no table that is quick to search.
    const ElfW(Sym) * symbol(const char* name, std::uint32_t hash_of_name) const;
    static std::uint32_t hash_of(const char* name);
    bool is_quick() const { return gnu_hash_ != nullptr; }
    bool has_symbols() const { return symbols_ != nullptr; }
    void* function(const ElfW(Sym) & symbol) const;  // nullptr where only the dynamic linker can say
    // The version of a function that it needs of others; nullptr if of none in particular.
    const char* version_needed(const char* name) const;

  private:
    void read_dynamic(const ElfW(Dyn) * dynamic);
    template <class Pointer>
    Pointer address(ElfW(Addr) value) const;
    bool fits(std::uint32_t at, const char* name) const;

    const char* path_ = nullptr;
    std::uintptr_t base_ = 0, begin_ = 0, end_ = 0;
    const ElfW(Sym) * symbols_ = nullptr;
    const char* texts_ = nullptr;
    const std::uint32_t* gnu_hash_ = nullptr;
    const std::uint32_t* hash_ = nullptr;
    const ElfW(Half) * versions_ = nullptr;
    const ElfW(Verneed) * needs_ = nullptr;
};

// Calls visit(object) for each that is loaded, until it returns true.
template <class Visit>
void each_object(Visit visit)
{
    dl_iterate_phdr([](dl_phdr_info* info, std::size_t,
                       void* data) { return (*static_cast<Visit*>(data))(Object(*info)) ? 1 : 0; },
                    &visit);
}

}  // namespace fathom
