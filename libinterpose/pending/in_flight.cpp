// Open addressing without marks for what was removed: a key is within a few places of where it belongs, or
// nowhere.
#include "libinterpose/pending/in_flight.h"

#include "libinterpose/system/own_memory.h"

namespace fathom::in_flight {
namespace {

constexpr unsigned size_bits = 14, reach = 32;
constexpr std::uint64_t size = 1u << size_bits;
constexpr OperationKey nobody = 0, being_changed = 1, first_key = 2;

struct Table {
    std::atomic<std::int32_t> operations;
    std::atomic<OperationKey> key[size + reach];
    std::atomic<std::uintptr_t> file_and_kind[size + reach];  // for those who only look
    Submission operation[size + reach];                       // all of it is set before it is used
};
constinit OnDemand<Table> in_flight_table;

OperationKey made_key(OperationKey key)
{
    return key < first_key ? key + first_key : key;
}

std::uint64_t home_of(OperationKey key)
{
    return (key * 0x9e3779b97f4a7c15u) >> (64 - size_bits);
}

bool claim(Table& table, std::uint64_t at, OperationKey expected)
{
    return table.key[at].compare_exchange_strong(expected, being_changed, std::memory_order_acq_rel);
}

void fill(Table& table, std::uint64_t at, OperationKey key, const Submission& what)
{
    table.operation[at] = what;
    table.file_and_kind[at].store(
        reinterpret_cast<std::uintptr_t>(what.file) | static_cast<std::uintptr_t>(what.kind),
        std::memory_order_relaxed);
    table.key[at].store(key, std::memory_order_release);
}

void vacate(Table& table, std::uint64_t at)
{
    table.key[at].store(nobody, std::memory_order_release);
    table.operations.fetch_sub(1, std::memory_order_relaxed);
}

bool is(const Table& table, std::uint64_t at, OperationKey key)
{
    return table.key[at].load(std::memory_order_acquire) == key;
}

}  // namespace

bool add(OperationKey key, const Submission& what, Again again)
{
    // The kernel empties it in a forked child: the operations are the parent's.
    Table* const made = in_flight_table.make(MADV_WIPEONFORK);
    if (made == nullptr) return false;
    Table& table = *made;
    key = made_key(key);
    const std::uint64_t home = home_of(key);
    if (again == Again::impossible)
        for (std::uint64_t at = home; at < home + reach; ++at)
            if (is(table, at, key) && claim(table, at, key)) {
                missed();
                fill(table, at, key, what);
                return true;
            }
    for (std::uint64_t at = home; at < home + reach; ++at)
        if (is(table, at, nobody) && claim(table, at, nobody)) {
            fill(table, at, key, what);
            table.operations.fetch_add(1, std::memory_order_relaxed);
            return true;
        }
    return false;
}

bool take(OperationKey key, Submission& what)
{
    Table* const made = in_flight_table.get();
    if (made == nullptr) return false;
    Table& table = *made;
    key = made_key(key);
    const std::uint64_t home = home_of(key);
    for (std::uint64_t at = home; at < home + reach; ++at)
        if (is(table, at, key) && claim(table, at, key)) {
            what = table.operation[at];
            vacate(table, at);
            return true;
        }
    return false;
}

bool look(OperationKey key, Kind& kind, NameChunk*& file)
{
    Table* const made = in_flight_table.get();
    if (made == nullptr) return false;
    Table& table = *made;
    key = made_key(key);
    const std::uint64_t home = home_of(key);
    for (std::uint64_t at = home; at < home + reach; ++at) {
        if (!is(table, at, key)) continue;
        const std::uintptr_t both = table.file_and_kind[at].load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (!is(table, at, key)) continue;
        constexpr std::uintptr_t kinds = chunk_alignment - 1;
        kind = static_cast<Kind>(both & kinds);
        file = reinterpret_cast<NameChunk*>(both & ~kinds);
        return true;
    }
    return false;
}

bool any()
{
    const Table* const table = in_flight_table.get();
    return table != nullptr && table->operations.load(std::memory_order_relaxed) > 0;
}

void give_up()
{
    if (!any()) return;
    Table& table = *in_flight_table.get();
    for (std::uint64_t at = 0; at < size + reach; ++at) {
        const OperationKey key = table.key[at].load(std::memory_order_acquire);
        if (key < first_key || !claim(table, at, key)) continue;
        missed();
        vacate(table, at);
    }
}

}  // namespace fathom::in_flight
