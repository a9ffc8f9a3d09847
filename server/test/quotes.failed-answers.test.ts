import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { sendText, untilStatus } from '@majlis/testing/messages';
import { platformStatus, postNotification } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';

// The free time of 72 hours begins with the business's first answer to a customer of an advertisement (platform protocol, section 11).
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off' },
  simulator: { delays: { sent_ms: 1, delivered_ms: 2, read_ms: null, review_ms: 10 } },
});
const workspace = await majlis.workspace({ prices: { utility: 8 } });
const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });

it('an answer that failed begins no free time, but the next one within the day does', async () => {
  // The platform reports of the one that all failed, and of the other that all were sent.
  const [failing, answered] = ['15558131026', '15558700011'] as const;
  const referral = { source_type: 'ad', source_id: '1', source_url: 'https://ads.example/1' };
  const came = { phone_number_id: workspace.phone_number_id, type: 'text', content: 'Hi', referral } as const;
  for (const from of [failing, answered]) majlis.simulator.inject({ ...came, from });
  await eventually(
    async () => (await workspace.api.get('/conversations')).body.data,
    ({ length }) => length === 2,
  );

  const conversationOf = async (digits: string) => {
    const { body } = await workspace.api.get('/conversations');
    return body.data.find((one: { contact_handle: string }) => one.contact_handle === `+${digits}`).id as string;
  };
  const answer = async (digits: string, status: string) => {
    const id = await sendText(workspace, await conversationOf(digits));
    return { id, wamid: (await untilStatus(majlis, id, status)).platform_message_id! };
  };
  const quote = async (digits: string) => {
    const { body } = await agent.at('POST', '/quote', { to: `+${digits}`, template: templateMessage.template });
    return [body.total_minor, body.in_free_time];
  };

  await answer(failing, 'failed');
  assert.deepEqual(await quote(failing), [0, 1], 'an answer still begins the free time');
  const first = await answer(answered, 'sent');
  await postNotification(majlis, workspace, { statuses: [platformStatus(first.wamid, 'failed')] });
  await untilStatus(majlis, first.id, 'failed');
  await majlis.advance(10 * 3600);
  await answer(answered, 'sent');
  await majlis.advance(15 * 3600);
  assert.deepEqual(await quote(failing), [8, 0], 'nothing answered within the day');
  await majlis.advance(55 * 3600);
  assert.deepEqual(await quote(answered), [0, 1], 'the second answer began the free time');
  await majlis.advance(3 * 3600);
  assert.deepEqual(await quote(answered), [8, 0]);
});
