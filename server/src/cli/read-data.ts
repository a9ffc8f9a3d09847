import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Failure } from './failure.ts';

/** Reads the value of `--data`: JSON, `@FILE`, or `-` for stdin. */
export async function readData(given: string): Promise<unknown> {
  const source = given === '-' ? 'stdin' : given.startsWith('@') ? given.slice(1) : '--data';
  const content = given === '-' ? await text(process.stdin) : given.startsWith('@') ? await readText(source) : given;
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Failure('usage', `${source} is no JSON: ${(error as Error).message}`);
  }
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(file, error);
  });
}

export function cannotRead(file: string, error: NodeJS.ErrnoException): Failure {
  return new Failure(
    'usage',
    `${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
  );
}
