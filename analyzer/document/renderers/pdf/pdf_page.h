// A4 pages and the place on them where the next thing goes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "analyzer/document/drawing/drawing.h"

namespace fathom::report {

class Pages {
  public:
    static constexpr double page_width = 595.28, page_height = 841.89, margin = 50;
    static constexpr double content_width = page_width - 2 * margin;
    static constexpr double content_end = page_height - 60;
    static constexpr double whole = content_end - margin;  // height of a page's content

    // Appends the PDF to `to`, which must outlive this. `in_all` is the number of pages for the footer; 0:
    // not known yet.
    Pages(std::string& to, std::string_view title, std::size_t in_all);

    cairo_t* context() const { return context_.get(); }
    double y() const { return y_; }
    void skip(double height) { y_ += height; }
    void need(double height);  // goes on to the next page where less is left
    bool fits(double height) const { return y_ + height <= content_end; }
    void next_page();

    // How much of the page `draw` takes, were the page endless. What it draws does not appear.
    double height_of(const std::function<void()>& draw);

    void rule(const Colour& colour);
    void bookmark(std::string_view title);  // an entry of the outline, here

    // Ends the last page and the file; the number of pages. Throws where Cairo failed.
    std::size_t end();

  private:
    void footer();

    std::string title_;
    std::size_t in_all_;
    Surface surface_;
    Context context_;
    std::size_t page_ = 1;
    double y_ = margin;
    bool measuring_ = false;
};

}  // namespace fathom::report
