import { setTimeout as pause } from 'node:timers/promises';
import { CannotRun } from '../process/cannot-run.ts';
import { readConfig } from '../process/config.ts';
import { askOperator, type OperatorDoor } from './ask-operator.ts';
import { findDoor } from './find-door.ts';

export interface EventsOptions {
  since?: string;
  follow?: boolean;
  workspace?: string;
  types?: string;
  url?: string;
}

interface FeedPage {
  data: unknown[];
  next_cursor: string;
  has_more: boolean;
}

const lookEveryMs = 500;
const tryAgainAfterMs = 2_000;

/**
 * `majlis events --since CURSOR [--follow]` prints one envelope per line. At its end, stderr shows the cursor to continue
 * from. The id of the last event works as a cursor too.
 */
export async function printEvents({ since, follow, workspace, types, url }: EventsOptions): Promise<void> {
  const door = await findDoor(readConfig(process.env, 'events'), url);
  let cursor = since;
  const tell = () => cursor !== undefined && process.stderr.write(`majlis: go on with --since ${cursor}\n`);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      tell();
      process.exit(0);
    });
  }
  for (;;) {
    const page = await readPage(door, cursor, { workspace, types }).catch((error) => {
      // With --follow, the command waits for a service that was reachable before.
      if (!follow || cursor === since || !isAway(error)) throw error;
    });
    if (!page) {
      await pause(tryAgainAfterMs);
      continue;
    }
    for (const event of page.data) process.stdout.write(`${JSON.stringify(event)}\n`);
    cursor = page.next_cursor;
    if (page.has_more) continue;
    if (!follow) return void tell();
    await pause(lookEveryMs);
  }
}

function isAway(error: unknown): boolean {
  return error instanceof CannotRun && error.cause !== undefined;
}

async function readPage(
  door: OperatorDoor,
  since: string | undefined,
  { workspace, types }: { workspace: string | undefined; types: string | undefined },
): Promise<FeedPage> {
  const query = new URLSearchParams({
    limit: '1000',
    ...(since !== undefined && { since }),
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(types !== undefined && { types }),
  });
  return (await askOperator(door, 'GET', `/events?${query}`)) as FeedPage;
}
