import { foldText } from '../../database/fold-text.ts';

const word = /[\p{L}\p{N}\p{M}]+/gu;
// PostgreSQL has English stop words without greetings and thanks, and no Arabic ones. These are folded.
const stopWords = new Set(
  `في من على الى عن مع هذا هذه ذلك تلك الذي التي الذين ما ماذا متى كيف اين هل لا لم لن ان انه انها او ثم قد كان كانت يكون تكون هو هي هم انا نحن
   انت انتم كل بعض عند عندكم عندنا لدي لدينا لديكم لكم لنا لي له لها يا اي ايش شو وش كم ليش حتى اذا بعد قبل غير بين و ف ب ل
   مرحبا اهلا هلا السلام عليكم وعليكم صباح مساء الخير النور شكرا عفوا لو سمحت سمحتم فضلك فضلكم رجاء الرجاء
   hello hi hey dear greetings thanks thank thx please pls ok okay`
    .split(/\s+/)
    .filter(Boolean),
);

/** The folded words of a text without stop words, separated by spaces. */
export function searchWords(text: string): string {
  const words = foldText(text).match(word) ?? [];
  return words.filter((one) => one.length <= 64 && !stopWords.has(one)).join(' ');
}
