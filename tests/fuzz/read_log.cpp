// Fuzzes the reader. Checksums and zlib keep a blind mutation at the door, so the first byte says what the
// rest is: 'F' a file as it stands; any other: the payloads of blocks, {kind, table, rows u16, length u16,
// bytes} each, which are compressed and sealed here.
#include <cstring>

#include "logformat/log/log.h"
#include "tests/logformat/craft.h"

namespace {

using namespace fathom;

std::vector<std::byte> sealed(std::span<const std::byte> payloads)
{
    craft::File file(schema_hash());
    constexpr std::size_t head = 6;
    while (payloads.size() >= head) {
        const std::byte* at = payloads.data();
        const auto kind = static_cast<BlockKind>(take<std::uint8_t>(at));
        const auto table = take<std::uint8_t>(at);
        const auto rows = take<std::uint16_t>(at);
        const std::size_t length = std::min<std::size_t>(take<std::uint16_t>(at), payloads.size() - head);
        const auto raw = payloads.subspan(head, length);
        file.block({kind, table, rows, raw.size(), 0, 0}, craft::compressed(raw));
        payloads = payloads.subspan(head + length);
    }
    return file.bytes();
}

// Touches every value of a log, so that a sanitizer sees texts that point nowhere.
std::uint64_t sum_of(const Log& log)
{
    std::uint64_t sum = 0;
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        const Columns columns = columns_of<Row>();
        for (const Row& row : log.rows<Row>())
            for (const Column& column : columns.all()) {
                if (column.type != ScalarType::text)
                    sum += load<std::uint64_t>(&row, column);
                else
                    for (const char letter : load<std::string_view>(&row, column))
                        sum += static_cast<unsigned char>(letter);
            }
    });
    return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto input = std::as_bytes(std::span(data, size));
    const bool as_it_stands = size > 0 && data[0] == 'F';
    const std::vector<std::byte> file = as_it_stands ? std::vector<std::byte>(input.begin(), input.end())
                                                     : sealed(input.subspan(size > 0 ? 1 : 0));
    try {
        const Log log = decode_log(file, "fuzz");
        volatile std::uint64_t seen = sum_of(log);
        static_cast<void>(seen);
    } catch (const LogError&) {
    }
    return 0;
}
