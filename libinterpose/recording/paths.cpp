// Makes paths absolute and tidy.
#include "libinterpose/recording/paths.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/descriptors.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/recording/working_folder.h"
#include "libinterpose/system/one_step.h"
#include "libinterpose/system/own_memory.h"
#include "libinterpose/system/sys.h"
#include "libinterpose/system/vfork.h"
#include "logformat/excluded.h"

namespace fathom {
namespace {

struct Scratch {
    std::atomic<std::uint32_t> owner{};  // thread id; 0: free
    std::atomic<std::uint32_t> turn{};   // when it was taken
    PathText text;
};
FATHOM_LARGE constinit std::array<Scratch, 32> scratches{};
// What one call needs, with what a signal handler needs on top of it. A thread that has as many in use has
// lost some: a handler of its jumped out of our work (siglongjmp), and the oldest is one of those.
constexpr unsigned most_of_a_thread = 6;

// Where it is another's, that is what `from` says afterwards.
bool take(Scratch& scratch, std::uint32_t& from, std::uint32_t thread)
{
    if (!one_step::compare_exchange(scratch.owner, from, thread)) return false;
    // A thread takes no two within so few ticks.
    constexpr unsigned at_once = 4;
    scratch.turn.store(static_cast<std::uint32_t>(now() >> at_once), std::memory_order_relaxed);
    return true;
}

bool is_older(const Scratch& one, const Scratch& other)
{
    const std::uint32_t apart =
        other.turn.load(std::memory_order_relaxed) - one.turn.load(std::memory_order_relaxed);
    return apart < ~std::uint32_t{0} / 2;
}

// Whose thread has died, or never was in this process: it forked from one in which another thread had it in
// use.
bool is_abandoned(const Scratch& scratch)
{
    return !sys::thread_lives(sys::process_id(), scratch.owner.load(std::memory_order_relaxed));
}

Scratch* take_scratch(std::uint32_t thread)
{
    unsigned own = 0;
    Scratch* oldest = nullptr;
    for (Scratch& scratch : scratches) {
        // A first look that writes takes one page fault, and not two.
        std::uint32_t owner = 0;
        if (take(scratch, owner, thread)) return &scratch;
        if (owner != thread) continue;
        if (oldest == nullptr || is_older(scratch, *oldest)) oldest = &scratch;
        std::uint32_t mine = thread;
        if (++own == most_of_a_thread && take(*oldest, mine, thread)) return oldest;
    }
    for (Scratch& scratch : scratches) {
        std::uint32_t owner = scratch.owner.load(std::memory_order_relaxed);
        if (is_abandoned(scratch) && take(scratch, owner, thread)) return &scratch;
    }
    return nullptr;
}

// Inlined, so that a folder that is known when this is compiled is compared as a word.
[[gnu::always_inline]] inline bool lies_below(std::string_view path, std::string_view folder)
{
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::uint64_t word_at(const char* text)
{
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof word);
    return word;
}

// The high bit of every byte that is a slash. Bits above the lowest one may also stand for other bytes.
constexpr std::uint64_t slashes_in(std::uint64_t word)
{
    constexpr std::uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    const std::uint64_t other = word ^ (ones * '/');
    return (other - ones) & ~other & highs;
}

// Whether some slash is followed by another or by a dot; sixteen letters at a time.
bool may_be_untidy(std::string_view path)
{
    using Letters [[gnu::vector_size(16)]] = char;
    using Halves [[gnu::vector_size(16)]] = std::uint64_t;
    constexpr std::size_t width = sizeof(Letters);
    for (std::size_t from = 0; from < path.size(); from += width) {
        Letters here, next;
        const char* const letters = path.data() + std::min(from, path.size() - width);
        std::memcpy(&here, letters, width);
        std::memcpy(&next, letters + 1, width);  // with the zero behind the path
        const auto found = reinterpret_cast<Halves>((here == '/') & ((next == '/') | (next == '.')));
        if ((found[0] | found[1]) != 0) return true;
    }
    return false;
}

// Whether tidy() would change nothing. There is a zero behind the path.
bool is_tidy(std::string_view path)
{
    if (path.size() >= 16 && path.back() != '/' && !may_be_untidy(path)) return true;
    for (const char* at = path.data(); *at != '\0'; ++at) {
        if (*at != '/') continue;
        const char* next = at + 1;
        if (*next == '.') ++next;
        if (next > at + 1 && *next == '.') ++next;
        if (*next == '\0' || *next == '/') return false;
    }
    return true;
}

// Takes out "//", "." and "..", in place.
void tidy(PathText& path)
{
    char* const text = path.data();
    const std::size_t size = path.size();
    std::size_t to = 0;
    for (std::size_t from = 0; from < size;) {
        while (from < size && text[from] == '/') ++from;
        std::size_t end = from;
        while (end < size && text[end] != '/') ++end;
        const std::string_view part(text + from, end - from);
        if (part == "..") {
            while (to > 0 && text[--to] != '/') {
            }
        } else if (!part.empty() && part != ".") {
            text[to++] = '/';
            std::memmove(text + to, part.data(), part.size());
            to += part.size();
        }
        from = end;
    }
    if (to == 0) text[to++] = '/';
    path.resize(to);
}

// The first component of an absolute path as a word, or its first eight letters.
constexpr std::uint64_t first_component(std::string_view path)
{
    const std::string_view rest = path.substr(1);
    std::uint64_t word = 0;
    if (!std::is_constant_evaluated() && rest.size() >= 8)
        word = word_at(rest.data());
    else
        for (std::size_t at = 0; at < std::min(rest.size(), sizeof word); ++at)
            word |= std::uint64_t{static_cast<unsigned char>(rest[at])} << 8 * at;
    const std::uint64_t slashes = slashes_in(word);
    const std::uint64_t lowest = slashes & (~slashes + 1);
    return slashes == 0 ? word : word & ((lowest >> 7) - 1);
}

constexpr auto excluded_components = [] {
    std::array<std::uint64_t, std::size(excluded_folders)> words{};
    for (std::size_t at = 0; at < words.size(); ++at) words[at] = first_component(excluded_folders[at]);
    return words;
}();
static_assert(std::all_of(std::begin(excluded_folders), std::end(excluded_folders),
                          [](std::string_view folder) {
                              return folder.size() <= 8 && folder.rfind('/') == 0;
                          }),
              "an excluded folder is one component of at most seven letters");

// Most files differ from it in the first letter of their name.
constexpr std::string_view message_folder = "/dev/shm/";
constexpr std::uint32_t message_letters = [] {
    std::uint32_t letters = 0;
    for (const std::string_view files : message_memory)
        letters |= bit_of_letter(files[message_folder.size()]);
    return letters;
}();
static_assert(std::all_of(std::begin(message_memory), std::end(message_memory), [](std::string_view files) {
    return files.starts_with(message_folder) && files.ends_with('*');
}));

bool is_message_memory(std::string_view absolute)
{
    if (absolute.size() <= message_folder.size() ||
        (message_letters & bit_of_letter(absolute[message_folder.size()])) == 0)
        return false;
    return std::any_of(std::begin(message_memory), std::end(message_memory), [&](std::string_view files) {
        return absolute.starts_with(files.substr(0, files.size() - 1));
    });
}

bool is_below_system_folder(std::string_view absolute)
{
    const std::uint64_t component = first_component(absolute);
    if (std::find(excluded_components.begin(), excluded_components.end(), component) ==
        excluded_components.end())
        return false;
    const auto included = [&](std::string_view folder) { return lies_below(absolute, folder); };
    return std::none_of(std::begin(included_folders), std::end(included_folders), included) ||
           is_message_memory(absolute);
}

// The path by which a folder was opened, where that was seen: the kernel takes some microseconds to say it.
// Where `inside` leads up again the kernel must, since a symbolic link may have led there. The table of
// descriptors is not that of a child of vfork.
bool path_of_folder(int fd, std::string_view inside, PathText& to)
{
    if (!in_borrowed_memory() && inside.find("..") == std::string_view::npos)
        if (const Description* const open = tracked(fd))
            if (const NameChunk* const folder = open->file.load(std::memory_order_relaxed);
                folder != nullptr && folder->kind == NameKind::directory) {
                to << std::string_view(folder->path, folder->length);
                return true;
            }
    return path_of_descriptor(fd, to);
}

}  // namespace

constinit std::atomic<std::uint32_t> excluded_first_letters{~std::uint32_t{0}};

PathScratch::PathScratch()
{
    const std::uint32_t thread =
        here.thread != nullptr ? here.thread->tid.load(std::memory_order_relaxed) : sys::thread_id();
    if (Scratch* const scratch = take_scratch(thread)) {
        text_ = &scratch->text;
        text_->resize(0);
        owner_ = &scratch->owner;
    }
}

PathScratch::~PathScratch()
{
    if (owner_ != nullptr) owner_->store(0, std::memory_order_release);
}

AbsolutePath::AbsolutePath(int folder, const char* path)
{
    if (path == nullptr) return;
    const std::string_view given(path);
    const bool relative = path[0] != '/';
    if (!relative && given.size() < PathText::capacity() && is_tidy(given)) {
        text_ = given;
        return;
    }
    scratch_.emplace();
    if (!*scratch_) return;
    PathText& text = **scratch_;
    if (relative) {
        if (folder == AT_FDCWD ? !working_folder(text) : !path_of_folder(folder, given, text)) return;
        text << "/";
    }
    // What it is relative to is tidy already, but for the root's slash.
    constexpr std::size_t least = 16;
    const std::size_t all = text.size() + given.size(), before = relative ? text.size() - 2 : 0;
    text << given;
    if (!is_tidy(text.view().substr(std::min(before, all - std::min(all, least))))) tidy(text);
    text_ = text.view();
}

bool is_excluded_slowly(std::string_view absolute)
{
    const Settings& user = settings();
    const std::uint32_t letters =
        excluded_letters | user.exclude.first_letters() | user.site.exclude.first_letters();
    if (excluded_first_letters.load(std::memory_order_relaxed) != letters)
        excluded_first_letters.store(letters, std::memory_order_relaxed);
    return user.site.exclude.match(absolute) ||
           ((is_below_system_folder(absolute) || user.exclude.match(absolute)) &&
            !user.include.match(absolute));
}

bool is_excluded_by_name(std::string_view relative)
{
    const Settings& user = settings();
    return user.site.exclude.match_name(relative) ||
           (user.exclude.match_name(relative) && !user.include.match_name(relative));
}

bool is_readable(const char* path)
{
    struct stat about {};
    const long result = sys::link_status(path, about);
    return result != -EFAULT && result != -ENAMETOOLONG;
}

bool path_of_descriptor(int fd, PathText& to)
{
    FixedText<64> link;
    link << "/proc/self/fd/" << static_cast<std::uint64_t>(fd);
    const long length = sys::readlink(link.c_str(), to.data(), to.capacity() - 1);
    if (length <= 0 || to.data()[0] != '/') return false;
    to.resize(static_cast<std::size_t>(length));
    constexpr std::string_view gone = " (deleted)";
    if (to.view().ends_with(gone)) to.resize(to.size() - gone.size());
    return true;
}

}  // namespace fathom
