/** What a person is typing that asks for suggestions. */
export interface Trigger {
  type: 'canned' | 'mention' | 'emoji';
  /** What follows the sign. */
  prefix: string;
  /** The place of the sign in the text. */
  start: number;
}

const canned = /(?:^|\s)\/([\p{L}\p{M}\p{N}_-]*)$/u;
// As the server finds mentions: no character of an e-mail address stands before the sign.
const mention = /(?:^|[^\p{L}\p{M}\p{N}_+%])[وفلبك]?@([\p{L}\p{M}\p{N}'’_-]*)$/u;

// Neither a time nor a pair of a name and a value, and not the start of a sign such as `:D`.
const emoji = /(?:^|[\s(]):([\p{L}\p{M}_-]{2,})$/u;

/** The canned reply, the emoji or the colleague whose name stands before the caret. */
export function findTrigger(before: string, withMentions: boolean): Trigger | undefined {
  const [, name] = canned.exec(before) ?? [];
  if (name !== undefined) return { type: 'canned', prefix: name, start: before.length - name.length - 1 };
  const [, sign] = emoji.exec(before) ?? [];
  if (sign !== undefined) return { type: 'emoji', prefix: sign, start: before.length - sign.length - 1 };
  const [, person] = (withMentions && mention.exec(before)) || [];
  if (person !== undefined) return { type: 'mention', prefix: person, start: before.length - person.length - 1 };
  return undefined;
}

const marks = /[\u064B-\u065F\u0670\u0640\p{M}]/gu;

/** Folds case, marks and the spellings of Arabic letters, for a search in a short list. */
export function foldForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .toLocaleLowerCase()
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .trim();
}
