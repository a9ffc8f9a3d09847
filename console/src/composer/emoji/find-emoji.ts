import { foldForSearch } from '../find-trigger.ts';
import type { Emoji } from './list-emoji.ts';

const names = {
  ar: async () => (await import('./names-ar.ts')).names,
  en: async () => (await import('./names-en.ts')).names,
};

/** The search of emoji in the language of the person. English names are known in every language. */
export async function loadEmoji(language: keyof typeof names): Promise<{ find(text: string, most: number): Emoji[] }> {
  const own: readonly Emoji[] = await names[language]();
  const all = language === 'en' ? own : [...own, ...(await names.en())];
  return { find: (text, most) => findEmoji(all, text, most) };
}

/** The emoji whose name begins with the text, then those with a word of it that does, then those of other words. */
export function findEmoji(all: readonly Emoji[], text: string, most: number): Emoji[] {
  const wanted = foldForSearch(text.replaceAll(/[_-]/g, ' '));
  const ranks: Emoji[][] = [[], [], []];
  const seen = new Set<string>();
  for (const one of all) {
    const rank = rankOf(one, wanted);
    if (rank === undefined || seen.has(one[0])) continue;
    seen.add(one[0]);
    ranks[rank]!.push(one);
  }
  return ranks.flat().slice(0, most);
}

function rankOf([, , name, ...words]: Emoji, wanted: string): number | undefined {
  const hasWord = (text: string) => text.startsWith(wanted) || text.includes(` ${wanted}`);
  if (name!.startsWith(wanted)) return 0;
  if (hasWord(name!)) return 1;
  return words.some(hasWord) ? 2 : undefined;
}
