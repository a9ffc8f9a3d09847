import { isolated } from './isolated.ts';

/** The lines of a text one after the other. Each keeps its own direction, and reorders no other one. */
export function onOneLine(text: string): string {
  const [first = '', ...others] = text.split(/\s*\n\s*/);
  return [first, ...others.filter(Boolean).map(isolated)].join(' ');
}
