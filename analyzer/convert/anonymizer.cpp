// BLAKE2b with a key, as libsodium has it.
#include "analyzer/convert/anonymizer.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sodium.h>

#include "logformat/log/log.h"

namespace fathom {
namespace {

// Names that stand for no file: of standard streams, of what the recorder counts together, of heatmaps.
constexpr std::string_view no_files[] = {
    "<stdin>",      "<stdout>",         "<stderr>",  "<pipe>",
    "<STDIN>",      "<STDOUT>",         "<STDERR>",  "<further files>",
    "<not opened>", "<other datasets>", "<unnamed>", "<files that were not opened>"};
constexpr std::string_view heatmaps = "heatmap:";
// What MPI libraries make of hints that are no numbers (ROMIO's users guide, section 3).
constexpr std::string_view words_of_mpi[] = {"true", "false", "enable", "disable", "automatic", "requested"};

bool stands_for_no_file(std::string_view component)
{
    return std::find(std::begin(no_files), std::end(no_files), component) != std::end(no_files);
}

bool is_number(std::string_view text)
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Calls word(text) for each stretch between the marks; what it returns and the marks are put together.
template <class Word>
std::string between(std::string_view text, std::string_view marks, Word word)
{
    std::string all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(marks), text.size());
        if (end > 0) all += word(text.substr(0, end));
        if (end < text.size()) all += text[end];
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

}  // namespace

Anonymizer::Anonymizer(std::string_view secret)
{
    static_assert(std::tuple_size_v<decltype(key_)> == crypto_generichash_KEYBYTES);
    if (sodium_init() < 0) throw LogError("libsodium cannot be used on this machine");
    crypto_generichash(key_.data(), key_.size(), reinterpret_cast<const unsigned char*>(secret.data()),
                       secret.size(), nullptr, 0);
}

Anonymizer Anonymizer::with_key_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string secret{std::istreambuf_iterator<char>(file), {}};
    if (!file || secret.empty())
        throw LogError(path + ": cannot read a key; make one with: head -c 32 /dev/urandom > " + path);
    return Anonymizer(secret);
}

Anonymizer Anonymizer::with_random_key()
{
    if (sodium_init() < 0) throw LogError("libsodium cannot be used on this machine");
    std::array<char, crypto_generichash_KEYBYTES> secret{};
    randombytes_buf(secret.data(), secret.size());
    return Anonymizer({secret.data(), secret.size()});
}

std::uint64_t Anonymizer::hash(std::string_view text) const
{
    std::array<unsigned char, crypto_generichash_BYTES_MIN> digest{};
    crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(text.data()),
                       text.size(), key_.data(), key_.size());
    std::uint64_t number = 0;
    std::memcpy(&number, digest.data(), sizeof number);
    return number;
}

std::string Anonymizer::word(std::string_view text) const
{
    return text.empty() ? std::string() : fmt::format("{:016x}", hash(text));
}

std::uint64_t Anonymizer::number(std::uint64_t number) const
{
    if (number == 0) return 0;
    const std::uint64_t hashed = hash({reinterpret_cast<const char*>(&number), sizeof number});
    return hashed == 0 ? 1 : hashed;
}

std::int64_t Anonymizer::positive_number(std::int64_t number) const
{
    if (number <= 0) return number;
    constexpr std::uint64_t positive = 0x7fffffff;
    return static_cast<std::int64_t>(this->number(static_cast<std::uint64_t>(number)) & positive);
}

std::string Anonymizer::path(std::string_view path) const
{
    if (path.starts_with(heatmaps)) return std::string(path);
    return between(path, "/:", [&](std::string_view component) {
        return stands_for_no_file(component) ? std::string(component) : word(component);
    });
}

std::string Anonymizer::hints(std::string_view hints) const
{
    return between(hints, ";", [&](std::string_view hint) {
        const std::size_t equals = std::min(hint.find('='), hint.size());
        const std::string_view name = hint.substr(0, equals);
        if (equals == hint.size()) return word(hint);
        const std::string_view value = hint.substr(equals + 1);
        const bool stays = is_number(value) || std::find(std::begin(words_of_mpi), std::end(words_of_mpi),
                                                         value) != std::end(words_of_mpi);
        return fmt::format("{}={}", name, stays ? std::string(value) : word(value));
    });
}

}  // namespace fathom
