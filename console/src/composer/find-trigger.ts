/** What a person is typing that asks for suggestions. */
export interface Trigger {
  type: 'canned' | 'mention';
  /** What follows the sign. */
  prefix: string;
  /** The place of the sign in the text. */
  start: number;
}

const canned = /(?:^|\s)\/([\p{L}\p{M}\p{N}_-]*)$/u;
// As the server finds mentions: no character of an e-mail address stands before the sign.
const mention = /(?:^|[^\p{L}\p{M}\p{N}_+%])[وفلبك]?@([\p{L}\p{M}\p{N}'’_-]*)$/u;

/** The canned reply or the colleague whose name stands before the caret. */
export function findTrigger(before: string, withMentions: boolean): Trigger | undefined {
  const [, name] = canned.exec(before) ?? [];
  if (name !== undefined) return { type: 'canned', prefix: name, start: before.length - name.length - 1 };
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
