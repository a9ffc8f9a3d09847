import { isWord, t } from '../../words/words.ts';

/** Why a row is left out, in words. */
export function faultText(reason: string): string {
  const id = `import.fault_${reason}`;
  return t(isWord(id) ? id : 'import.fault_unprocessable_content');
}
