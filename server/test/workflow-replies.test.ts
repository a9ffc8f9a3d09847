import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { outboundTexts, publishWorkflows, untilRun, untilRunEnded, untilRuns } from '@majlis/testing/workflows';

// Workflows read what stands beside the words of a customer.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

const choice = (type: 'button_reply' | 'list_reply', id: string) => {
  return { type: 'interactive', interactive: { type, [type]: { id, title: 'The same words' } } };
};
const form = (answers: object) => {
  const nfm_reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify({ flow_token: 't', ...answers }) };
  return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } };
};
const referral = { source_type: 'ad', source_id: '120207', headline: 'Eid offer' };

const said: [string, Record<string, unknown>, string][] = [
  ['the button that a customer chose', choice('button_reply', 'keep'), 'keep||'],
  ['the row that a customer chose', choice('list_reply', 'b1'), 'b1||'],
  ['the payload of a button of a template', { type: 'button', button: { text: 'Yes', payload: 'YES:7' } }, 'YES:7||'],
  ['the answers of a form', form({ guests: '4' }), '|4|'],
  ['the advertisement that led to a message', { referral }, '||120207'],
  ['nothing beside plain words', {}, '||'],
];
const asRead = (at: string) => `{{${at}.button_id}}|{{${at}.answers.guests}}|{{${at}.referral.source_id}}`;

for (const [what, members, expected] of said) {
  it(`a workflow reads ${what}, in its trigger and in an answer`, async () => {
    const workspace = await majlis.workspace();
    await publishWorkflows(majlis, workspace, {
      name: 'Reads',
      trigger: 'message_received',
      when: [{ value: '{{trigger.message.is_first}}', equals: true }],
      steps: [
        { do: 'ask', name: 'asked', text: `first ${asRead('trigger.message')}`, within: '1h' },
        { do: 'send_message', text: `then ${asRead('steps.asked')}` },
      ],
    });
    const digits = newDigits();
    const say = () => postNotification(majlis, workspace, { messages: [platformText(digits, 'Hi', members)] });
    await say();
    const [run] = await untilRuns(majlis, workspace, 1);
    const [conversation] = (await workspace.api.get('/conversations')).body.data;

    await untilRun(majlis, workspace, run!.id, ({ steps }) => steps.length > 0);
    await say();
    assert.equal((await untilRunEnded(majlis, workspace, run!.id)).status, 'completed');
    assert.deepEqual(await outboundTexts(majlis, conversation.id), [`first ${expected}`, `then ${expected}`]);
  });
}
