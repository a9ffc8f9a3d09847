import { createHash } from 'node:crypto';

/** Differs where the values differ: the version that a person's change names, so that nobody overwrites what they did not see. */
export function digestOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 16);
}
