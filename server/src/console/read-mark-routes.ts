import { consoleOperations, mostMarks } from '@majlis/console-api';
import { parseId } from '../database/ids.ts';
import { invalid } from '../http/reply/refusal.ts';
import { listReadMarks, markUnread, setReadMark } from '../inbox/read-marks.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function readMarkRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.listReadMarks, async ({ caller, query }) => {
    const named = [...new Set(query.conversation_ids.split(','))];
    if (named.length > mostMarks) {
      throw invalid({ detail: `must not have more than ${mostMarks} ids`, pointer: '/conversation_ids' });
    }
    const ids = named.flatMap((text) => parseId('conversation', text) ?? []);
    return { status: 200, body: { data: await listReadMarks(pool, caller, ids) } };
  });

  serve(consoleOperations.setReadMark, async ({ caller, params, body }) => {
    const { conversation_id } = params;
    const read = { conversation_id, message_id: body.last_read_message_id };
    return { status: 200, body: await transactionOf(caller, pool, (tx) => setReadMark(tx, clock, caller, read)) };
  });

  serve(consoleOperations.markUnread, async ({ caller, params, body }) => {
    const { conversation_id } = params;
    const unread = { conversation_id, message_id: body.first_unread_message_id };
    return { status: 200, body: await transactionOf(caller, pool, (tx) => markUnread(tx, clock, caller, unread)) };
  });
}
