const alefs = /[\u0622\u0623\u0625\u0671]/g;
// Tatweel; everything that is written above, below or between letters and is no letter: vowel signs, accents, direction
// marks, joiners.
const marks = /\u0640|\p{Mn}|\p{Cf}/gu;

/**
 * Text as it is searched: case, accents, Arabic vowel signs and tatweel make no difference, nor do the forms of alef,
 * teh marbuta, alef maksura and the carriers of hamza, nor kaf and yeh of a Persian keyboard, nor the digits' script.
 * Presentation forms are resolved by NFKD.
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
