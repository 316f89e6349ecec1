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
    const axis = overlay.dataset, began = Number(figure.dataset.began);
    let left, right, start, length;
    if (axis.end) {  // a plot says where its axis is
      [left, right, start, length] = [Number(axis.left), Number(axis.right), began + Number(axis.begin), axis.end - axis.begin];
    } else {
      const columns = axis.columns ? axis.columns.split('|').length : 0, last = rects[rects.length - 1];
      left = columns ? Number(axis.from) : Number(rects[0].getAttribute('x'));
      right = columns ? left + columns * Number(axis.step) : Number(last.getAttribute('x')) + Number(last.getAttribute('width'));
      start = began + Math.max(Number(figure.dataset.first), 0);
      length = (columns || rects.length) * Number(figure.dataset.slice);
    }
    const xOf = event => {
      const matrix = overlay.getScreenCTM();
      return Math.max(left, Math.min(right, (event.clientX - matrix.e) / matrix.a));
    };
    const timeOf = x => start + (x - left) / (right - left) * length;
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
  const ids = ['running_jobs', 'running'];
  const sections = page => ids.map(id => page.getElementById(id)).filter(section => section);
  if (seconds && sections(document).length) {
    const address = location.pathname === '/running' ? location.href : '/running';
    const again = async () => {
      if (!document.hidden) {
        try {
          const answer = await fetch(address);
          if (answer.ok) {
            const fresh = sections(new DOMParser().parseFromString(await answer.text(), 'text/html'));
            const old = sections(document), focus = document.activeElement;
            const link = old.some(one => one.contains(focus)) ? focus.getAttribute('href') : null;
            if (fresh.length && old.length) {
              old[0].before(...fresh);
              old.forEach(one => one.remove());
              if (link) Array.from(document.links).find(one => one.getAttribute('href') === link)?.focus();
            }
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
