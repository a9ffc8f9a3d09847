/** A piece of a message's text: as it is, a link to the web or to a mailbox, or a teammate's name in a note. */
export type TextPart =
  | { type: 'text'; text: string }
  | { type: 'link'; text: string; href: string }
  | { type: 'mention'; text: string };

// Marks of direction end an address: inside one they could show another address than the one that opens (danger C3).
const stop = '\\s<>"\'`\\u200B-\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const address = new RegExp(
  `(?<url>\\b(?:https?://|www\\.)[^${stop}]{1,2000})|(?<email>\\b[\\w.+-]{1,64}@[\\w-]+(?:\\.[\\w-]+)+)`,
  'giu',
);
const mention = /(?<![\p{L}\p{M}\p{N}_+%])[وفلبك]?@[\p{L}\p{M}\p{N}\p{Cf}'’_-]+/gu;

/** Finds addresses in a text of anybody. Only addresses of the web and of mailboxes become links (danger C2). */
export function textParts(text: string, { hasMentions = false } = {}): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const found = trimEnd(match[0]);
    const href = match.groups!.email === undefined ? webAddress(found) : `mailto:${found}`;
    if (!href) continue;
    addText(parts, text.slice(end, match.index), hasMentions);
    parts.push({ type: 'link', text: found, href });
    end = match.index + found.length;
  }
  addText(parts, text.slice(end), hasMentions);
  return parts;
}

function addText(parts: TextPart[], text: string, hasMentions: boolean): void {
  let end = 0;
  for (const match of hasMentions ? text.matchAll(mention) : []) {
    if (match.index > end) parts.push({ type: 'text', text: text.slice(end, match.index) });
    parts.push({ type: 'mention', text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ type: 'text', text: text.slice(end) });
}

/** A sentence's punctuation is no part of an address, and neither is a bracket that was opened before it. */
function trimEnd(address: string): string {
  let found = address.replace(/[.,;:!?…،؛؟*_~]+$/u, '');
  for (const [open, close] of ['()', '[]', '{}']) {
    while (found.endsWith(close!) && found.split(close!).length > found.split(open!).length) found = found.slice(0, -1);
  }
  return found;
}

function webAddress(text: string): string | undefined {
  const address = /^www\./i.test(text) ? `https://${text}` : text;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && url.username === '' ? url.href : undefined;
}

/** Longer texts are shown in part at first. */
const most = { characters: 1_500, shown: 900, lines: 24 };

/** The start of a long text, cut between two words and never inside an emoji. Undefined for a short one. */
export function shortened(text: string): string | undefined {
  const lines = text.split('\n');
  if (text.length <= most.characters && lines.length <= most.lines) return undefined;
  const start = lines.slice(0, most.lines).join('\n').slice(0, most.shown);
  const space = start.search(/\s\S*$/);
  if (space > most.shown / 2) return start.slice(0, space);
  const segments = [...new Intl.Segmenter().segment(start.slice(-100))];
  return start.slice(0, -segments.at(-1)!.segment.length);
}

const emoji = /^(?:(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200D|\uFE0F)\s?){1,12}$/u;

/** A message of a few emoji is shown larger. */
export function isEmojiAlone(text: string): boolean {
  return text.length <= 24 && emoji.test(text.trim());
}
