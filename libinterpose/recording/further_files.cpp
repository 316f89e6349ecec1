// Chains of names, one a mount, made when the first file needs one.
#include "libinterpose/recording/further_files.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "libinterpose/recording/files.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

// What counts files together.
struct Together {
    std::string_view last_component;
    NameKind kind;
    std::atomic<std::uint32_t> PartHeader::*first;
};
constexpr Together without_room{"<further files>", NameKind::overflow, &PartHeader::overflow},
    not_opened{"<files that were not opened>", NameKind::by_path, &PartHeader::by_path};

constexpr std::uint32_t being_made = 1;  // no chunk's offset
constexpr int most_mounts = 100;         // their names lie in the arena's reserve

// A process's mounts, a line each: source, folder, type, options. Blanks in them are written as \040.
class MountList {
  public:
    MountList() : fd_(sys::open("/proc/self/mounts", O_RDONLY)) {}
    ~MountList()
    {
        if (fd_ >= 0) sys::close(fd_);
    }
    MountList(const MountList&) = delete;
    MountList& operator=(const MountList&) = delete;

    // The next folder. False at the end.
    bool next(PathText& folder)
    {
        folder.resize(0);
        for (int letter = skip_past(' '); letter >= 0; letter = take()) {
            if (letter == ' ') return skip_past('\n'), unescape(folder), true;
            const char one = static_cast<char>(letter);
            folder << std::string_view(&one, 1);
        }
        return false;
    }

  private:
    int take()
    {
        if (at_ == size_) {
            size_ = fd_ < 0 ? 0 : sys::read(fd_, buffer_, sizeof buffer_);
            at_ = 0;
            if (size_ <= 0) return size_ = 0, -1;
        }
        return static_cast<unsigned char>(buffer_[at_++]);
    }
    // The letter behind the next `end`.
    int skip_past(char end)
    {
        int letter = take();
        while (letter >= 0 && letter != end) letter = take();
        return letter < 0 ? letter : end == '\n' ? 0 : take();
    }
    static void unescape(PathText& text)
    {
        char* const letters = text.data();
        std::size_t to = 0;
        for (std::size_t from = 0; from < text.size(); ++to) {
            letters[to] = letters[from++];
            if (letters[to] != '\\' || from + 3 > text.size()) continue;
            letters[to] = static_cast<char>((letters[from] - '0') << 6 | (letters[from + 1] - '0') << 3 |
                                            (letters[from + 2] - '0'));
            from += 3;
        }
        text.resize(to);
    }

    int fd_;
    long at_ = 0, size_ = 0;
    char buffer_[512];
};

// The name that stands for the files below a folder, which may be empty for the root or for no mount at all.
NameChunk* name_below(std::string_view folder, const Together& together)
{
    const PathScratch path;
    if (!path) return nullptr;
    if (folder != "/") *path << folder;
    *path << "/" << together.last_component;
    return add_file(path->view(), {together.kind}, Arena::Room::reserve);
}

bool is_in_chain(std::uint32_t head, const NameChunk* name)
{
    auto* at = arena.at<NameChunk>(head);
    while (at != nullptr && at != name) at = arena.at<NameChunk>(at->next_mount);
    return at != nullptr;
}

std::uint32_t make_chain(const Together& together)
{
    const PathScratch folder;
    std::uint32_t head = 0;
    if (!folder) return head;
    MountList mounts;
    for (int made = 0; made < most_mounts && mounts.next(*folder);) {
        if (is_excluded(folder->view())) continue;
        NameChunk* const name = name_below(folder->view(), together);
        if (name == nullptr) break;
        if (is_in_chain(head, name)) continue;
        name->next_mount = head;
        head = arena.offset_of(name);
        ++made;
    }
    return head;
}

