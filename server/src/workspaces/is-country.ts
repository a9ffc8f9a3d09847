import { isSupportedCountry } from 'libphonenumber-js/max';

// Territories without telephone numbers of their own.
const withoutNumbers = new Set(['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM']);

/** Whether this is the code of a country (ISO 3166-1 alpha-2), in capitals. Common mistakes such as UK are none. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code) || withoutNumbers.has(code);
}
