import { invalid } from './reply/refusal.ts';

// The blank of Braille is a symbol to Unicode.
const visible = /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The text without spaces at its ends; refused where people would see nothing of it. */
export function requireText(text: string, pointer: string): string {
  if (!visible.test(text)) throw invalid({ detail: 'must not be empty', pointer });
  return text.trim();
}
