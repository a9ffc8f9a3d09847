import { scripts } from '@majlis/simulator';
import { parseId } from '../../server/src/database/ids.ts';
import { eventually } from './eventually.ts';
import type { RunningService, TestWorkspace } from './start-test-service.ts';

/** A message as it is stored. */
export interface StoredMessage {
  status: string;
  error: string | null;
  outcome_unknown: boolean;
  platform_message_id: string | null;
}

/** Sends a text in a conversation; answers the message's public id. */
export async function sendText(
  { api }: Pick<TestWorkspace, 'api'>,
  conversation_id: string,
  body = 'Hello',
): Promise<string> {
  const reply = await api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body });
  if (reply.status !== 201) throw new Error(`the send was answered ${reply.status}: ${reply.text}`);
  return reply.body.id;
}

export async function readStoredMessage(majlis: RunningService, public_id: string): Promise<StoredMessage> {
  const [row] = await majlis.sql<StoredMessage & { id: string }>(
    'select status, error, outcome_unknown, platform_message_id from messages where id = $1',
    [parseId('message', public_id)],
  );
  return row!;
}

/** Waits until `holds` is true for the stored message. */
export function untilMessage(
  majlis: RunningService,
  public_id: string,
  holds: (message: StoredMessage) => boolean,
): Promise<StoredMessage> {
  return eventually(() => readStoredMessage(majlis, public_id), holds);
}

export function untilStatus(majlis: RunningService, public_id: string, status: string): Promise<StoredMessage> {
  return untilMessage(majlis, public_id, (message) => message.status === status);
}

/** The statuses in the message's events, in order. */
export async function statusEventsOf(majlis: RunningService, public_id: string): Promise<string[]> {
  const rows = await majlis.sql<{ status: string }>(
    `select payload::json -> 'data' -> 'message' ->> 'status' as status from events
     where type = 'message.status_updated' and payload::json -> 'data' -> 'message' ->> 'id' = $1 order by created_at`,
    [public_id],
  );
  return rows.map((row) => row.status);
}

/** Waits until no send is waiting or under way. */
export async function untilDispatched(majlis: RunningService): Promise<void> {
  await eventually(
    () => majlis.sql(`select id from jobs where kind = 'messages.deliver_message'`),
    (rows) => rows.length === 0,
  );
}

const withFailures = new Set(scripts.map(({ suffix }) => suffix));
let lastNumber = 1_000_000 + (process.pid % 1000) * 1000;

/** The digits of a new mobile number of Oman without a scripted failure of the simulator. */
export function newDigits(): string {
  do lastNumber += 1;
  while (withFailures.has(String(lastNumber).slice(-6)));
  return `9689${lastNumber}`;
}
