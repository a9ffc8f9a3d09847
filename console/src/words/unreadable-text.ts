import { isWord, t } from './words.ts';

// The platform says so where it does not tell the type.
const untold = new Set(['unsupported', 'unknown', 'unnamed']);

/** The words for a message whose content cannot be shown, by its type at the platform. */
export function unreadableText(type: string): string {
  if (untold.has(type)) return t('inbox.unreadable');
  const word = `inbox.type_${type.split('_', 1)[0]}`;
  return t('inbox.unreadable_type', { type: isWord(word) ? t(word) : type.replaceAll('_', ' ') });
}
