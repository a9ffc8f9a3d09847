import { spawn } from 'node:child_process';
import type { Call, CommonOptions } from './act.ts';
import { Failure } from './failure.ts';
import { openClient } from './open-client.ts';
import { tell } from './print-result.ts';

/** `majlis open`: prints the address of the console or of the reference, and opens it in the browser of a terminal's user. */
export async function openPage({ args: [place = 'console'], options }: Call<CommonOptions>): Promise<void> {
  if (place !== 'console' && place !== 'docs') throw new Failure('usage', 'The place must be console or docs.');
  const { url } = await openClient(options);
  const address = place === 'docs' ? `${url}/docs` : `${url}/`;
  process.stdout.write(`${address}\n`);
  if (!process.stdout.isTTY) return;
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => tell('majlis: No browser can be opened here: open the address yourself.'));
  child.unref();
}
