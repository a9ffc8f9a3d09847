import { readText } from './read-json.ts';

// Embeddings, overrides, isolates and the deprecated controls reorder or reshape what stands around them. The plain direction marks
// inside Arabic text stay.
const reordering = /[\u202a-\u202e\u2066-\u206f]/g;
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const breaks = /[\p{Cc}\u2028\u2029]+/gu;
// Letters and symbols that look like a space.
const blanks = /[\u2800\u3164\uffa0]/g;
// Tags are invisible letters, other than in the flag of a region.
const tags = /(\u{1f3f4}[\u{e0020}-\u{e007f}]+)|[\u{e0000}-\u{e007f}]+/gu;
// Spaces, marks, format characters, tags and unassigned code points, and the letters and symbols without a shape.
const shapeless = '\\p{C}\\p{Z}\\p{M}\\u115f\\u1160\\u2800\\u3164\\uffa0\\u{13441}\\u{13442}\\u{1d159}';
const shape = new RegExp(`[^${shapeless}]`, 'u');
// A joiner behind an Arabic letter gives it its form. Marks and the tags of a flag belong to the character in front of them.
const fromFirstToLastShape = new RegExp(
  `[^${shapeless}](?:.*[^${shapeless}])?(?:[\\p{M}\\u{e0020}-\\u{e007f}]|(?<=\\p{Script=Arabic})\\u200d)*`,
  'su',
);

/** Whether a text shows anything to the eye. */
export function isVisible(text: string): boolean {
  return shape.test(text);
}

/**
 * A short text of a stranger, such as a name: on one line, from its first visible character to its last, and unable to reorder what
 * stands around it. Undefined for one that shows nothing.
 */
export function readVisible(value: unknown): string | undefined {
  const text = readText(value)?.replace(reordering, '').replace(tags, '$1').replace(breaks, ' ').replace(blanks, ' ');
  return text && fromFirstToLastShape.exec(text)?.[0];
}

/** The same of a text with several lines. Lines that show nothing stay empty between those that show something. */
export function readVisibleLines(value: unknown): string | undefined {
  const lines = readText(value)
    ?.split(lineBreak)
    .map((line) => readVisible(line) ?? '');
  return lines?.join('\n').trim() || undefined;
}
