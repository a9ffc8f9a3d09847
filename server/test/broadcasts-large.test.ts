import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBroadcastClient, marketingTemplate } from '@majlis/testing/broadcasts';
import { eventually } from '@majlis/testing/eventually';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
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
  // What takes a millisecond for each recipient, as on a busy host, takes more than the 5 s of a statement for all of them.
  await majlis.sql(`
    create function time_out() returns trigger language plpgsql as $$ begin
      if (select count(*) from added) > ${contacts / 2} then raise 'a statement timed out' using errcode = '57014'; end if;
      return null;
    end $$;
    create trigger slow after insert on broadcast_recipients referencing new table as added
    for each statement execute function time_out()`);
  const { id } = await create(workspace, { tags: ['vip'] }, { template: marketingTemplate });
  const { counts } = await eventually(
    () => read(workspace, id),
    ({ status }) => status === 'sending',
  );
  assert.deepEqual([counts.total, counts.queued], [contacts, contacts]);
  const [places] = await majlis.sql(
    `select count(distinct position)::int as positions, count(distinct identifier)::int as numbers
     from broadcast_recipients where broadcast_id = $1`,
    [parseId('broadcast', id)],
  );
  assert.deepEqual(places, { positions: contacts, numbers: contacts });
});
