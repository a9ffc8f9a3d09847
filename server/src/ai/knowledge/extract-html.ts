import { convert } from 'html-to-text';
import { Parser } from 'htmlparser2';
import { countDepth } from './count-depth.ts';
import { formatRows } from './format-rows.ts';

const skipped = [
  'nav',
  'footer',
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'form',
  'button',
  'iframe',
  'img',
  'head',
];
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** The visible text of a page, without menus, forms, scripts and link addresses. Throws UnreadableSource. */
export function extractHtml(html: string): string {
  const depth = countDepth();
  new Parser({ onopentagname: depth.open, onclosetag: depth.close }).end(html);
  // Each beginning of a title reads a bounded number of letters: without the bounds, many of them take quadratic time.
  const title = /<title[^<>]{0,200}>([^<]{0,500})/i.exec(html)?.[1] ?? '';
  const text = convert(html, {
    wordwrap: false,
    selectors: [
      ...skipped.map((selector) => ({ selector, format: 'skip' })),
      ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'table', format: 'rows' },
    ],
    formatters: { rows: formatRows },
    limits: { maxInputLength: 10_000_000, maxDepth: 200 },
  });
  return title.trim() === '' ? text : `${convert(title, { wordwrap: false })}\n\n${text}`;
}
