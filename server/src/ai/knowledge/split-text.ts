const maxPassageChars = 900;

/** Splits a text into passages of at most 900 characters: between paragraphs, else between sentences, else between words. */
export function splitText(text: string): string[] {
  const passages: string[] = [];
  let passage = '';
  const close = () => {
    if (passage.trim() !== '') passages.push(passage.trim());
    passage = '';
  };
  for (const paragraph of cleanText(text).split(/\n{2,}/)) {
    if (passage.length + paragraph.length + 2 > maxPassageChars) close();
    for (const piece of paragraph.length > maxPassageChars ? splitParagraph(paragraph) : [paragraph]) {
      if (passage.length + piece.length + 1 > maxPassageChars) close();
      passage += (passage === '' ? '' : piece === paragraph ? '\n\n' : ' ') + piece;
    }
  }
  close();
  return passages;
}

/** The sentences with their end marks. */
export function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?؟۔。])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

function splitParagraph(paragraph: string): string[] {
  return splitSentences(paragraph).flatMap((sentence) => {
    if (sentence.length <= maxPassageChars) return [sentence];
    const pieces: string[] = [];
    let piece = '';
    for (const word of sentence.split(' ').flatMap((one) => one.match(/[\s\S]{1,800}/gu) ?? [])) {
      if (piece.length + word.length + 1 > maxPassageChars) {
        pieces.push(piece);
        piece = '';
      }
      piece += (piece === '' ? '' : ' ') + word;
    }
    return [...pieces, piece];
  });
}

/** Removes characters that PostgreSQL cannot store, control characters and repeated spaces. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[[\p{Cc}\p{Cf}]--[\n\t\u200c\u200d]]/gv, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
