// A CSV that grows line by line for days, and that a later run goes on with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fathom {

class GrowingCsv {
  public:
    // Begins a file, whose header, which ends in a line end, comes with the first lines, or goes on with one
    // that has it: what a run that was killed left of a last line is cut off. "-" is standard output. Throws
    // std::runtime_error where the file cannot be opened, has another header, or another probe writes it;
    // then nothing of it changes.
    GrowingCsv(std::string path, std::string_view header);
    ~GrowingCsv();
    GrowingCsv(const GrowingCsv&) = delete;
    GrowingCsv& operator=(const GrowingCsv&) = delete;

    // Adds whole lines by one write. False where they could not be written, errno says why: the file has
    // then nothing of them, where it can be cut.
    bool append(std::string_view lines);
    // Onto the device.
    void sync();

    const std::string& path() const { return path_; }
    bool goes_on() const { return goes_on_; }                 // there were lines before
    std::uint64_t bytes_cut_off() const { return cut_off_; }  // of a last line that was torn

  private:
    void check_header(std::string_view header);
    void cut_torn_end();

    bool write_all(std::string_view text);

    std::string path_, header_;  // the header while it has to be written
    int fd_ = -1;
    bool is_file_ = false, goes_on_ = false;
    std::uint64_t end_ = 0, cut_off_ = 0;
};

}  // namespace fathom
