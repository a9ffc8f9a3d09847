import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Unique secrets by name. */
export type Canaries = Record<string, string>;

export const canary = (name: string) => `canary${name}${randomBytes(12).toString('hex')}`;

/** The encodings in which a secret could leak. */
export function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  return [value, bytes.toString('base64').replaceAll('=', ''), bytes.toString('base64url'), bytes.toString('hex')];
}

export function findIn(canaries: Canaries, text: string): string[] {
  const isIn = (value: string) => spellings(value).some((spelling) => text.includes(spelling));
  return Object.entries(canaries).flatMap(([name, value]) => (isIn(value) ? [name] : []));
}

export async function filesIn(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return Promise.all(files.map(async (file): Promise<[string, string]> => [file, await readFile(file, 'latin1')]));
}
