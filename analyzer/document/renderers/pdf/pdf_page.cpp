// Page breaks, footers and bookmarks.
#include "analyzer/document/renderers/pdf/pdf_page.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include "analyzer/document/printable.h"

namespace fathom::report {

Pages::Pages(std::string& to, std::string_view title, std::size_t in_all)
    : title_(printable(title)),
      in_all_(in_all),
      surface_(pdf_surface(to, page_width, page_height)),
      context_(cairo_create(surface_.get()))
{
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE, title_.c_str());
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_CREATOR, "Fathom");
}

void Pages::need(double height)
{
    if (!measuring_ && !fits(height) && y_ > margin) next_page();
}

void Pages::next_page()
{
    footer();
    cairo_show_page(context_.get());
    ++page_;
    y_ = margin;
}

double Pages::height_of(const std::function<void()>& draw)
{
    const double from = y_;
    const bool within = measuring_;
    measuring_ = true;
    cairo_save(context_.get());
    cairo_rectangle(context_.get(), 0, 0, 0, 0);
    cairo_clip(context_.get());
    draw();
    cairo_restore(context_.get());
    measuring_ = within;
    const double height = y_ - from;
    y_ = from;
    return height;
}

void Pages::rule(const Colour& colour)
{
    set_colour(context_.get(), colour);
    cairo_set_line_width(context_.get(), 0.5);
    cairo_move_to(context_.get(), margin, y_);
    cairo_line_to(context_.get(), page_width - margin, y_);
    cairo_stroke(context_.get());
}

void Pages::bookmark(std::string_view title)
{
    const std::string place = fmt::format("page={} pos=[{:.0f} {:.0f}]", page_, margin, y_);
    cairo_pdf_surface_add_outline(surface_.get(), CAIRO_PDF_OUTLINE_ROOT, printable(title).c_str(),
                                  place.c_str(), CAIRO_PDF_OUTLINE_FLAG_OPEN);
}

void Pages::footer()
{
    constexpr Font font{7.5};
    constexpr double at = page_height - 40;
    const Words number(context_.get(), in_all_ == 0 ? "" : fmt::format("page {} of {}", page_, in_all_),
                       font);
    number.draw(page_width - margin - number.width(), at, on_white.muted);
    const Words title(context_.get(), fit_path(context_.get(), title_, font, content_width - 90), font);
    title.draw(margin, at, on_white.muted);
}

std::size_t Pages::end()
{
    footer();
    cairo_show_page(context_.get());
    finish(context_.get(), surface_.get());
    return page_;
}

}  // namespace fathom::report
