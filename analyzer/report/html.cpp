#include "analyzer/report/html.h"
namespace fathom::report {
std::string render_html(const Document&)
{
    return {};
}
}  // namespace fathom::report
