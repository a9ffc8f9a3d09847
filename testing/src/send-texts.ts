import { eventually } from './eventually.ts';
import { newDigits, readStoredMessage, sendText } from './messages.ts';
import { receiveText } from './notifications.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** A message that the platform took. */
export interface SentText {
  id: string;
  wamid: string;
}

/** Sends texts to as many customers as `conversations` says, and waits until the platform took them all. */
export async function sendTexts(
  majlis: TestService,
  workspace: TestWorkspace,
  count: number,
  conversations = 20,
): Promise<SentText[]> {
  const customers = Array.from({ length: Math.min(count, conversations) }, () =>
    receiveText(majlis, workspace, newDigits()),
  );
  const places = await Promise.all(customers);
  const ids = await Promise.all(
    Array.from({ length: count }, (_, n) => sendText(workspace, places[n % places.length]!)),
  );
  await eventually(
    () => majlis.sql(`select from messages where direction = 'outbound' and platform_message_id is null`),
    (rows) => rows.length === 0,
  );
  return Promise.all(
    ids.map(async (id) => ({ id, wamid: (await readStoredMessage(majlis, id)).platform_message_id! })),
  );
}
