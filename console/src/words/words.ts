import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { ar } from './ar.ts';
import { en, type WordId } from './en.ts';

export type Language = 'ar' | 'en';
export const languages: readonly Language[] = ['ar', 'en'];
export const languageNames: Record<Language, string> = { ar: 'العربية', en: 'English' };

i18n.setMessagesCompiler(compileMessage);
i18n.load({ en, ar });

/** Latin digits in both languages, as phone numbers and ids have them. */
const locales: Record<Language, string> = { ar: 'ar-u-nu-latn', en: 'en' };

export function setLanguage(language: Language): void {
  i18n.activate(language);
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
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

export function t(id: WordId, values?: Record<string, string | number>): string {
  return i18n._(id, values);
}

/** `14:05`, `12 Mar`, or `12 Mar 2025`, by the distance from now. */
export function shortTime(iso: string, now: number): string {
  const time = new Date(iso);
  const today = new Date(now);
  const isToday = time.toDateString() === today.toDateString();
  const isThisYear = time.getFullYear() === today.getFullYear();
  const parts: Intl.DateTimeFormatOptions = isToday
    ? { hour: 'numeric', minute: '2-digit' }
    : { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) };
  return new Intl.DateTimeFormat(currentLocale(), parts).format(time);
}

export function fullTime(iso: string): string {
  const parts: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' };
  return new Intl.DateTimeFormat(currentLocale(), { ...parts, hour: 'numeric', minute: '2-digit' }).format(
    new Date(iso),
  );
}
