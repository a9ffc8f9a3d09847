import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBroadcastClient, utilityTemplate } from '@majlis/testing/broadcasts';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { create, read, untilCounts, untilIdle, contact, setTier, now } = createBroadcastClient(majlis);
const day = 24 * 3600;

describe('the messaging tier of the number', () => {
  it('bounds the customers of any 24 hours, to the second, over all sends', async () => {
    const workspace = await majlis.workspace();
    await setTier(workspace, 4);
    const inWindow = newDigits();
    await receiveText(majlis, workspace, inWindow);
    const to = `+${newDigits()}`;
    const single = { to, kind: 'template', template: { ...utilityTemplate, params: ['a', 'b'] } };
    assert.equal((await workspace.api.post('/messages', single)).status, 201);
    const others = Array.from({ length: 5 }, newDigits);
    const recipients = [...others, to, inWindow].map((number) => ({ to: number, params: ['a', 'b'] }));
    const { id } = await create(workspace, { recipients });
    // The one of today and the one who wrote take no place.
    await untilCounts(workspace, id, { total: 7, read: 5, queued: 2 });
    await majlis.advance(day - 60);
    await untilIdle();
    assert.equal((await read(workspace, id)).counts.queued, 2);
    assert.equal((await read(workspace, id)).status, 'sending');
    await majlis.advance(61);
    await untilCounts(workspace, id, { read: 7, queued: 0 });
    await eventually(
      () => read(workspace, id),
      ({ status }) => status === 'sent',
    );
  });

  it('of a number that may write to nobody holds all up, until the platform raises it', async () => {
    const workspace = await majlis.workspace();
    await setTier(workspace, 0);
    const { id } = await create(workspace, { recipients: [{ to: newDigits(), params: ['a', 'b'] }] });
    const later = new Date((await now()) + 30_000);
    await eventually(
      () => majlis.sql(`select from jobs where kind = 'broadcasts.send_batch' and run_at > $1`, [later]),
      (rows) => rows.length > 0,
    );
    const { status, counts } = await read(workspace, id);
    assert.deepEqual([status, counts.queued], ['sending', 1]);
    await setTier(workspace, 4);
    await majlis.advance(60);
    await untilCounts(workspace, id, { read: 1 });
  });

  it('is held by two broadcasts of one number that look at the same moment', async () => {
    const workspace = await majlis.workspace();
    const other = await majlis.another();
    await setTier(workspace, 3);
    const send_at = new Date((await now()) + 60_000).toISOString();
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) {
      const recipients = Array.from({ length: 3 }, () => ({ to: newDigits(), params: ['a', 'b'] }));
      ids.push((await create(workspace, { recipients }, { send_at })).id);
    }
    // Whoever has looked at the tier waits here, with the conversations that it makes on this channel.
    await whileHeld(
      majlis,
      `select from channels where phone_number_id = '${workspace.phone_number_id}' for update`,
      async () => {
        await majlis.advance(60);
        await untilWaiting(majlis, 2, ['insert into conversations', 'broadcasts.tier']);
      },
    );
    await untilIdle();
    const messages = await majlis.sql('select from messages where broadcast_id = any ($1)', [
      ids.map((id) => parseId('broadcast', id)),
    ]);
    assert.equal(messages.length, 3);
    await other.stop();
  });

  it('that is reached holds up nobody whose window is open, however many wait before them', async () => {
    const workspace = await majlis.workspace();
    await setTier(workspace, 0);
    const inWindow = newDigits();
    await receiveText(majlis, workspace, inWindow);
    const numbers = [...Array.from({ length: 4_500 }, (_, n) => `9687${1_000_000 + n}`), inWindow, '96871999999'];
    const { id } = await create(workspace, { recipients: numbers.map((to) => ({ to, params: ['a', 'b'] })) });
    await untilCounts(workspace, id, { read: 1, queued: 4_501 });
  });

  it('counts who was written to and erased, for their 24 hours', async () => {
    const workspace = await majlis.workspace();
    await setTier(workspace, 2);
    const [gone, stays, next] = [newDigits(), newDigits(), newDigits()];
    const contact_id = await contact(workspace, gone);
    const first = await create(workspace, { recipients: [gone, stays].map((to) => ({ to, params: ['a', 'b'] })) });
    await untilCounts(workspace, first.id, { read: 2 });
    assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    const { id } = await create(workspace, { recipients: [{ to: next, params: ['a', 'b'] }] });
    await untilIdle();
    await majlis.advance(day - 120);
    await untilIdle();
    assert.deepEqual((await read(workspace, id)).counts.queued, 1);
    await majlis.advance(180);
    await untilCounts(workspace, id, { read: 1 });
  });

  it('counts a message of which nobody knows whether it was sent, though it is failed by then', async () => {
    const workspace = await majlis.workspace();
    await setTier(workspace, 1);
    const first = await create(workspace, { recipients: [{ to: newDigits(), params: ['a', 'b'] }] });
    await untilCounts(workspace, first.id, { read: 1 });
    const failed = `update messages set status = 'failed', outcome_unknown = true where broadcast_id = $1`;
    await majlis.sql(failed, [parseId('broadcast', first.id)]);
    const { id } = await create(workspace, { recipients: [{ to: newDigits(), params: ['a', 'b'] }] });
    await untilIdle();
    await majlis.advance(120);
    await untilIdle();
    assert.equal((await read(workspace, id)).counts.queued, 1);
    await majlis.advance(day);
    await untilCounts(workspace, id, { read: 1 });
  });
});
