import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { countPages } from '@majlis/testing/count-pages';
import { fillHistory } from '@majlis/testing/fill-history';
import { openTestPool } from '@majlis/testing/open-test-pool';
import type { Connection } from '../database/pool.ts';
import { adoptPlatformIds, setStatuses } from './queries.ts';

const pool = await openTestPool({ statement_timeout_ms: 60_000 });
const workspace_id = '01900000-0000-7000-8000-000000000001';

describe('a platform id is looked up by its own index, in a workspace that grew since all of them were small', () => {
  let id: string;
  before(async () => {
    await pool.pg.query(fillHistory({ workspaces: 15_000, contacts: 1 }));
    await pool.pg.query('analyze');
    await pool.pg.query(`insert into workspaces (id, name, created_at) values ('${workspace_id}', 'large', now())`);
    await pool.pg.query(
      `insert into channels (workspace_id, id, type, waba_id, phone_number_id, access_token, app_secret,
         app_secret_fingerprint, verify_token, verify_token_fingerprint, created_at)
       values ('${workspace_id}', '${workspace_id}', 'chatapp', 'large', 'large', '', '', '', '', '', now())`,
    );
    await pool.pg.query(fillHistory({ workspaces: 1, contacts: 20_000 }, workspace_id));
    const { rows } = await pool.pg.query(
      `update messages set platform_message_id = null, status = 'queued' where (workspace_id, id) =
         (select workspace_id, id from messages where workspace_id = '${workspace_id}' and direction = 'outbound' limit 1)
       returning id`,
    );
    id = rows[0].id;
  });

  const statements: Record<string, (connection: Connection) => Promise<void>> = {
    'the answer of a send': (on) => adoptPlatformIds(on, [{ workspace_id, id, platform_message_id: 'wamid.answered' }]),
    'a status with the id': (on) =>
      setStatuses(on, [
        {
          workspace_id,
          id,
          status: 'sent',
          error: null,
          outcome_unknown: false,
          pricing: null,
          adopted_id: 'wamid.told',
        },
      ]),
  };
  for (const [name, run] of Object.entries(statements)) {
    it(name, async () => {
      const pages = await countPages(pool, run);
      assert.ok(pages < 250, `${pages} pages`);
    });
  }
});
