import { isOpenable, type SecretBox } from './encrypt.ts';

/** The value sealed with the present key. A value that no key opens stays as it is. */
export function resealOpenable(secretBox: SecretBox, sealed: Buffer, context: string): Buffer {
  return isOpenable(secretBox, sealed) ? secretBox.seal(secretBox.open(sealed, context), context) : sealed;
}
