// Where the program's memory lies.
#include "libinterpose/recording/program_text.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <sys/auxv.h>
#include <sys/uio.h>

#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

std::uintptr_t executable()
{
    static constinit std::atomic<std::uintptr_t> known{0};
    std::uintptr_t at = known.load(std::memory_order_relaxed);
    if (at == 0) known.store(at = getauxval(AT_PHDR), std::memory_order_relaxed);
    return at;
}

// The heap grows behind the executable; its end is asked for again where it may have grown.
bool is_in_executable_or_heap(std::uintptr_t at)
{
    static constinit std::atomic<std::uintptr_t> heap_end{0};
    constexpr std::uintptr_t page_of = ~std::uintptr_t{4095}, most_away = std::uintptr_t{1} << 40;
    const std::uintptr_t start = executable() & page_of;
    if (start == 0 || at < start || at - start > most_away) return false;
    if (at < heap_end.load(std::memory_order_relaxed)) return true;
    const long end = sys::call(SYS_brk, 0);
    if (end > 0) heap_end.store(static_cast<std::uintptr_t>(end), std::memory_order_relaxed);
    return end > 0 && at < static_cast<std::uintptr_t>(end);
}

}  // namespace

bool ProgramText::lies_elsewhere(const void* at)
{
    // The frames of callers. What lies behind the end of a smaller stack is taken for a part of it.
    constexpr std::uintptr_t near = 64 << 10;
    const auto address = reinterpret_cast<std::uintptr_t>(at),
               stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    return address - stack >= near && !is_in_executable_or_heap(address);
}

void ProgramText::copy(const char* text)
{
    // Forbidden by the program itself, which is trusted to leave its texts where they are.
    if (sys::forbidden()) return;
    copy_.emplace();
    text_ = nullptr;
    if (!*copy_) {
        is_gone_ = true;
        return;
    }
    PathText& to = **copy_;
    const std::size_t got = copy_readable(text, to.data(), PathText::capacity() - 1);
    const std::size_t length = strnlen(to.data(), got);
    is_gone_ = length == got && got < PathText::capacity() - 1;
    to.resize(length);
    text_ = to.c_str();
}

namespace {

// Whether the page of this address can be read: the kernel reads the set of signals before it looks at what
// is to be done with them, which is nothing.
bool is_readable_page(std::uintptr_t at)
{
    constexpr long nothing = -1, word = 8;
    return sys::call(SYS_rt_sigprocmask, nothing, static_cast<long>(at & ~std::uintptr_t{word - 1}), 0,
                     word) == -EINVAL;
}

}  // namespace

bool ProgramText::copy_before(const char* text, std::span<char> to)
{
    constexpr std::uintptr_t page = 4096;
    if (text == nullptr) return false;
    for (std::size_t at = 0; at < to.size();) {
        const auto from = reinterpret_cast<std::uintptr_t>(text + at);
        if (!is_readable_page(from)) return false;
        const std::size_t some = std::min(to.size() - at, page - from % page);
        const std::size_t length = strnlen(text + at, some);
        std::memcpy(to.data() + at, text + at, length);
        at += length;
        if (length == some) continue;
        to[at] = '\0';
        return true;
    }
    return false;
}

std::size_t copy_readable(const void* from, char* to, std::size_t room)
{
    constexpr std::size_t page = 4096;
    const std::size_t first = std::min(room, page - reinterpret_cast<std::uintptr_t>(from) % page);
    char* const start = const_cast<char*>(static_cast<const char*>(from));
    const iovec ours{to, room};
    const iovec theirs[] = {{start, first}, {start + first, room - first}};
    const long got = sys::call(SYS_process_vm_readv, sys::process_id(), sys::address(&ours), 1,
                               sys::address(theirs), 2, 0);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
}

}  // namespace fathom
