// ELF's tables of symbols, hashes and versions (System V ABI, "Dynamic Linking"; the GNU hash table as ld.so
// has it).
#include "libinterpose/libraries/object.h"

#include <cstring>

namespace fathom::libraries {
namespace {

std::uint32_t gnu_hash_of(const char* name)
{
    std::uint32_t hash = 5381;
    for (; *name != 0; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

constexpr ElfW(Half) hidden = 0x8000;

}  // namespace

Object::Object(const dl_phdr_info& info) : path_(info.dlpi_name == nullptr ? "" : info.dlpi_name)
{
    base_ = info.dlpi_addr;
    begin_ = UINTPTR_MAX;
    const ElfW(Dyn)* dynamic = nullptr;
    for (std::size_t at = 0; at < info.dlpi_phnum; ++at) {
        const ElfW(Phdr)& header = info.dlpi_phdr[at];
        const std::uintptr_t from = base_ + header.p_vaddr;
        if (header.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(from);
        if (header.p_type != PT_LOAD) continue;
        begin_ = from < begin_ ? from : begin_;
        end_ = from + header.p_memsz > end_ ? from + header.p_memsz : end_;
    }
    if (dynamic != nullptr) read_dynamic(dynamic);
}

// The dynamic linker has made addresses of most of these; of objects that it must not write to they stay
// offsets.
template <class Pointer>
Pointer Object::address(ElfW(Addr) value) const
{
    return reinterpret_cast<Pointer>(value < begin_ ? base_ + value : value);
}

void Object::read_dynamic(const ElfW(Dyn) * dynamic)
{
    for (; dynamic->d_tag != DT_NULL; ++dynamic) {
        const ElfW(Addr) value = dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_SYMTAB) symbols_ = address<const ElfW(Sym)*>(value);
        if (dynamic->d_tag == DT_STRTAB) texts_ = address<const char*>(value);
        if (dynamic->d_tag == DT_GNU_HASH) gnu_hash_ = address<const std::uint32_t*>(value);
        if (dynamic->d_tag == DT_HASH) hash_ = address<const std::uint32_t*>(value);
        if (dynamic->d_tag == DT_VERSYM) versions_ = address<const ElfW(Half)*>(value);
        if (dynamic->d_tag == DT_VERNEED) needs_ = address<const ElfW(Verneed)*>(value);
    }
    if (symbols_ == nullptr || texts_ == nullptr) gnu_hash_ = hash_ = nullptr;
}

Object Object::holding(const void* address)
{
    Object found;
    each_object([&](const Object& one) {
        if (one.has(address)) found = one;
        return one.has(address);
    });
    return found;
}

bool Object::is_function(const ElfW(Sym) & symbol, const char* name) const
{
    const int type = ELF64_ST_TYPE(symbol.st_info), bind = ELF64_ST_BIND(symbol.st_info);
    return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 && type != STT_GNU_IFUNC && type != STT_TLS &&
           bind != STB_LOCAL && std::strcmp(texts_ + symbol.st_name, name) == 0;
}

void* Object::defined(const char* name) const
{
    const auto fits = [&](std::uint32_t at) {
        return is_function(symbols_[at], name) && (versions_ == nullptr || (versions_[at] & hidden) == 0);
    };
    const auto value = [&](std::uint32_t at) {
        return reinterpret_cast<void*>(base_ + symbols_[at].st_value);
    };
    if (gnu_hash_ != nullptr) {
        const std::uint32_t buckets = gnu_hash_[0], first = gnu_hash_[1], words = gnu_hash_[2];
        const std::uint32_t* const bucket =
            gnu_hash_ + 4 + words * sizeof(ElfW(Addr)) / sizeof(std::uint32_t);
        const std::uint32_t* const chain = bucket + buckets;
        const std::uint32_t hash = gnu_hash_of(name);
        std::uint32_t at = buckets == 0 ? 0 : bucket[hash % buckets];
        if (at < first) return nullptr;
        for (;; ++at) {
            const std::uint32_t other = chain[at - first];
            if ((other | 1) == (hash | 1) && fits(at)) return value(at);
            if ((other & 1) != 0) return nullptr;
        }
    }
    const std::uint32_t count = hash_ == nullptr ? 0 : hash_[1];
    for (std::uint32_t at = 0; at < count; ++at)
        if (fits(at)) return value(at);
    return nullptr;
}

// What others define is not in the GNU hash table, and stands before what is.
const char* Object::version_needed(const char* name) const
{
    if (versions_ == nullptr || needs_ == nullptr) return nullptr;
    const std::uint32_t count = gnu_hash_ != nullptr ? gnu_hash_[1] : hash_ != nullptr ? hash_[1] : 0;
    for (std::uint32_t at = 0; at < count; ++at) {
        if (symbols_[at].st_shndx != SHN_UNDEF || std::strcmp(texts_ + symbols_[at].st_name, name) != 0)
            continue;
        const ElfW(Half) number = static_cast<ElfW(Half)>(versions_[at] & ~hidden);
        for (const auto* need = needs_;;) {
            const auto* of = reinterpret_cast<const char*>(need) + need->vn_aux;
            for (std::size_t left = need->vn_cnt; left > 0; --left) {
                const auto* const version = reinterpret_cast<const ElfW(Vernaux)*>(of);
                if ((version->vna_other & ~hidden) == number) return texts_ + version->vna_name;
                of += version->vna_next;
            }
            if (need->vn_next == 0) return nullptr;
            need =
                reinterpret_cast<const ElfW(Verneed)*>(reinterpret_cast<const char*>(need) + need->vn_next);
        }
    }
    return nullptr;
}

}  // namespace fathom::libraries
