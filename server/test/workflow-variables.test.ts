import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { outboundTexts, publishWorkflows, startRun, untilRun, untilRunEnded } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

it('values of variables are texts and nothing more, in messages and in params of templates', async () => {
  const workspace = await majlis.workspace();
  const ids = await publishWorkflows(majlis, workspace, {
    name: 'Echo',
    trigger: 'api_call',
    steps: [
      { do: 'ask', name: 'first', text: '{{trigger.variables.a}}|{{contact.name}}', within: '1h' },
      { do: 'send_message', text: '{{steps.first.answer}}|{{trigger.variables.b}}' },
      {
        ...{ do: 'send_template', template: 'order_update', language: 'en' },
        params: ['{{trigger.variables.a}}', '{{steps.first.answer}}'],
      },
    ],
  });
  const piece = fc.constantFrom('{{contact.id}}', '{{1}}', '{{2}}', '{{', '}}', '{{steps.first.answer}}', ' x ', '$1');
  const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('-'));
  await fc.assert(
    fc.asyncProperty(text, text, text, async (a, b, answer) => {
      const digits = newDigits();
      const conversation_id = await receiveText(majlis, workspace, digits);
      const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
      const run = await startRun(workspace, ids.get('Echo')!, contact, { a, b });
      await untilRun(majlis, workspace, run, ({ steps }) => steps.length > 0);
      await receiveText(majlis, workspace, digits, answer);
      assert.equal((await untilRunEnded(majlis, workspace, run)).status, 'completed');
      assert.deepEqual(await outboundTexts(majlis, conversation_id), [
        `${a}|Muna`,
        `${answer}|${b}`,
        `Hello ${a}, your order ${answer} has left.`,
      ]);
    }),
    { numRuns: 15 },
  );
});
