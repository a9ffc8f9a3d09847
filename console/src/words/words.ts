import { i18n } from '@lingui/core';
import { createStore } from '../live/create-store.ts';
import type { WordId } from './word-id.ts';

export type Language = 'ar' | 'en';
export const languages: readonly Language[] = ['ar', 'en'];
type Catalogue = Record<Language, () => Promise<Record<string, string>>>;
export const languageNames: Record<Language, string> = { ar: 'العربية', en: 'English' };

/** A person reads one language, so a view loads one alone. Every view has the words of the pages outside a workspace. */
const catalogues = {
  ar: async () => (await import('./ar/entrance.ts')).entrance,
  en: async () => (await import('./en/entrance.ts')).entrance,
} satisfies Catalogue;

/** Latin digits in both languages, as phone numbers and ids have them. */
const locales: Record<Language, string> = { ar: 'ar-u-nu-latn', en: 'en' };

/** Words that not every view needs, each group with the pages that need it. */
const furtherCatalogues = {
  frame: {
    ar: async () => (await import('./ar/frame.ts')).frame,
    en: async () => (await import('./en/frame.ts')).frame,
  },
  later: {
    ar: async () => (await import('./ar/later.ts')).later,
    en: async () => (await import('./en/later.ts')).later,
  },
  proposals: {
    ar: async () => (await import('./ar/proposals.ts')).proposals,
    en: async () => (await import('./en/proposals.ts')).proposals,
  },
  keys: {
    ar: async () => (await import('./ar/keys.ts')).keys,
    en: async () => (await import('./en/keys.ts')).keys,
  },
  person: {
    ar: async () => (await import('./ar/person.ts')).person,
    en: async () => (await import('./en/person.ts')).person,
  },
  tools: {
    ar: async () => (await import('./ar/tools.ts')).tools,
    en: async () => (await import('./en/tools.ts')).tools,
  },
  desk: {
    ar: async () => (await import('./ar/desk.ts')).desk,
    en: async () => (await import('./en/desk.ts')).desk,
  },
} satisfies Record<string, Catalogue>;
type Further = keyof typeof furtherCatalogues;
const loaded = new Set<Further>();

/** The language of the words. What is shown follows it, by `useStore`: the compiler keeps what a bare call answers. */
export const languageStore = createStore<Language | undefined>(undefined);

export async function setLanguage(language: Language): Promise<void> {
  if (language !== languageStore.get()) {
    const further = [...loaded].map((group) => furtherCatalogues[group][language]());
    const all = await Promise.all<Record<string, string>>([catalogues[language](), ...further]);
    i18n.loadAndActivate({ locale: language, messages: Object.assign({}, ...all) });
  }
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
  if (language !== languageStore.get()) languageStore.set(language);
}

/** Adds the words of a group. */
export async function loadWords(group: Further): Promise<void> {
  loaded.add(group);
  const language = languageStore.get();
  // Before the first language is chosen, its choice loads all groups that were asked for.
  if (language) i18n.load(language, await furtherCatalogues[group][language]());
}

export function currentLanguage(): Language {
  return i18n.locale as Language;
}

export function currentLocale(): string {
  return locales[currentLanguage()];
}

/** The language of the person, or of the browser. */
export function chooseLanguage(chosen?: string): Language {
  if (chosen === 'ar' || chosen === 'en') return chosen;
  return navigator.language.startsWith('ar') ? 'ar' : 'en';
}

export function isWord(id: string): id is WordId {
  return id in i18n.messages;
}

export function t(id: WordId, values?: Record<string, string | number>): string {
  return i18n._(id, values);
}

export const withTime: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };

/** `14:05`, `12 Mar`, or `12 Mar 2025`, by the distance from today, which has the form of `toDateString`. */
export function shortTime(iso: string, today: string): string {
  const time = new Date(iso);
  const day = time.toDateString();
  const isToday = day === today;
  const isThisYear = day.slice(-4) === today.slice(-4);
  const parts: Intl.DateTimeFormatOptions = isToday
    ? withTime
    : { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) };
  return dateFormat(parts).format(time);
}

const fullParts: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric', ...withTime };

export function fullTime(iso: string): string {
  return dateFormat(fullParts).format(new Date(iso));
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** A format in the language of the person. It is made once: making one takes longer than all of a row. */
export function dateFormat(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = currentLocale() + JSON.stringify(parts);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(currentLocale(), parts);
  dateFormats.set(key, format);
  return format;
}

/** `password, passkeys and sessions` */
export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(names);
}
