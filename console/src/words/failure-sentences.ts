import type { FailureCause } from './failures/en.ts';
import { currentLanguage, type Language } from './words.ts';

type Sentences = Record<FailureCause, string>;
const loads: Record<Language, () => Promise<Sentences>> = {
  ar: async () => (await import('./failures/ar.ts')).failures,
  en: async () => (await import('./failures/en.ts')).failures,
};
const loaded = new Map<Language, Promise<Sentences>>();

/** Why messages fail, in the language of the person. One promise for each language: React reads the same one again. */
export function failureSentences(): Promise<Sentences> {
  const language = currentLanguage();
  const known = loaded.get(language);
  if (known) return known;
  const sentences = loads[language]();
  loaded.set(language, sentences);
  return sentences;
}
