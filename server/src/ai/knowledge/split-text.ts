const longest = 900;

/**
 * A text in passages that can be found, quoted and given to a model each by itself: whole paragraphs where they fit, then whole
 * sentences, then words.
 */
export function splitText(text: string): string[] {
  const passages: string[] = [];
  let passage = '';
  const close = () => {
    if (passage.trim() !== '') passages.push(passage.trim());
    passage = '';
  };
  for (const paragraph of tidy(text).split(/\n{2,}/)) {
    if (passage.length + paragraph.length + 2 > longest) close();
    for (const piece of paragraph.length > longest ? piecesOf(paragraph) : [paragraph]) {
      if (passage.length + piece.length + 1 > longest) close();
      passage += (passage === '' ? '' : piece === paragraph ? '\n\n' : ' ') + piece;
    }
  }
  close();
  return passages;
}

/** Sentences, for quoting: with the mark that ends each. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?؟۔。])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

function piecesOf(paragraph: string): string[] {
  return sentencesOf(paragraph).flatMap((sentence) => {
    if (sentence.length <= longest) return [sentence];
    const pieces: string[] = [];
    let piece = '';
    for (const word of sentence.split(' ').flatMap((one) => one.match(/[\s\S]{1,800}/gu) ?? [])) {
      if (piece.length + word.length + 1 > longest) {
        pieces.push(piece);
        piece = '';
      }
      piece += (piece === '' ? '' : ' ') + word;
    }
    return [...pieces, piece];
  });
}

/** What PostgreSQL cannot store and what says nothing is left out. */
function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[[\p{Cc}\p{Cf}]--[\n\t\u200c\u200d]]/gv, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
