import { CannotRun } from '../process/cannot-run.ts';
import { readConfig } from '../process/config.ts';
import { askOperator } from './ask-operator.ts';
import { parseDuration } from './clock.ts';
import { findDoor } from './find-door.ts';

interface RotateOptions {
  endpoint: string;
  overlap: string;
  url?: string;
}

/** `majlis rotate-secret --endpoint whe_… [--overlap 24h]` prints the new secret. */
export async function rotateSecret({ endpoint, overlap, url }: RotateOptions): Promise<void> {
  const overlap_seconds = parseDuration(overlap);
  if (overlap_seconds === undefined) throw new CannotRun('--overlap is not a time such as 24h, 90m or 0s');
  const door = await findDoor(readConfig(process.env, 'rotate-secret'), url);
  const path = `/webhook-endpoints/${encodeURIComponent(endpoint)}/rotate-secret`;
  const { secret, old_secret_until } = (await askOperator(door, 'POST', path, { overlap_seconds })) as {
    secret: string;
    old_secret_until?: string;
  };
  const old = old_secret_until ? `valid until ${old_secret_until} too` : 'no longer valid';
  process.stderr.write(`majlis: the old secret is ${old}. The new one is shown once:\n`);
  process.stdout.write(`${secret}\n`);
}
