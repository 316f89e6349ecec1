// The samples are written before their check, so that each run with a check is whole.
#include "analyzer/timing/measure/results.h"

#include <stdexcept>
#include <unistd.h>

#include "analyzer/timing/measure/clock.h"

namespace fathom::measure {
namespace {

// Both, before either is made.
const std::string& not_there(const std::string& samples, bool replace)
{
    for (const std::string& path : {samples, checks_beside(samples)})
        if (!replace && access(path.c_str(), F_OK) == 0) throw std::runtime_error(already_there(path));
    return samples;
}

}  // namespace

ResultFiles::ResultFiles(const std::string& samples, bool replace)
    : samples_(not_there(samples, replace), samples_header, replace),
      checks_(checks_beside(samples), checks_header, replace),
      begin_(now()),
      page_(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)))
{}

ResultFiles::~ResultFiles()
{
    if (summary_.operations() > 0) return;
    unlink(samples_.path().c_str());
    unlink(checks_.path().c_str());
}

Results ResultFiles::taking()
{
    const auto take_samples = [this](const Configuration& one, unsigned thread,
                                     std::span<const Sample> made) {
        add_samples(samples_, one, thread, made, begin_);
        for (const Sample& sample : made) summary_.add(one, static_cast<double>(sample.duration) / 1e9);
    };
    const auto take_check = [this](const Check& check) {
        samples_.flush();
        add_check(checks_, check, page_);
        checks_.flush();
        all_checks_.push_back(check);
    };
    return {take_samples, take_check};
}

}  // namespace fathom::measure
