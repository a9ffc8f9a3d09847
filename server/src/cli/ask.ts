import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from './failure.ts';
import { printable } from './printable.ts';

/** Asks before a command that nothing undoes. Without a terminal, `--yes` has to say it. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new Failure('usage', `${question} Nobody can be asked here: confirm with --yes.`);
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await reader.question(`${printable(question)} [y/N] `).finally(() => reader.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('failed', 'Nothing was done.');
}

/** Reads a secret from the terminal without showing it, or the first line of stdin. */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split('\n')[0]!.trim();
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Only now does the terminal show nothing of what is typed.
  process.stderr.write(question);
  const ended = new Promise<never>((_, reject) =>
    reader.once('SIGINT', () => reject(new Failure('failed', 'Nothing was done.'))),
  );
  try {
    return (await Promise.race([reader.question(''), ended])).trim();
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}
