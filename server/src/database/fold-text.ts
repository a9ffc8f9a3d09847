const alefs = /[\u0622\u0623\u0625\u0671]/g;
// Tatweel, vowel signs, accents, direction marks and joiners.
const marks = /\u0640|\p{Mn}|\p{Cf}/gu;
// A run of combining marks beyond the 30 of Unicode's stream-safe text (UAX #15, section 13). The four letters decompose to marks.
const surplusMarks = /(?<=[\p{M}\u0e33\u0eb3\uff9e\uff9f]{30})[\p{M}\u0e33\u0eb3\uff9e\uff9f]+/gu;

/**
 * Folds a text for searches. Removes case, accents, Arabic vowel signs and tatweel. Unifies the forms of alef, teh marbuta,
 * alef maksura, the carriers of hamza, the kaf and yeh of Persian keyboards, and the scripts of digits. NFKC and NFKD resolve
 * presentation forms.
 */
export function foldText(text: string): string {
  return compose(text)
    .replace(alefs, '\u0627')
    .replaceAll('\u0629', '\u0647')
    .replace(/[\u0649\u06cc]/g, '\u064a')
    .replaceAll('\u06a9', '\u0643')
    .replaceAll('\u0624', '\u0648')
    .replaceAll('\u0626', '\u064a')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase();
}

/** NFKC in linear time (hazard H109): sorting a run of marks is quadratic, so marks beyond the 30th of a run are dropped. */
export function compose(text: string): string {
  return text.replace(surplusMarks, '').normalize('NFKC');
}
