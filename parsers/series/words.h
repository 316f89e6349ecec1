// Lines, words and numbers of text that programs print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/series/table.h"
#include "parsers/series/source.h"

namespace fathom::series {

class LocalClock;

// Hands out a text line by line, without what ends them.
class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(text), all_(text.size()) {}
    explicit Lines(const Reading& reading) : Lines(reading.text) { tick_ = &reading.tick; }

    bool next(std::string_view& line);
    std::uint64_t number() const { return number_; }  // of the line that next() gave; the first is 1
    std::string place() const;                        // "line 12"

  private:
    std::string_view rest_;
    std::size_t all_;
    const Tick* tick_ = nullptr;
    std::uint64_t number_ = 0;
};

// The words between spaces and tabs, at most `most`; valid for as long as the line is.
std::vector<std::string_view> words_of(std::string_view line, std::size_t most = 4096);
std::string_view trimmed(std::string_view text);

// Nothing inside: it is none, or is not finite. A comma for the point is taken too.
std::optional<double> number_in(std::string_view text);
std::optional<std::uint64_t> whole_in(std::string_view text);
// "-12", "1489998203"
std::optional<std::int64_t> signed_in(std::string_view text);

// "1489998203", "1489998203.25" or milliseconds, 13 digits: UNIX time. Nothing inside: no such instant.
std::optional<Nanoseconds> unix_time(std::string_view text);
// Nothing inside: beyond what nanoseconds can tell, or before 1970.
std::optional<Nanoseconds> from_seconds(double seconds);

// At most 60 bytes of a text of unknown origin, for messages: without what is not to be printed.
std::string shown(std::string_view text);

// The time of a line that is a date alone ("1489998203", "BEGIN 1489998203", an ISO date or what `date`
// prints), as loops write them between samples. Nothing
// inside: it is another line.
std::optional<Nanoseconds> date_line(std::string_view line, LocalClock& clock);

// To tenths of a second: stamps differ by a few milliseconds from the step of who made them.
Nanoseconds rounded_step(Nanoseconds step);

// The step that most neighbours of rising times have; 0: fewer than two times.
Nanoseconds usual_step(const std::vector<Nanoseconds>& times);

}  // namespace fathom::series
