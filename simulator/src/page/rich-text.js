import { el } from './element.js';

const marks = { '*': 'strong', _: 'em', '~': 's', '`': 'code' };
const pattern = /(https?:\/\/[^\s<>"']+)|(?<![\p{L}\p{N}])([*_~`])(?=\S)(.+?)(?<=\S)\2(?![\p{L}\p{N}])/gu;

/** The platform's light markup (*bold*, _italic_, ~struck~, `code`) and links, as nodes. */
export function richText(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) nodes.push(text.slice(end, match.index));
    const [whole, url, mark, inner] = match;
    if (url) nodes.push(el('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url));
    else nodes.push(el(marks[mark], {}, ...(mark === '`' ? [inner] : richText(inner))));
    end = match.index + whole.length;
  }
  if (end < text.length) nodes.push(text.slice(end));
  return nodes;
}

/** A paragraph whose lines set their own direction. */
export function paragraph(className, text) {
  return el('p', { class: className, dir: 'auto' }, ...richText(String(text ?? '')));
}
