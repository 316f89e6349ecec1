// Looks at a laid-out report: what is wrong with it goes into an element "looked" as JSON.
'use strict';
window.addEventListener('load', () => {
  const wrong = [], say = words => { if (wrong.length < 20) wrong.push(words); };
  const name = it => `${it.tagName.toLowerCase()}.${it.getAttribute('class') || ''} "${it.textContent.trim().slice(0, 40)}"`;
  const box = it => it.getBoundingClientRect();
  const shows = it => it.getClientRects().length > 0 && getComputedStyle(it).visibility !== 'hidden';
  const overlap = (a, b, slack) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;

  document.querySelectorAll('details').forEach(it => { it.open = true; });

  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth + 1) say(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);

  // Cut off: what is wider or higher than its box and cannot be scrolled to.
  for (const it of document.querySelectorAll('h1, h2, h3, p, li, dt, dd, .tile, .tile *, .brief *, .verdict, .recorded, figcaption, td, th')) {
    if (!shows(it) || it.closest('svg')) continue;
    if (it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0 && getComputedStyle(it).display !== 'inline' && !it.closest('.scroll'))
      say(`cut off at the right: ${name(it)}`);
    const place = box(it);
    if (place.right > root.clientWidth + 1 && !it.closest('.scroll')) say(`beyond the window: ${name(it)}`);
  }

  // Overlaps: of blocks that stand beside or below each other, and of the words of one drawing.
  for (const parent of document.querySelectorAll('header, .first, .tiles, .tile, .brief li, .two, main, section, .finding, dl div')) {
    const children = Array.from(parent.children).filter(it => shows(it) && getComputedStyle(it).position !== 'absolute');
    children.forEach((it, at) => {
      if (at > 0 && overlap(box(children[at - 1]), box(it), 1.5)) say(`${name(children[at - 1])} overlaps ${name(it)}`);
    });
  }
  for (const drawing of document.querySelectorAll('.drawing > div > svg')) {
    if (!shows(drawing)) continue;
    const texts = Array.from(drawing.querySelectorAll('text')), frame = box(drawing);
    texts.forEach((it, at) => {
      const place = box(it);
      if (place.left < frame.left - 2 || place.right > frame.right + 2 || place.top < frame.top - 2 || place.bottom > frame.bottom + 3)
        say(`outside of its drawing: ${name(it)}`);
      for (const other of texts.slice(at + 1))
        if (overlap(place, box(other), 2.5)) say(`${name(it)} overlaps ${name(other)} in a drawing`);
    });
  }

  // Keyboard: all that can be pressed can be reached, and arrow keys move in drawings.
  for (const it of document.querySelectorAll('a[href], button, summary, [tabindex]')) {
    if (!shows(it)) continue;
    it.focus();
    if (document.activeElement !== it) say(`not reached by keyboard: ${name(it)}`);
  }
  const spots = Array.from(document.querySelectorAll('svg.spots')).find(shows);
  if (spots) {
    spots.focus();
    const before = document.querySelector('.tip').textContent;
    spots.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true, cancelable: true }));
    const tip = document.querySelector('.tip');
    if (tip.hidden || !before) say('arrow keys say nothing in a drawing');
  }

  const style = getComputedStyle(document.body), first = document.querySelector('.first');
  const looked = document.createElement('pre');
  looked.id = 'looked';
  looked.textContent = JSON.stringify({
    wrong, paper: style.backgroundColor, ink: style.color, first_ends: first ? Math.round(box(first).bottom + window.scrollY) : 0,
    links: Array.from(document.querySelectorAll('a[href]'), it => it.getAttribute('href')),
    widest_table: Math.max(0, ...Array.from(document.querySelectorAll('table'), it => Math.round(box(it).width)))
  });
  document.body.append(looked);
});
