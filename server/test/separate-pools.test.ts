import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';

const flooded = await startTestService({ env: { DATABASE_POOL_SIZE: '4' } });
// Has no worker: what it accepts is work for the other.
const door = await flooded.another({ ROLES: 'api' });
const workspaces = [await flooded.workspace(), await flooded.workspace()];
const { api } = await door.workspace();

it('dispatch goes on in a process whose requests hang on all its connections', async () => {
  // Nothing that is sent looks at these.
  const flood = await whileHeld(flooded, 'lock table custom_fields in access exclusive mode', async () => {
    let answered = 0;
    const requests = workspaces.flatMap((workspace) =>
      [1, 2].map(() => workspace.api.get('/custom-fields').finally(() => answered++)),
    );
    await untilWaiting(flooded, 3, 'from custom_fields');
    const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
    const { status, body } = await api.post('/messages', { to: `+${newDigits()}`, kind: 'template', template });
    assert.equal(status, 201);
    await eventually(
      () => api.get(`/messages/${body.id}`),
      (reply) => reply.body.status !== 'queued',
    );
    assert.equal(answered, 0, 'the requests still hang');
    return requests;
  });
  for (const reply of await Promise.all(flood)) assert.equal(reply.status, 200);
});
