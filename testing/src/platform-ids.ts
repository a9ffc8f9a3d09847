import { eventually } from './eventually.ts';
import { newDigits, readMessage, sendText } from './messages.ts';
import { hearFrom } from './notices.ts';
import type { Majlis, Workspace } from './start-majlis.ts';

/** A message that the platform took. */
export interface Sent {
  id: string;
  wamid: string;
}

/** Sends texts to as many customers as `conversations` says, and waits until the platform took them all. */
export async function sendMany(
  majlis: Majlis,
  workspace: Workspace,
  count: number,
  conversations = 20,
): Promise<Sent[]> {
  const customers = Array.from({ length: Math.min(count, conversations) }, () =>
    hearFrom(majlis, workspace, newDigits()),
  );
  const places = await Promise.all(customers);
  const ids = await Promise.all(
    Array.from({ length: count }, (_, n) => sendText(workspace, places[n % places.length]!)),
  );
  await eventually(
    () => majlis.sql(`select from messages where direction = 'outbound' and platform_message_id is null`),
    (rows) => rows.length === 0,
  );
  return Promise.all(ids.map(async (id) => ({ id, wamid: (await readMessage(majlis, id)).platform_message_id! })));
}
