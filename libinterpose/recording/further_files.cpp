// A chain of names, one a mount, made when the first file finds no room.
#include "libinterpose/recording/further_files.h"

#include "libinterpose/recording/files.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

constexpr std::string_view last_component = "<further files>";
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
NameChunk* name_below(std::string_view folder)
{
    const PathScratch path;
    if (!path) return nullptr;
    if (folder != "/") *path << folder;
    *path << "/" << last_component;
    return add_file(path->view(), {NameKind::overflow}, Arena::Room::reserve);
}

bool is_in_chain(std::uint32_t head, const NameChunk* name)
{
    auto* at = arena.at<NameChunk>(head);
    while (at != nullptr && at != name) at = arena.at<NameChunk>(at->next_mount);
    return at != nullptr;
}

std::uint32_t make_chain()
{
    const PathScratch folder;
    std::uint32_t head = 0;
    if (!folder) return head;
    MountList mounts;
    for (int made = 0; made < most_mounts && mounts.next(*folder);) {
        if (is_excluded(folder->view())) continue;
        NameChunk* const name = name_below(folder->view());
        if (name == nullptr) break;
        if (is_in_chain(head, name)) continue;
        name->next_mount = head;
        head = arena.offset_of(name);
        ++made;
    }
    return head;
}

// Whether a path lies in the folder that this name stands for, and how long that is.
std::size_t length_of_match(std::string_view path, const NameChunk& name)
{
    const std::size_t folder = name.length - last_component.size();  // with the slash at its end
    return path.starts_with(std::string_view(name.path, folder)) ? folder : 0;
}

NameChunk* mount_of(std::string_view path)
{
    auto& head = arena.header().overflow;
    std::uint32_t at = head.load(std::memory_order_acquire);
    if (at == 0 && head.compare_exchange_strong(at, being_made, std::memory_order_acq_rel)) {
        at = make_chain();
        head.store(at, std::memory_order_release);
    }
    // While another thread, or what a signal handler has interrupted, makes the chain, there is the root.
    if (at == being_made || at == 0) return name_below("/");
    NameChunk* best = nullptr;
    std::size_t longest = 0;
    for (auto* name = arena.at<NameChunk>(at); name != nullptr;
         name = arena.at<NameChunk>(name->next_mount)) {
        const std::size_t length = length_of_match(path, *name);
        if (length > longest) longest = length, best = name;
    }
    return best != nullptr ? best : name_below("/");
}

}  // namespace

NameChunk* further_file(std::string_view path, std::uint64_t id)
{
    NameChunk* const mount = mount_of(path);
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

}  // namespace fathom
