// Chains of entries that never leave their bucket, and texts that are kept once.
#include "libinterpose/libraries/ids.h"

#include <cstring>

#include "libinterpose/system/own_memory.h"
#include "logformat/path_id.h"

namespace fathom::libraries {

constinit Ids ids;
constinit std::atomic<std::uint64_t> changes_of_ids{1};

namespace {

constexpr std::uint64_t nobody = 0, being_filled = 1;  // no id's keys
constexpr std::size_t buckets = std::size_t{1} << 14;

struct Store {
    std::atomic<Entry*> bucket[buckets];
    std::atomic<std::size_t> used;
    Entry entry[Ids::most];
};
constinit OnDemand<Store> store;

std::size_t bucket_of(std::uint64_t key)
{
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15 >> 50) % buckets;
}

Entry* find_entry(const Store& all, std::uint64_t key)
{
    for (Entry* one = all.bucket[bucket_of(key)].load(std::memory_order_acquire); one != nullptr;
         one = one->next)
        if (one->key.load(std::memory_order_acquire) == key) return one;
    return nullptr;
}

Entry* new_entry(Store& all, std::uint64_t key)
{
    auto& head = all.bucket[bucket_of(key)];
    Entry* first = head.load(std::memory_order_acquire);
    for (Entry* one = first; one != nullptr; one = one->next) {
        std::uint64_t before = nobody;
        if (one->key.load(std::memory_order_relaxed) == nobody &&
            one->key.compare_exchange_strong(before, being_filled, std::memory_order_acq_rel))
            return one;
    }
    if (all.used.load(std::memory_order_relaxed) >= Ids::most) return nullptr;
    const std::size_t at = all.used.fetch_add(1, std::memory_order_relaxed);
    if (at >= Ids::most) return nullptr;
    Entry* const fresh = &all.entry[at];
    fresh->key.store(being_filled, std::memory_order_relaxed);
    do fresh->next = first;
    while (!head.compare_exchange_weak(first, fresh, std::memory_order_acq_rel));
    return fresh;
}

struct Texts {
    static constexpr std::size_t room = std::size_t{4} << 20, slots = std::size_t{1} << 14;
    std::atomic<const char*> slot[slots];  // each behind the length of its text
    std::atomic<std::size_t> used;
    char text[room];
};
constinit OnDemand<Texts> texts;

std::string_view text_at(const char* at)
{
    std::uint32_t length = 0;
    std::memcpy(&length, at - sizeof length, sizeof length);
    return {at, length};
}

}  // namespace

Known* Ids::find(std::uint64_t key) const
{
    const Store* const all = store.get();
    Entry* const one = all == nullptr ? nullptr : find_entry(*all, key);
    return one == nullptr ? nullptr : &one->known;
}

bool Ids::put(std::uint64_t key, const Known& known)
{
    Store* const all = store.make();
    if (all == nullptr || key <= being_filled) return false;
    changes_of_ids.fetch_add(1, std::memory_order_relaxed);
    if (Entry* const same = find_entry(*all, key)) {
        same->known = known;
        return true;
    }
    Entry* const one = new_entry(*all, key);
    if (one == nullptr) return false;
    one->known = known;
    one->key.store(key, std::memory_order_release);
    return true;
}

void Ids::remove(std::uint64_t key)
{
    const Store* const all = store.get();
    changes_of_ids.fetch_add(1, std::memory_order_relaxed);
    if (Entry* const one = all == nullptr ? nullptr : find_entry(*all, key))
        one->key.store(nobody, std::memory_order_release);
}

void Ids::remove_all(std::uint8_t library)
{
    Store* const all = store.get();
    if (all == nullptr) return;
    changes_of_ids.fetch_add(1, std::memory_order_relaxed);
    const std::size_t used = std::min(all->used.load(std::memory_order_relaxed), most);
    for (std::size_t at = 0; at < used; ++at) {
        std::uint64_t key = all->entry[at].key.load(std::memory_order_acquire);
        if (key > being_filled && library_of(key) == library)
            all->entry[at].key.compare_exchange_strong(key, nobody, std::memory_order_acq_rel);
    }
}

std::uint64_t hash_of(std::string_view text)
{
    return path_id(text);
}

std::string_view kept_text(std::string_view text)
{
    constexpr std::string_view no_room;
    constexpr std::size_t tries = 8;
    Texts* const all = texts.make();
    if (all == nullptr) return no_room;
    const std::uint64_t hash = hash_of(text);
    for (std::size_t at = 0; at < tries; ++at) {
        auto& slot = all->slot[(hash + at) % Texts::slots];
        const char* known = slot.load(std::memory_order_acquire);
        if (known == nullptr) {
            const auto length = static_cast<std::uint32_t>(text.size());
            const std::size_t bytes = (sizeof length + text.size() + 7) & ~std::size_t{7};
            if (all->used.load(std::memory_order_relaxed) + bytes > Texts::room) return no_room;
            const std::size_t from = all->used.fetch_add(bytes, std::memory_order_relaxed);
            if (from + bytes > Texts::room) return no_room;
            char* const to = all->text + from + sizeof length;
            std::memcpy(to - sizeof length, &length, sizeof length);
            if (length != 0) std::memcpy(to, text.data(), length);
            if (slot.compare_exchange_strong(known, to, std::memory_order_acq_rel)) return text_at(to);
        }
        if (text_at(known) == text) return text_at(known);
    }
    return no_room;
}

}  // namespace fathom::libraries
