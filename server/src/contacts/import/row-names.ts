import type { ImportRow } from '@majlis/console-api';
import { compactPhone, normalizePhone } from '../normalize-phone.ts';

// Longer texts name nobody, and an index takes none of any length.
const longestName = 320;
const mostNames = 20;
// The id of a customer whose number the platform hides.
const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

/**
 * The numbers and addresses in a row, as an erasure of their contact searches for them: digits, and addresses in lower case. Cells
 * count too, because a row may be left out before anybody reads a contact in it.
 */
export function namesOfRow({ cells }: Pick<ImportRow, 'cells'>, country: string | null): string[] {
  const names = new Set<string>();
  for (const cell of cells) {
    if (names.size >= mostNames) break;
    if (cell.length > longestName) continue;
    const text = cell.trim().replace(/^(?:="|')|"$/g, '');
    if (text.includes('@') || userId.test(text)) names.add(text.toLowerCase());
    const compact = compactPhone(text);
    if (!/^\+?\d{4,20}$/.test(compact)) continue;
    names.add((normalizePhone(compact, country ?? undefined) ?? compact).replace('+', ''));
  }
  return [...names];
}
