const namespace = 'http://www.w3.org/2000/svg';

/** Drawn as SVG: not every machine has a font with pictographs. */
const paths = {
  emoji: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 14.5a4.2 4.2 0 0 0 7 0M9 9.6v.4M15 9.6v.4',
  attach: 'M12 5v14M5 12h14',
  send: 'M4 12 20 4l-5 16-3.5-6.5zM11.5 13.5 20 4',
  pin: 'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c0-4 3-6 7-6s7 2 7 6',
  reply: 'M9 7 4 12l5 5M4 12h9a7 7 0 0 1 7 7',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6v.1M4.5 12v.1M4.5 18v.1',
  open: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  phone: 'M6 4h3l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v3a2 2 0 0 1-2 2A14 14 0 0 1 4 6a2 2 0 0 1 2-2z',
  copy: 'M9 9h10v11H9zM9 15H5V4h10v5',
  check: 'm6 12.5 4 4 8-9',
  cart: 'M4 5h2l2 10h9l2-7H7M10 19.5v.1M16 19.5v.1',
  none: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.6 5.6l12.8 12.8',
  chat: 'M4 5h16v11H11l-5 4v-4H4z',
};

export function icon(name) {
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}
