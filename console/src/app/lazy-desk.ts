import { type ComponentType, lazy } from 'react';
import { loadDeskWords } from '../words/words.ts';

/** A page for administrators, loaded with its words when it is opened. */
export function lazyDesk<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [page] = await Promise.all([load(), loadDeskWords()]);
    return { default: page };
  });
}
