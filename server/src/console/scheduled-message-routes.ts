import { consoleOperations } from '@majlis/console-api';
import type { Transaction } from '../database/transaction.ts';
import { cancelScheduled, changeScheduled, restoreScheduled } from '../messages/scheduled/change-scheduled.ts';
import { listScheduled, readScheduled } from '../messages/scheduled/list-scheduled.ts';
import { presentScheduled } from '../messages/scheduled/present.ts';
import { findScheduled, type ScheduledRow } from '../messages/scheduled/queries.ts';
import { scheduleMessage } from '../messages/scheduled/schedule-message.ts';
import { sendScheduledNow } from '../messages/scheduled/send-scheduled.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';
import { writeOnce } from './write-once.ts';

export function scheduledMessageRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock, config } = resources;
  const context = { clock, quotas: config.quotas };

  serve(consoleOperations.listScheduledMessages, async ({ caller, params }) => ({
    status: 200,
    body: { data: await listScheduled(pool, caller, params.conversation_id) },
  }));

  serve(consoleOperations.getScheduledMessage, async ({ caller, params }) => ({
    status: 200,
    body: await readScheduled(pool, caller, params),
  }));

  serve(consoleOperations.scheduleMessage, async ({ caller, params: { conversation_id }, body, key }) =>
    writeOnce(resources, { caller, key }, async (tx) => {
      const row = await scheduleMessage(tx, context, caller, { conversation_id, ...body });
      await record(tx, caller, 'scheduleMessage', row, conversation_id);
      return { status: 201, body: await show(tx, row), about: { conversation_id: row.conversation_id } };
    }),
  );

  serve(consoleOperations.changeScheduledMessage, async ({ caller, params, body }) =>
    transactionOf(caller, pool, async (tx) => {
      const row = await changeScheduled(tx, context, caller, params, body);
      await record(tx, caller, 'changeScheduledMessage', row, params.conversation_id);
      return { status: 200, body: await show(tx, row) };
    }),
  );

  serve(consoleOperations.cancelScheduledMessage, async ({ caller, params, body }) =>
    transactionOf(caller, pool, async (tx) => {
      const { row, is_changed } = await cancelScheduled(tx, clock, caller, params, body.version);
      if (is_changed) await record(tx, caller, 'cancelScheduledMessage', row, params.conversation_id);
      return { status: 200, body: await show(tx, row) };
    }),
  );

  serve(consoleOperations.restoreScheduledMessage, async ({ caller, params, body }) =>
    transactionOf(caller, pool, async (tx) => {
      const { row, is_changed } = await restoreScheduled(tx, context, caller, params, body.version);
      if (is_changed) await record(tx, caller, 'restoreScheduledMessage', row, params.conversation_id);
      return { status: 200, body: await show(tx, row) };
    }),
  );

  serve(consoleOperations.sendScheduledMessage, async ({ caller, params, body }) =>
    transactionOf(caller, pool, async (tx) => {
      const { row, is_changed } = await sendScheduledNow(tx, clock, caller, params, body.version);
      if (is_changed) await record(tx, caller, 'sendScheduledMessage', row, params.conversation_id);
      return { status: 200, body: await show(tx, row) };
    }),
  );

  type Action =
    | 'scheduleMessage'
    | 'changeScheduledMessage'
    | 'cancelScheduledMessage'
    | 'restoreScheduledMessage'
    | 'sendScheduledMessage';

  async function record(
    tx: Transaction,
    caller: PersonCaller,
    action: Action,
    row: ScheduledRow,
    conversation_id: string,
  ): Promise<void> {
    const { id: scheduled_message_id, send_at } = await show(tx, row);
    const targets = { conversation_id, scheduled_message_id };
    await recordActs(tx, clock, [toAct(caller, action, targets, { send_at })]);
  }

  /** With its file. */
  async function show(tx: Transaction, row: ScheduledRow) {
    return presentScheduled((await findScheduled(tx, row))!);
  }
}
