import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * Numbers reserved for documentation: North America's area code 555, from which the platform takes its test numbers
 * (+15550002222), and Ofcom's mobile range for drama. The metadata call them possible, but not valid.
 */
const reservedForExamples = /^\+(?:1555\d{7}|447700900\d{3})$/;

/** Spaces, direction marks, joiners and other characters without a shape, of numbers that people copy from a chat or a page. */
const invisible = /[\s\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/gu;
const punctuation = /[-‐‑‒–—―−－.·/()[\]（）]/g;

/**
 * E.164 of a phone number as people write it, or undefined. A number without a country code is read as one of `country`
 * (ISO 3166-1 alpha-2), the workspace's.
 *
 * The full metadata decide: the length alone would accept +973 1234 5678, which does not exist (hazard H87). Letters and
 * extensions are refused: no message goes to an extension. The platform's own numbers (`wa_id`) are taken as they are.
 */
export function normalizePhone(text: string, country: string | undefined): string | undefined {
  if (text.length > 64) return undefined;
  const compact = compactPhone(text);
  if (!/^\+?\d{4,20}$/.test(compact)) return undefined;
  const region = country?.toUpperCase() ?? '';
  const number = parsePhoneNumberFromString(compact, isSupportedCountry(region) ? { defaultCountry: region } : {});
  if (!number) return undefined;
  return number.isValid() || reservedForExamples.test(number.number) ? number.number : undefined;
}

/** A number without spaces and punctuation; a leading 00 becomes a plus. */
export function compactPhone(text: string): string {
  return westernDigits(text)
    .replaceAll(invisible, '')
    .replaceAll(punctuation, '')
    .replace(/^(?:＋|00)/, '+');
}

/** The digits of an E.164 number, as the platform writes it. */
export function phoneDigits(e164: string): string {
  return e164.slice(1);
}

/** Arabic-Indic, Persian and full-width digits. */
function westernDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹０-９]/g, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = code >= 0xff10 ? 0xff10 : code >= 0x6f0 ? 0x6f0 : 0x660;
    return String(code - zero);
  });
}
