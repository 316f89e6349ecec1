#include "analyzer/report/pdf.h"
namespace fathom::report {
std::string render_pdf(const Document&)
{
    return {};
}
}  // namespace fathom::report
