// Words for what is wrong with a module.
#include "parsers/darshan/module_reader.h"

#include <fmt/format.h>

namespace fathom::darshan {

Problem ModuleReader::problem(std::string_view what) const
{
    return fmt::format("module {}, from byte {} on, after {} records: {}", name_of(region_.module),
                       region_.region.offset, records_, what);
}

Problem ModuleReader::problem() const
{
    const Problem trouble = reader_.problem();
    if (!trouble.empty()) return problem(trouble);
    return left_over_ == 0 ? Problem() : problem("it ends in the middle of a record");
}

Problem ModuleReader::version_problem() const
{
    return fmt::format("module {}: its version {} is not known, so that it was passed over",
                       name_of(region_.module), region_.version);
}

}  // namespace fathom::darshan
