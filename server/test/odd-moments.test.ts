import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { publishWorkflows, startRun, untilRun } from '@majlis/testing/workflows';

// A moment may have the form of one, and yet be none that can be stored or compared.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const unusable = ['2016-12-31T23:59:60Z', '2030-01-01T00:00:00Z[Asia/Muscat]', '9999-12-31T23:59:59-01:00'];

const beforeAll = ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00+23:00'];

it('a search of messages refuses a moment that JavaScript does not read, and names it', async () => {
  for (const moment of unusable.slice(0, 2)) {
    for (const name of ['since', 'until']) {
      const { status, body } = await owner.at('GET', `/message-search?q=hello&${name}=${encodeURIComponent(moment)}`);
      assert.deepEqual([moment, status, body.errors?.[0].pointer], [moment, 422, `/${name}`]);
    }
  }
});

it('a snooze that is taken back refuses such a moment, and names it', async () => {
  const id = await receiveText(majlis, workspace, newDigits());
  for (const snoozed_until of [...unusable, ...beforeAll]) {
    const restored = { expected: {}, restored: { snoozed_until } };
    const { status, body } = await owner.at('POST', `/conversations/${id}/restore`, restored);
    assert.deepEqual(
      [snoozed_until, status, body.errors?.[0].pointer],
      [snoozed_until, 422, '/restored/snoozed_until'],
    );
  }
});

it('a run that waits for what is no moment with its zone fails, and says so', async () => {
  const steps = [{ do: 'wait', until: '{{trigger.variables.until}}' }];
  const ids = await publishWorkflows(majlis, workspace, { name: 'Reminder', trigger: 'api_call', steps });
  const firstStep = async (until: string) => {
    const contact = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
    const run = await startRun(workspace, ids.get('Reminder')!, contact, { until });
    return (await untilRun(majlis, workspace, run, (one) => one.steps.length > 0)).steps[0];
  };
  // A year looks like a zone, and JavaScript reads February 30 as a day of March.
  const none = ['11-30-2030', '1 Z', '09:00', '2030-11-30T09:00', '2030-02-30T09:00:00Z'];
  for (const until of [...unusable, ...beforeAll, ...none]) {
    const { outcome, reason } = await firstStep(until);
    assert.deepEqual([until, outcome], [until, 'failed']);
    assert.match(reason, /^until is not a moment/);
  }
  for (const until of ['2030-11-30T09:00:00+04:00', '2030-11-30 09:00 +0400', 'Sat, 30 Nov 2030 09:00:00 +0400']) {
    assert.equal((await firstStep(until)).outcome, 'waits', until);
  }
});
