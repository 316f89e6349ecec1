#include "analyzer/jobs/accounting/json.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <istream>
#include <memory>
#include <streambuf>

#include "analyzer/document/printable.h"

namespace fathom::jobs {
namespace {

// Hands out a file line by line, so that it knows in which one the parser is. Bytes that are no UTF-8, of
// which nlohmann would break off, become \xNN: job names have them.
class JsonLines : public std::streambuf {
  public:
    explicit JsonLines(const std::string& path) : file_(std::fopen(path.c_str(), "re"), &std::fclose) {}

    std::uint64_t line() const { return line_; }
    std::uint64_t done() const { return done_; }
    void stop() { stopped_ = true; }

  protected:
    int_type underflow() override
    {
        if (stopped_ || !file_) return traits_type::eof();
        if (ended_line_) ++line_;
        text_.clear();
        int byte = 0;
        // A long line comes in pieces, none of which ends inside of a character.
        while ((byte = std::getc(file_.get())) != EOF) {
            if (text_.size() > most_at_once && (byte & 0xc0) != 0x80) {
                std::ungetc(byte, file_.get());
                break;
            }
            text_ += static_cast<char>(byte);
            if (byte == '\n') break;
        }
        if (text_.empty()) return traits_type::eof();
        done_ += text_.size();
        ended_line_ = text_.back() == '\n';
        if (std::any_of(text_.begin(), text_.end(), [](char letter) { return letter < 0; })) make_valid();
        setg(text_.data(), text_.data(), text_.data() + text_.size());
        return traits_type::to_int_type(text_[0]);
    }

  private:
    // What is \xNN elsewhere has a second backslash in JSON.
    void make_valid()
    {
        std::string valid;
        for (std::string_view rest = text_; !rest.empty();) {
            const std::size_t length = report::character_length(rest);
            if (length > 0)
                valid += rest.substr(0, length);
            else
                valid += fmt::format("\\\\x{:02X}", static_cast<unsigned char>(rest[0]));
            rest.remove_prefix(std::max<std::size_t>(length, 1));
        }
        text_ = std::move(valid);
    }

    static constexpr std::size_t most_at_once = 65536;
    std::unique_ptr<FILE, int (*)(FILE*)> file_;
    std::string text_;
    std::uint64_t line_ = 1, done_ = 0;
    bool ended_line_ = false, stopped_ = false;
};

// "[json.exception.parse_error.101] parse error at line 3, column 4: syntax error while parsing value - …"
std::string why_broken(std::string_view said)
{
    const std::size_t words = said.find(": ");
    return report::printable(words == std::string_view::npos ? said : said.substr(words + 2));
}

// Some programs write all numbers with a point.
std::optional<std::uint64_t> plain_number(const nlohmann::json& value)
{
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (!value.is_number_float()) return {};
    const auto number = value.get<double>();
    return number >= 0 && number < 9e15 ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt;
}

}  // namespace

void each_object(const std::string& path, int depth, const Reading& reading, const TakeObject& take)
{
    JsonLines lines(path);
    std::istream in(&lines);
    std::string key;
    std::uint64_t begin = 0;
    bool stopped = false;
    using json = nlohmann::json;
    const auto filter = [&](int at_depth, json::parse_event_t event, json& parsed) {
        if (event == json::parse_event_t::key && at_depth == 1) key = parsed.get<std::string>();
        if (event == json::parse_event_t::object_start && at_depth == depth) begin = lines.line();
        if (event != json::parse_event_t::object_end || at_depth != depth) return true;
        try {
            take(key, parsed);
        } catch (const Unusable& why) {
            reading.complain(fmt::format("line {}", begin), fmt::format("{}; it is left out", why.what()));
        }
        if (!stopped && !reading.go_on(lines.done())) {
            stopped = true;
            lines.stop();
        }
        return false;
    };
    try {
        const json rest = json::parse(in, filter);  // what is in no object of that depth
    } catch (const json::exception& error) {
        if (stopped) return;
        reading.complain(
            fmt::format("line {}", lines.line()),
            fmt::format("no JSON from here on ({}): make the file again; what stands before is in",
                        why_broken(error.what())));
    }
}

const nlohmann::json& at(const nlohmann::json& object, std::initializer_list<std::string_view> names)
{
    static const nlohmann::json none;
    const nlohmann::json* place = &object;
    for (const std::string_view name : names) {
        if (!place->is_object()) return none;
        const auto found = place->find(name);
        if (found == place->end()) return none;
        place = &*found;
    }
    return *place;
}

std::string text_in(const nlohmann::json& value)
{
    const nlohmann::json& one = value.is_array() && !value.empty() ? value[0] : value;
    if (one.is_string()) return stored_text(one.get_ref<const std::string&>());
    const auto number = plain_number(one);
    return number ? fmt::format("{}", *number) : std::string();
}

std::optional<std::uint64_t> number_in(const nlohmann::json& value)
{
    if (at(value, {"set"}) == false || at(value, {"infinite"}) == true) return {};
    const nlohmann::json& one = value.is_object() ? at(value, {"number"}) : value;
    if (one.is_null()) return {};
    if (const auto number = plain_number(one)) return number;
    if (one.is_string()) {
        const Known count = count_of(one.get_ref<const std::string&>());
        return count ? std::optional(static_cast<std::uint64_t>(*count)) : std::nullopt;
    }
    throw Unusable(
        fmt::format("{} stands where a count or a time should",
                    one.is_number() ? one.dump() : fmt::format("a value of type {}", one.type_name())));
}

Known count_in(const nlohmann::json& value)
{
    const auto number = number_in(value);
    return number && *number > 0 && *number < 0xfffffffe ? Known(static_cast<Number>(*number)) : std::nullopt;
}

Number time_in(const nlohmann::json& value)
{
    if (value.is_string()) return time_of(value.get_ref<const std::string&>());
    const auto seconds = number_in(value);
    return seconds ? time_of_seconds(*seconds) : 0;
}

}  // namespace fathom::jobs
