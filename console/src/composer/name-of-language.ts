import { currentLocale } from '../words/words.ts';

/** `English (US)` of `en_US`, in the language of the console. */
export function nameOfLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(currentLocale(), { type: 'language' }).of(tag.replace('_', '-')) ?? tag;
  } catch {
    return tag;
  }
}
