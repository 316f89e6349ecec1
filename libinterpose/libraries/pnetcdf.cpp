// Finds PnetCDF's functions in the library that has them.
#include "libinterpose/libraries/pnetcdf.h"

namespace fathom::pnetcdf {
namespace {

// "1.12.3 of 18 Dec 2022" is 1012003.
std::uint64_t version_of(const char* text)
{
    std::uint64_t number[3] = {};
    for (int at = 0; text != nullptr && at < 3; ++text) {
        if (*text >= '0' && *text <= '9')
            number[at] = number[at] * 10 + static_cast<std::uint64_t>(*text - '0');
        else if (*text == '.')
            ++at;
        else
            break;
    }
    return number[0] * 1'000'000 + number[1] * 1'000 + number[2];
}

constexpr const char* questions[] = {FATHOM_PNETCDF_QUESTIONS(FATHOM_QUESTION_NAME)};

void look_up(Loaded& library)
{
    library.find_all(questions);
    if (library.is_whole) library.version = version_of(ask_ncmpi_inq_libvers(library)());
}

}  // namespace

bool is_known(Loaded& library)
{
    return libraries::can_be_asked(library, look_up);
}

}  // namespace fathom::pnetcdf
