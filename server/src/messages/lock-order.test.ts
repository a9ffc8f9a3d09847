import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { untilWaiting } from '@majlis/testing/until-waiting';
import type pg from 'pg';
import { learnIdentities } from '../contacts/write/learn-identities.ts';
import { touchContacts } from '../contacts/write/touch-contacts.ts';
import { system } from '../conversations/change/record-changes.ts';
import { touchByBusiness, touchByCustomer } from '../conversations/touch-conversations.ts';
import type { Connection } from '../database/pool.ts';
import { runOn } from '../database/run-on.ts';
import type { Clock } from '../process/clock.ts';
import { adoptPlatformIds, insertMessages, type NewMessage } from './queries.ts';
import { advanceStatuses } from './receive/advance-statuses.ts';

const pool = await openTestPool({ size: 6 });

const at = new Date('2026-11-20T10:00:00.000Z');
const clock = { now: () => at, nowMs: () => at.getTime() } as Clock;
const workspace_id = '00000000-0000-4000-8000-000000000000';
const channel_id = workspace_id;
/** Ids that sort as they are written: `low` comes before `high`. */
const low = '11111111-0000-4000-8000-000000000000';
const high = '99999999-0000-4000-8000-000000000000';
const sql = (text: string, values: unknown[] = []) => pool.query({ text, values });

before(async () => {
  await sql(`insert into workspaces (id, name, created_at) values ($1, 'Acme', $2)`, [workspace_id, at]);
  await sql(
    `insert into channels (workspace_id, id, type, waba_id, phone_number_id, access_token, app_secret, app_secret_fingerprint,
       verify_token, verify_token_fingerprint, created_at) values ($1, $1, 'chatapp', '1', '1', '', '', '', '', '', $2)`,
    [workspace_id, at],
  );
  for (const id of [low, high]) {
    await sql('insert into contacts (workspace_id, id, created_at) values ($1, $2, $3)', [workspace_id, id, at]);
    await sql(
      `insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
       values ($1, 'chatapp', $2, $3, $4)`,
      [workspace_id, id, id, at],
    );
    await sql(
      `insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, last_message_at, created_at)
       values ($1, $2, $2, $1, 'chatapp', $3, $3)`,
      [workspace_id, id, at],
    );
    await insertMessages(pool, [message(id)]);
  }
});

function message(id: string, platform_message_id?: string): NewMessage {
  return {
    ...{ workspace_id, id, conversation_id: low, channel_id, direction: 'outbound', kind: 'text', body: null },
    ...{ reply_to_id: null, actor_kind: null, actor_id: null, status: 'queued', recipient: null, content: null },
    ...(platform_message_id && { platform_message_id }),
    created_at: at,
  };
}

async function lend<Result>(work: (client: pg.PoolClient, connection: Connection) => Promise<Result>): Promise<Result> {
  const client = await pool.pg.connect();
  await client.query('begin');
  try {
    return await work(client, { log: pool.log, query: (query) => runOn(client, query) });
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/**
 * While someone holds the low row, `work` on both must wait for that before it takes the high one: then two batches, in
 * whatever order they name their rows, cannot each hold what the other waits for.
 */
async function assertTakesLowFirst(
  hold: (connection: Connection) => Promise<unknown>,
  work: (connection: Connection) => Promise<unknown>,
  takeHigh: (connection: Connection) => Promise<unknown>,
): Promise<void> {
  await lend(async (holder, held) => {
    await hold(held);
    const working = lend((_, connection) => work(connection));
    await untilWaiting({ sql });
    await lend(async (client, free) => {
      await client.query(`set local lock_timeout = '2s'`);
      await takeHigh(free);
    });
    await holder.query('rollback');
    await working;
  });
}

const lock = (table: string, id: string) => (connection: Connection) =>
  connection.query({
    text: `select from ${table} where ${table === 'contact_identities' ? 'contact_id' : 'id'} = $1 for update`,
    values: [id],
  });

describe('rows are locked in one order, whatever the order of the batch', () => {
  const rows: [string, string, (connection: Connection) => Promise<unknown>][] = [
    [
      'messages that get the platform’s id',
      'messages',
      (connection) =>
        adoptPlatformIds(
          connection,
          [high, low].map((id) => ({ workspace_id, id, platform_message_id: id })),
        ),
    ],
    [
      'identities of which something was learned',
      'contact_identities',
      (connection) => {
        const learned = [high, low].map((identifier) => ({
          workspace_id,
          channel_type: 'chatapp',
          identifier,
          wa_id: identifier,
        }));
        return learnIdentities(connection, learned);
      },
    ],
    [
      'contacts that were active',
      'contacts',
      (connection) =>
        touchContacts(
          connection,
          [high, low].map((id) => ({ workspace_id, id, at })),
        ),
    ],
    [
      'conversations in which a customer wrote',
      'conversations',
      (connection) => {
        const times = { at, written_at: at, window_expires_at: null, entry_answerable_until: null, identifier: '' };
        const activities = [high, low].map((id) => ({ workspace_id, conversation_id: id, message_id: id, ...times }));
        return touchByCustomer({ ...connection, announce() {}, pipeline() {} }, clock, activities);
      },
    ],
    [
      'conversations in which the business wrote',
      'conversations',
      (connection) => {
        const activities = [high, low].map((id) => {
          return {
            workspace_id,
            conversation_id: id,
            message_id: id,
            at,
            reopens: true,
            is_reply: true,
            actor: system,
          };
        });
        return touchByBusiness({ ...connection, announce() {}, pipeline() {} }, clock, activities);
      },
    ],
  ];
  for (const [name, table, work] of rows) {
    it(name, () => assertTakesLowFirst(lock(table, low), work, lock(table, high)));
  }

  it('messages that are new, by the platform’s id', () =>
    assertTakesLowFirst(
      (connection) => insertMessages(connection, [message('22222222-0000-4000-8000-000000000000', 'a')]),
      (connection) =>
        insertMessages(connection, [
          message('33333333-0000-4000-8000-000000000000', 'b'),
          message('44444444-0000-4000-8000-000000000000', 'a'),
        ]),
      (connection) => insertMessages(connection, [message('55555555-0000-4000-8000-000000000000', 'b')]),
    ));
});

it('a status that brings the platform’s id waits for nobody who erases the conversation', async () => {
  await lend(async (_, erasing) => {
    await lock('conversations', low)(erasing);
    await lend(async (client, connection) => {
      await client.query(`set local lock_timeout = '2s'`);
      const tx = { ...connection, announce() {}, pipeline() {} };
      const report = {
        workspace_id,
        channel_id,
        message_id: low,
        platform_message_id: 'wamid.1',
        status: 'sent',
      } as const;
      await advanceStatuses(tx, clock, [report]);
      const { rows } = await client.query('select status, platform_message_id from messages where id = $1', [low]);
      assert.deepEqual(rows, [{ status: 'sent', platform_message_id: 'wamid.1' }]);
    });
  });
});
