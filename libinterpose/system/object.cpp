// ELF's tables of symbols, hashes and versions (System V ABI, "Dynamic Linking"; the GNU hash table as ld.so
// has it).
#include "libinterpose/system/object.h"

#include <cstring>

namespace fathom {
namespace {

constexpr ElfW(Half) hidden = 0x8000;

}  // namespace

Object::Object(const dl_phdr_info& info) : path_(info.dlpi_name)
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

std::uint32_t Object::hash_of(const char* name)
{
    std::uint32_t hash = 5381;
    for (; *name != 0; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

bool Object::fits(std::uint32_t at, const char* name) const
{
    const ElfW(Sym)& symbol = symbols_[at];
    return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
           ELF64_ST_BIND(symbol.st_info) != STB_LOCAL && ELF64_ST_TYPE(symbol.st_info) != STT_TLS &&
           (versions_ == nullptr || (versions_[at] & hidden) == 0) &&
           std::strcmp(texts_ + symbol.st_name, name) == 0;
}

const ElfW(Sym) * Object::symbol(const char* name, std::uint32_t hash) const
{
    if (gnu_hash_ == nullptr) return nullptr;
    const std::uint32_t buckets = gnu_hash_[0], first = gnu_hash_[1], words = gnu_hash_[2],
                        shift = gnu_hash_[3];
    if (buckets == 0 || words == 0) return nullptr;
    // Two bits of a word are set for each name that is there.
    constexpr std::uint32_t bits = 8 * sizeof(ElfW(Addr));
    const auto* const filter = reinterpret_cast<const ElfW(Addr)*>(gnu_hash_ + 4);
    const ElfW(Addr) word = filter[hash / bits % words];
    if ((word >> (hash % bits) & word >> ((hash >> shift) % bits) & 1) == 0) return nullptr;
    const auto* const bucket = reinterpret_cast<const std::uint32_t*>(filter + words);
    const std::uint32_t* const chain = bucket + buckets;
    std::uint32_t at = bucket[hash % buckets];
    if (at < first) return nullptr;
    for (;; ++at) {
        const std::uint32_t other = chain[at - first];
        if ((other | 1) == (hash | 1) && fits(at, name)) return &symbols_[at];
        if ((other & 1) != 0) return nullptr;
    }
}

void* Object::function(const ElfW(Sym) & symbol) const
{
    if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) return nullptr;
    return reinterpret_cast<void*>(base_ + symbol.st_value);
}

void* Object::defined(const char* name) const
{
    if (gnu_hash_ != nullptr) {
        const ElfW(Sym)* const found = symbol(name, hash_of(name));
        return found == nullptr ? nullptr : function(*found);
    }
    const std::uint32_t count = hash_ == nullptr ? 0 : hash_[1];
    for (std::uint32_t at = 0; at < count; ++at)
        if (fits(at, name)) return function(symbols_[at]);
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

}  // namespace fathom
