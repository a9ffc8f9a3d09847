import { CannotRun } from '../process/cannot-run.ts';
import { readConfig } from '../process/config.ts';
import { askOperator } from './ask-operator.ts';
import { findDoor } from './find-door.ts';

export interface ReplayOptions {
  event?: string;
  endpoint?: string;
  workspace?: string;
  from?: string;
  to?: string;
  undelivered?: boolean;
  url?: string;
}

/** `majlis replay --endpoint whe_…` */
export async function replay({ event, endpoint, workspace, from, to, undelivered, url }: ReplayOptions): Promise<void> {
  if (!event && !endpoint && !workspace) throw new CannotRun('name what to replay: --event, --endpoint or --workspace');
  const body = {
    event_id: event,
    endpoint_id: endpoint,
    workspace_id: workspace,
    from: momentOf('--from', from),
    to: momentOf('--to', to),
    undelivered,
  };
  const door = await findDoor(readConfig(process.env, 'replay'), url);
  // The replay of a month of a busy workspace takes minutes.
  const { replayed } = (await askOperator(door, 'POST', '/replays', body, {}, 600_000)) as { replayed: number };
  process.stdout.write(`${replayed} ${replayed === 1 ? 'delivery' : 'deliveries'} begun anew\n`);
}

/** Converts any spelling of a moment into ISO 8601. */
function momentOf(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new CannotRun(`${option} is not a moment such as 2026-11-20T10:00:00Z`);
  return moment.toISOString();
}
