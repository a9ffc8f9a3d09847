import { readText } from './read-json.ts';

// Embeddings, overrides and isolates reorder what stands around them. The plain direction marks of Arabic text stay.
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;
const breaks = /[\p{Cc}\u2028\u2029]+/gu;
// Spaces, marks, format characters, tags and unassigned code points, and the letters and symbols without a shape.
const shapeless = /[\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0\u{13441}\u{13442}\u{1d159}]/gu;

/** Whether a text shows anything to the eye. */
export function isVisible(text: string): boolean {
  return text.replace(shapeless, '') !== '';
}

/**
 * A short text of a stranger, such as a name: on one line, and unable to reorder what stands around it. Undefined for one that shows
 * nothing.
 */
export function readVisible(value: unknown): string | undefined {
  const text = readText(value)?.replace(reordering, '').replace(breaks, ' ').trim();
  return text !== undefined && isVisible(text) ? text : undefined;
}
