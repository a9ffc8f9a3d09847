import type { Option } from '../../parts/choice.tsx';
import { currentLocale } from '../../words/words.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
// Codes that the browser names, and that are no country.
const noCountries = new Set(['EU', 'EZ', 'UN', 'XA', 'XB', 'QO', 'ZZ']);
const languageCodes = ['ar', 'en', 'bn', 'de', 'es', 'fa', 'fr', 'hi', 'ml', 'ru', 'sw', 'tl', 'tr', 'ur', 'zh'];

/** The countries by their names in the language of the console. */
export function countryOptions(stored: string | undefined): Option<string>[] {
  const names = new Intl.DisplayNames(currentLocale(), { type: 'region', fallback: 'none' });
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const known = codes.flatMap((id) => {
    const label = noCountries.has(id) ? undefined : names.of(id);
    return label === undefined ? [] : [{ id, label }];
  });
  return sorted(withStored(known, stored));
}

export function zoneOptions(stored: string | undefined): Option<string>[] {
  const zones = Intl.supportedValuesOf('timeZone').map((id) => ({ id, label: id.replaceAll('_', ' ') }));
  return withStored(zones, stored);
}

export function languageOptions(stored: string | undefined): Option<string>[] {
  const names = new Intl.DisplayNames(currentLocale(), { type: 'language' });
  const known = languageCodes.map((id) => ({ id, label: names.of(id) ?? id }));
  return withStored(known, stored);
}

function withStored(options: Option<string>[], stored: string | undefined): Option<string>[] {
  const isKnown = stored === undefined || options.some(({ id }) => id === stored);
  return isKnown ? options : [{ id: stored, label: stored }, ...options];
}

function sorted(options: Option<string>[]): Option<string>[] {
  const collator = new Intl.Collator(currentLocale());
  return options.sort((a, b) => collator.compare(a.label, b.label));
}
