import { invalid } from '../../http/reply/refusal.ts';
import { requireText } from '../../http/require-text.ts';

const longest = 100;

/** The name that a person gives to a passkey. */
export function readName(name: string): string {
  const shown = requireText(name, '/name');
  if (shown.length > longest) throw invalid({ detail: `may have ${longest} characters at most`, pointer: '/name' });
  return shown;
}
