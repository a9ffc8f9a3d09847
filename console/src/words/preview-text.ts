import { onOneLine } from './on-one-line.ts';
import { readableAnswers } from './readable-answer.ts';
import { unreadableText } from './unreadable-text.ts';
import { isWord, t } from './words.ts';

interface Previewed {
  kind: string;
  body?: string | undefined;
  unreadable_type?: string | undefined;
}

/** What a message says where one line has room: its text, or the word for its kind. */
export function previewText({ kind, body, unreadable_type }: Previewed): string {
  const word = `inbox.kind_${kind}`;
  if (unreadable_type !== undefined) return unreadableText(unreadable_type);
  if (body) return onOneLine(kind === 'interactive' ? readableAnswers(body) : body);
  return isWord(word) ? t(word) : '';
}
