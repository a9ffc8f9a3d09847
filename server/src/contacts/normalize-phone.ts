import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * Numbers that no customer has, because they are kept for documentation: North America's area code 555, from which the
 * platform gives its test numbers and takes its examples (+15550002222), and Ofcom's mobile range for drama. By the
 * metadata they are possible, but not valid.
 */
const kept_for_examples = /^\+(?:1555\d{7}|447700900\d{3})$/;

/** Spaces, direction marks and joiners that come along when a number is copied from a chat or a page. */
const invisible = /[\s\p{Cf}]/gu;
const punctuation = /[-‐‑‒–—―−－.·/()[\]（）]/g;

/**
 * E.164 of a phone number as people write it, or undefined. A number without a country code, like the contract's local
 * 8-digit number, takes the workspace's `country` (ISO 3166-1 alpha-2), and must be one that this country has.
 *
 * Valid means valid in the full metadata: the length alone would let +973 1234 5678 pass (hazard H87), which nobody has.
 * Letters and extensions are refused: no message goes to an extension. What the platform itself reports (`wa_id`) is not
 * for this function: its numbers are taken as they come.
 */
export function normalizePhone(text: string, country: string | undefined): string | undefined {
  if (text.length > 64) return undefined;
  const compact = compactPhone(text);
  if (!/^\+?\d{4,20}$/.test(compact)) return undefined;
  const region = country?.toUpperCase() ?? '';
  const number = parsePhoneNumberFromString(compact, isSupportedCountry(region) ? { defaultCountry: region } : {});
  if (!number) return undefined;
  return number.isValid() || kept_for_examples.test(number.number) ? number.number : undefined;
}

/** A number without what people put between its digits; 00 is a plus. */
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
