// Reads hints into a set, of which there is one for all files that have the same.
#include "libinterpose/operations/hints.h"

#include <algorithm>
#include <cstring>

#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/session.h"

namespace fathom {
namespace {

constexpr std::size_t most_bytes_asked = 1500, most_bytes = 4000;  // of texts; a path's room has 4200
// Of MPI_MAX_INFO_KEY and MPI_MAX_INFO_VAL MPICH has 255 and 1024, Open MPI 36 and 256.
constexpr int most_key = 256, most_value = 255;

// Two texts in one room: "name=value;name=value".
struct HintTexts {
    PathText& text;
    std::size_t asked = 0;  // bytes of the first
    std::uint32_t left_out = 0;

    std::string_view of_program() const { return text.view().substr(0, asked); }
    std::string_view of_library() const { return text.view().substr(asked); }

    // The marks between hints, and what would end a line, stand for nothing else.
    void put(std::string_view more)
    {
        for (const char letter : more) {
            const bool odd = letter == ';' || static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
            text << (odd ? std::string_view("?") : std::string_view(&letter, 1));
        }
    }
    void add(std::size_t begin, std::string_view key, std::string_view value, std::size_t most)
    {
        const std::size_t bytes = key.size() + value.size() + 2;
        if (text.size() + bytes > most) {
            ++left_out;
            return;
        }
        if (text.size() > begin) text << ";";
        put(key);
        text << "=";
        put(value);
    }
};

bool is_null(mpi::Handle info)
{
    const mpi::Constants& known = *mpi::constants();
    if (known.handle_bytes == sizeof(std::uint32_t))
        return static_cast<std::uint32_t>(info) == static_cast<std::uint32_t>(known.info_null);
    return info == 0 || info == known.info_null;
}

void read_info(mpi::Handle info, HintTexts& to, std::size_t most)
{
    const std::size_t begin = to.text.size();
    int keys = 0;
    if (mpi::info_get_nkeys(info, &keys) != 0) return;
    for (int at = 0; at < keys; ++at) {
        char key[most_key] = {}, value[most_value + 1] = {};
        int is_there = 0;
        if (mpi::info_get_nthkey(info, at, key) != 0) continue;
        if (mpi::info_get(info, key, most_value, value, &is_there) != 0 || is_there == 0) continue;
        to.add(begin, {key, strnlen(key, sizeof key)}, {value, strnlen(value, sizeof value)}, most);
    }
}

std::string_view take(std::string_view& list)
{
    const std::size_t end = std::min(list.find(';'), list.size());
    const std::string_view one = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    return one;
}

std::string_view key_of(std::string_view hint)
{
    return hint.substr(0, hint.find('='));
}

bool has(std::string_view list, std::string_view key)
{
    while (!list.empty())
        if (key_of(take(list)) == key) return true;
    return false;
}

// Whether a list has all hints of another.
bool has_all(std::string_view list, std::string_view other)
{
    while (!other.empty()) {
        const std::string_view wanted = take(other);
        bool found = false;
        for (std::string_view rest = list; !found && !rest.empty();) found = take(rest) == wanted;
        if (!found) return false;
    }
    return true;
}

// What was set before and has not been set again since.
void add_older(std::string_view older, HintTexts& to)
{
    const std::size_t newer = to.text.size();
    while (!older.empty()) {
        const std::string_view hint = take(older), key = key_of(hint);
        if (!has(to.text.view().substr(0, newer), key))
            to.add(0, key, hint.substr(std::min(key.size() + 1, hint.size())), most_bytes_asked);
    }
}

const HintsChunk* set_at(std::uint32_t at)
{
    return at == HintsChunk::no_room ? nullptr : arena.at<HintsChunk>(at);
}

std::string_view asked_in(const HintsChunk* set)
{
    return set == nullptr ? std::string_view() : std::string_view(set->text, set->asked);
}

// The set with these texts: one that is there, or a new one.
std::uint32_t set_with(const HintTexts& texts)
{
    PartHeader& header = arena.header();
    for (std::uint32_t at = header.hints.load(std::memory_order_acquire); at != 0;) {
        const HintsChunk& known = arena.known_at<HintsChunk>(at);
        const bool same =
            known.asked == texts.asked && known.left_out == texts.left_out &&
            std::string_view(known.text, std::size_t{known.asked} + known.used) == texts.text.view();
        if (same) return at;
        at = known.next;
    }
    if (header.hint_sets.fetch_add(1, std::memory_order_relaxed) >= HintsChunk::most)
        return HintsChunk::no_room;
    auto* const set = arena.allocate<HintsChunk>(ChunkKind::hints, {}, texts.text.size());
    if (set == nullptr) return HintsChunk::no_room;
    set->asked = static_cast<std::uint16_t>(texts.asked);
    set->used = static_cast<std::uint16_t>(texts.of_library().size());
    set->left_out = texts.left_out;
    std::memcpy(set->text, texts.text.c_str(), texts.text.size());
    Arena::publish(set->header);
    std::uint32_t head = header.hints.load(std::memory_order_relaxed);
    do set->next = head;
    while (!header.hints.compare_exchange_weak(head, arena.offset_of(set), std::memory_order_acq_rel));
    return arena.offset_of(set);
}

void note(NameChunk& file, mpi::Handle handle, mpi::Handle info)
{
    const PathScratch scratch;
    if (!scratch) return;
    scratch->resize(0);
    HintTexts texts{*scratch};
    const std::uint32_t before = file.hints.load(std::memory_order_acquire);
    if (!is_null(info)) read_info(info, texts, most_bytes_asked);
    const std::string_view older = asked_in(set_at(before));
    // A program that opens its file again and again says the same each time.
    if (before != 0 && has_all(older, texts.text.view())) return;
    add_older(older, texts);
    texts.asked = texts.text.size();
    mpi::Handle all = 0;
    if (mpi::file_get_info(handle, &all) == 0 && !is_null(all)) {
        read_info(all, texts, most_bytes);
        mpi::info_free(&all);
    }
    // Also of a file without any: this is the rank that will be asked again.
    file.hints.store(set_with(texts), std::memory_order_release);
}

}  // namespace

void note_hints_of_open(NameChunk& file, mpi::Handle communicator, mpi::Handle handle, mpi::Handle info)
{
    if (mpi::constants() == nullptr) return;
    if (file.hints.load(std::memory_order_relaxed) != 0 && is_null(info)) return;
    int rank = 0;
    if (mpi::comm_rank(communicator, &rank) == 0 && rank == 0) note(file, handle, info);
}

void note_hints(NameChunk& file, mpi::Handle handle, mpi::Handle info)
{
    // Other ranks than that which opened it first have nothing noted.
    if (mpi::constants() == nullptr || file.hints.load(std::memory_order_relaxed) == 0 || is_null(info))
        return;
    note(file, handle, info);
}

}  // namespace fathom
