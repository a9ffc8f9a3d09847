import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBroadcastClient, marketingTemplate } from '@majlis/testing/broadcasts';
import { eventually } from '@majlis/testing/eventually';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

// The product's own, which the insert of all recipients exceeds.
const statement_timeout_ms = 5_000;
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' }, timeouts: { statement_timeout_ms } });
const { create, read, setTier } = createBroadcastClient(majlis);
const contacts = 6_000;

/** Contacts with this tag, by number; none has opted in to marketing. */
async function fill({ id }: TestWorkspace, tag: string): Promise<void> {
  await majlis.sql(
    `with people as (select gen_random_uuid() as id, n from generate_series(1, ${contacts}) as n), made as (
       insert into contacts (workspace_id, id, tags, created_at) select $1, id, array[$2], now() from people
     )
     insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
     select $1, 'chatapp', '+9687' || (1000000 + n), id, now() from people`,
    [parseId('workspace', id), tag],
  );
}

it('an audience that takes longer than a statement may is settled all the same, each contact once', async () => {
  const workspace = await majlis.workspace();
  await setTier(workspace, 0);
  await fill(workspace, 'vip');
  // A millisecond for each recipient, as on a host that is busy with other things: more than 5 s for all of them.
  await majlis.sql(`
    create function wait_a_little() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.001); return new; end $$;
    create trigger slow before insert on broadcast_recipients for each row execute function wait_a_little()`);
  const { id } = await create(workspace, { tags: ['vip'] }, { template: marketingTemplate });
  const { counts } = await eventually(
    () => read(workspace, id),
    ({ status }) => status === 'sending',
    60_000,
  );
  assert.deepEqual([counts.total, counts.queued], [contacts, contacts]);
  const [places] = await majlis.sql(
    `select count(distinct position)::int as positions, count(distinct identifier)::int as numbers
     from broadcast_recipients where broadcast_id = $1`,
    [parseId('broadcast', id)],
  );
  assert.deepEqual(places, { positions: contacts, numbers: contacts });
});
