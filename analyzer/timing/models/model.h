// A model file: how long operations take by size, where it is known what served them.
//
// Source: Kunkel, "Identifying Relevant Factors in the I/O-Path using Statistical Methods" (2015), section 6
// and table 3. docs/MODELS.md has the form of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/methods/two_lines.h"

namespace fathom {

inline constexpr std::string_view discard_state = "discard", cached_state = "cached",
                                  uncached_state = "uncached";

// What a limit is above the cutoff that was measured, so that sizes which vary do not pass it.
inline constexpr double limit_margin = 1.1;

// How well lines fit what they were made from; a part that is not known is nothing.
struct ModelErrors {
    std::optional<double> absolute, relative;  // of the limits as measured: seconds, share of the limit
    // Shares of the operations that took longer than the limit that was measured, and than the line.
    std::optional<double> outliers, outliers_of_model;
};

// One size that a model was made from. Seconds.
struct TrainedSize {
    std::uint64_t size = 0;
    double limit = 0, typical = 0;
    std::uint64_t operations = 0, outliers = 0, outliers_of_model = 0;
};

struct IoModel {
    std::string state;      // discard, cached, uncached, or a name of one's own
    std::string operation;  // read, write
    std::string memory;     // where the buffer was: off0, rnd ...
    std::string file;       // where in the file, likewise

    TwoLines limit;    // how long an operation takes at most
    TwoLines typical;  // how long the usual one takes; may be missing

    ModelErrors small_errors, large_errors;  // of `limit`, up to a page and above
    std::vector<TrainedSize> sizes;          // ascending; may be missing
};

// Where and when it was measured; what is not known is empty.
struct ModelOrigin {
    std::string host, kernel, file_system, date, measurement;
};

struct ModelFile {
    std::string about;
    ModelOrigin made;
    std::vector<IoModel> models;

    bool has_typical() const;  // of all of its models
};

// Throws std::runtime_error with the file, where in it, what is wrong there and what to do, for whatever is
// not such a file from beginning to end.
ModelFile read_model_file(const std::string& path);

// Of a model file's text; `path` is what errors call it.
ModelFile model_of_text(const std::string& text, const std::string& path);

// The text of a model file. Names and numbers of sizes are not looked at: what model_of_text refuses can come
// of them.
std::string model_text(const ModelFile& file);

}  // namespace fathom
