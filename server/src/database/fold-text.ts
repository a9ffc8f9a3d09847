const alefs = /[\u0622\u0623\u0625\u0671]/g;
// Tatweel, vowel signs, accents, direction marks and joiners.
const marks = /\u0640|\p{Mn}|\p{Cf}/gu;

/**
 * Folds a text for searches. Removes case, accents, Arabic vowel signs and tatweel. Unifies the forms of alef, teh marbuta,
 * alef maksura, the carriers of hamza, the kaf and yeh of Persian keyboards, and the scripts of digits. NFKC and NFKD resolve
 * presentation forms.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
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
