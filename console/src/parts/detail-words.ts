import { currentLanguage, t } from '../words/words.ts';

/** The service explains in English what is wrong with a member. What it says often has words in both languages. */
export function wordsOfDetail(detail: string): string {
  const [, count] = /^needs (\d+) characters or more/.exec(detail) ?? [];
  if (count !== undefined) return t('field.short', { count: Number(count) });
  if (/^(is required|must not be empty)/.test(detail)) return t('field.missing');
  if (/e-mail address/.test(detail)) return t('field.email');
  if (/https/.test(detail)) return t('field.url');
  // What a page says of its own field is in the language of the console already.
  const isEnglish = !/\p{Script=Arabic}/u.test(detail);
  return isEnglish && currentLanguage() !== 'en' ? t('field.invalid') : detail;
}
