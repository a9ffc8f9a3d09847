import { foldForSearch } from '../find-trigger.ts';

/** An emoji, its name, and what it is found by: the folded name first, then other words. */
export type Emoji = readonly [emoji: string, name: string, ...found_by: string[]];

/** A file of the Unicode CLDR: for each sign its name (`tts`) and words (`default`). */
export interface Annotations {
  annotations: { annotations: Record<string, { default?: string[]; tts?: string[] }> };
}

const emoji = /^\p{RGI_Emoji}$/v;
/** Signs that are drawn as text unless a selector follows them, such as ❤. */
const selector = '\uFE0F';

/** The emoji among the signs of a file, each as platforms draw it in colour. */
export function listEmoji({ annotations: { annotations } }: Annotations): Emoji[] {
  return Object.entries(annotations).flatMap(
    ([sign, { default: words = [], tts: [name] = [] as string[] }]): Emoji[] => {
      const drawn = [sign, sign + selector].find((one) => emoji.test(one));
      if (!drawn || name === undefined) return [];
      return [[drawn, name, ...new Set([name, ...words].map(foldForSearch))]];
    },
  );
}
