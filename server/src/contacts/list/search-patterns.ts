import { foldText } from '../../database/fold-text.ts';
import { compactPhone, normalizePhone } from '../normalize-phone.ts';

/**
 * The texts of which a contact must hold one: `q` folded and, where it may be a phone number or a part of one, its digits
 * without what stands between them, without the zeros of a local or international form, and in E.164. None where `q`
 * folds to nothing.
 */
export function searchPatterns(q: string, country: string | undefined): string[] {
  const text = foldText(q).trim();
  if (text === '') return [];
  const [, digits] = /^\+?(\d+)$/.exec(compactPhone(q)) ?? [];
  const significant = digits?.replace(/^0+/, '') ?? '';
  // Fewer digits would find almost everybody.
  if (digits === undefined || significant.length < 3) return [text];
  const whole = normalizePhone(q, country);
  // What holds `digits` holds `significant` too.
  const patterns = [...new Set([text, significant, ...(whole ? [whole] : [])])];
  return patterns.filter((pattern) => !patterns.some((other) => other !== pattern && pattern.includes(other)));
}