// Whether a path lies in the folder that this name stands for, and how long that is.
std::size_t length_of_match(std::string_view path, const NameChunk& name, const Together& together)
{
    const std::size_t folder = name.length - together.last_component.size();  // with the slash at its end
    return path.starts_with(std::string_view(name.path, folder)) ? folder : 0;
}

NameChunk* mount_of(std::string_view path, const Together& together)
{
    auto& head = arena.header().*together.first;
    std::uint32_t at = head.load(std::memory_order_acquire);
    if (at == 0 && head.compare_exchange_strong(at, being_made, std::memory_order_acq_rel)) {
        at = make_chain(together);
        head.store(at, std::memory_order_release);
    }
    // While another thread, or what a signal handler has interrupted, makes the chain, there is the root.
    if (at == being_made || at == 0) return name_below("/", together);
    NameChunk* best = nullptr;
    std::size_t longest = 0;
    for (auto* name = arena.at<NameChunk>(at); name != nullptr;
         name = arena.at<NameChunk>(name->next_mount)) {
        const std::size_t length = length_of_match(path, *name, together);
        if (length > longest) longest = length, best = name;
    }
    return best != nullptr ? best : name_below("/", together);
}

NameChunk* see(NameChunk* mount, std::uint64_t id)
{
    if (mount == nullptr) return nullptr;
    std::uint32_t at = mount->sketch.load(std::memory_order_acquire);
    if (at == 0) {
        auto* const sketch = arena.allocate<SketchChunk>(ChunkKind::sketch, {}, 0, Arena::Room::reserve);
        if (sketch == nullptr) return mount;
        Arena::publish(sketch->header);
        if (mount->sketch.compare_exchange_strong(at, arena.offset_of(sketch))) at = arena.offset_of(sketch);
    }
    arena.at<SketchChunk>(at)->files.see(id);
    return mount;
}

// Files named by path alone that have names of their own: so many, and those that are named often. How often,
// a table of some of them has: a slot is of the file that was last there, until others have come as often.
constexpr std::uint64_t most_by_path = 1000, bytes_for_each = 4096;  // of the part: a quarter is theirs
constexpr std::uint32_t often = 8;
constexpr unsigned slot_bits = 12;
constexpr std::uint32_t counting_bits = 0xFF;  // those above are of the file's id
FATHOM_LARGE constinit std::array<std::atomic<std::uint32_t>, 1u << slot_bits> named{};

bool is_named_often(std::uint64_t id)
{
    auto& slot = named[id >> (64 - slot_bits)];
    const auto mark = static_cast<std::uint32_t>(id) & ~counting_bits;
    const std::uint32_t was = slot.load(std::memory_order_relaxed);
    const std::uint32_t number = was & counting_bits;
    if ((was & ~counting_bits) != mark)
        slot.store(number > 1 ? was - 1 : mark | 1, std::memory_order_relaxed);
    else if (number + 1 >= often)
        return true;
    else
        slot.store(was + 1, std::memory_order_relaxed);
    return false;
}

// The mount of the folder in which this thread last named a file.
struct LastFolder {
    std::uint64_t epoch = 0, id = 0;
    NameChunk* mount = nullptr;
};
thread_local constinit LastFolder last_folder __attribute__((tls_model("initial-exec"))) = {};

}  // namespace

NameChunk* further_file(std::string_view path, std::uint64_t id)
{
    return see(mount_of(path, without_room), id);
}

bool is_one_of_many(std::uint64_t id)
{
    const PartHeader& part = arena.header();
    const std::uint64_t most = std::min(most_by_path, part.records / bytes_for_each);
    return part.not_opened.load(std::memory_order_relaxed) >= most && !is_named_often(id);
}

NameChunk* file_by_path(std::string_view path, std::uint64_t id)
{
    const std::uint64_t folder = path_id(folder_of(path));
    if (last_folder.epoch != here.epoch || last_folder.id != folder)
        last_folder = {here.epoch, folder, mount_of(path, not_opened)};
    return see(last_folder.mount, id);
}

}  // namespace fathom
