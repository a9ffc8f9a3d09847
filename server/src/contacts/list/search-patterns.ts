import { foldName } from '../../database/search-key.ts';
import { compactPhone, normalizePhone } from '../normalize-phone.ts';
import { withoutCountry } from '../without-country.ts';

/** The number in a link that people copy. */
const linkedNumber = /^(?:tel:|sms:|https?:\/\/wa\.me\/)([^?;]*)/i;

/**
 * The texts that a search looks for; a contact must contain one. They are `q` folded and, where `q` may be a part of a
 * phone number, its digits without punctuation and leading zeros, and its E.164 form. Empty where `q` folds to nothing.
 */
export function searchPatterns(q: string, country: string | undefined): string[] {
  const text = withoutCountry(foldName(q).trim());
  if (text === '') return [];
  const number = linkedNumber.exec(q.trim())?.[1] ?? q;
  const [, digits] = /^\+?(\d+)$/.exec(compactPhone(number)) ?? [];
  const significant = digits?.replace(/^0+/, '') ?? '';
  // Fewer digits would match almost every contact.
  if (digits === undefined || significant.length < 3) return [text];
  const whole = normalizePhone(number, country);
  const patterns = [...new Set([text, significant, ...(whole ? [whole] : [])])];
  return patterns.filter((pattern) => !patterns.some((other) => other !== pattern && pattern.includes(other)));
}
