// The script of this site's pages: a stretch of time chosen by dragging, and what runs now looked at again.
// All shows without it.
#pragma once

#include <string_view>

namespace fathom::serve {

inline constexpr std::string_view page_script = R"js(
'use strict';
(function () {
  // Dragging over a chart of times shows that stretch of time alone.
  function zoomable(figure) {
    const overlay = figure.querySelector('svg.spots');
    if (!overlay || !document.querySelector('form.span')) return;
    const rects = Array.from(overlay.querySelectorAll('rect')).filter(rect => !rect.classList.contains('mark'));
    const columns = overlay.dataset.columns ? overlay.dataset.columns.split('|').length : 0;
    const began = Number(figure.dataset.began), first = Number(figure.dataset.first), slice = Number(figure.dataset.slice);
    const last = rects[rects.length - 1];
    const left = columns ? Number(overlay.dataset.from) : Number(rects[0].getAttribute('x'));
    const right = columns ? left + columns * Number(overlay.dataset.step)
                          : Number(last.getAttribute('x')) + Number(last.getAttribute('width'));
    const slices = columns || rects.length, start = began + Math.max(first, 0);
    const xOf = event => {
      const matrix = overlay.getScreenCTM();
      return Math.max(left, Math.min(right, (event.clientX - matrix.e) / matrix.a));
    };
    const timeOf = x => start + (x - left) / (right - left) * slices * slice;
    const band = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    band.setAttribute('class', 'band');
    overlay.append(band);
    let from = null;
    const draw = x => {
      band.setAttribute('x', Math.min(from, x));
      band.setAttribute('width', Math.abs(x - from));
      band.setAttribute('y', 0);
      band.setAttribute('height', overlay.viewBox.baseVal.height);
    };
    overlay.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      from = xOf(event);
      overlay.setPointerCapture(event.pointerId);
    });
    overlay.addEventListener('pointermove', event => { if (from !== null) draw(xOf(event)); });
    overlay.addEventListener('pointerup', event => {
      if (from === null) return;
      const to = xOf(event), begin = from;
      from = null;
      band.setAttribute('width', 0);
      if (Math.abs(to - begin) < 4) return;
      const address = new URL(location.href);
      address.searchParams.set('since', '@' + Math.floor(timeOf(Math.min(begin, to))));
      address.searchParams.set('until', '@' + Math.ceil(timeOf(Math.max(begin, to))));
      location.assign(address);
    });
    overlay.addEventListener('pointercancel', () => { from = null; band.setAttribute('width', 0); });
  }
  document.querySelectorAll('figure[data-began]').forEach(zoomable);

  // Fields without a value stay out of the address.
  document.querySelectorAll('form').forEach(form => form.addEventListener('submit', () => {
    for (const field of form.elements) if (field.name && field.value === '') field.disabled = true;
  }));

  const seconds = Number(document.body.querySelector('[data-refresh]')?.dataset.refresh || 0);
  const section = document.getElementById('running');
  if (seconds && section) {
    const again = async () => {
      if (!document.hidden) {
        try {
          const answer = await fetch('/running');
          if (answer.ok) {
            const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('running');
            if (fresh) section.replaceChildren(...fresh.childNodes);
          }
        } catch { /* the next one may come through */ }
      }
      setTimeout(again, seconds * 1000);
    };
    setTimeout(again, seconds * 1000);
  }
})();
)js";

}  // namespace fathom::serve
