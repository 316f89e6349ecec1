// Which of Darshan's counters become which columns of our records, a row each: records are filled by these
// tables, and what they do not name is not recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/blocks/columns.h"
#include "logformat/counters.h"
#include "parsers/darshan/conversion.h"
#include "parsers/darshan/modules.h"
#include "parsers/darshan/records.h"

namespace fathom::darshan {

// A column is the sum of some counters less some others, at least 0.
struct NumberRow {
    std::string_view column;
    std::string_view plus[4] = {};
    std::string_view minus[2] = {};
    bool may_lack = false;  // that some records do not have it means 0 there
};

// A duration or an instant, as the column's unit says.
struct TimeRow {
    std::string_view column;
    std::string_view time;
};

struct RecordTable {
    Module module{};
    Layer layer{};
    std::span<const NumberRow> numbers;
    std::span<const TimeRow> times;
};

const RecordTable& record_table(Layer layer);

// The number of a column; std::logic_error where there is none of this name.
std::uint32_t number_of(const Columns& columns, std::string_view label);

// The table of one layer with names looked up: where each value comes from and where in the row it goes.
class RecordPlan {
  public:
    RecordPlan(const RecordTable& table, Columns columns);

    struct Number {
        std::vector<std::uint16_t> plus, minus;
        std::uint32_t column = 0;
        bool may_lack = false;
        bool one = false;          // it is one counter, as most are: the only one in `plus`
        std::uint16_t place = 0;   // of that one
        std::uint32_t offset = 0;  // of the column in the row
    };
    struct Time {
        std::uint16_t time = 0;
        std::uint32_t column = 0;
        bool instant = false;
    };

    const Columns& columns() const { return columns_; }
    const std::vector<Number>& numbers() const { return numbers_; }
    const std::vector<Time>& times() const { return times_; }
    const Counters& counters() const { return *counters_; }

  private:
    Columns columns_;
    const Counters* counters_;
    std::vector<Number> numbers_;
    std::vector<Time> times_;
};

// Fills rows of one log and keeps count of what its records did not have.
class RecordFiller {
  public:
    explicit RecordFiller(const RecordPlan& plan)
        : plan_(plan), numbers_(plan.numbers().size()), times_(plan.times().size())
    {}

    void fill(const CounterRecord& from, const JobClock& clock, void* row);

    std::uint64_t records() const { return records_; }
    // Calls column(label) for each that no record had.
    template <class Visit>
    void each_not_told(Visit column) const
    {
        for (std::size_t at = 0; at < numbers_.size(); ++at)
            if (numbers_[at].missing == records_) column(label(plan_.numbers()[at].column));
        for (std::size_t at = 0; at < times_.size(); ++at)
            if (times_[at].missing == records_) column(label(plan_.times()[at].column));
    }
    // A sentence on each counter that some records have and others do not, or that cannot be.
    std::vector<std::string> problems() const;

  private:
    struct Lack {
        std::uint64_t missing = 0;     // -1
        std::uint64_t impossible = 0;  // any other that is below 0, and no time
    };

    std::string_view label(std::uint32_t column) const { return plan_.columns().all()[column].label(); }

    const RecordPlan& plan_;
    std::uint64_t records_ = 0;
    std::vector<Lack> numbers_, times_;
};

}  // namespace fathom::darshan
