// The end of the drawing libraries when the tests are over, so that a leak check sees what is ours.
#include "analyzer/report/release.h"

namespace {

const struct DrawingEnd {
    ~DrawingEnd() { fathom::report::release_drawing(); }
} drawing_end;

}  // namespace
