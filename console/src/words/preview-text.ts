import { onOneLine } from './on-one-line.ts';
import { readableAnswers } from './readable-answer.ts';
import { isWord, t } from './words.ts';

/** What a message says where one line has room: its text, or the word for its kind. */
export function previewText({ kind, body }: { kind: string; body?: string | undefined }): string {
  const word = `inbox.kind_${kind}`;
  if (body) return onOneLine(kind === 'interactive' ? readableAnswers(body) : body);
  return isWord(word) ? t(word) : '';
}
