import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { within } from '@majlis/testing/cleanup';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import {
  applyMore,
  outboundTexts,
  publishWorkflows,
  readRun,
  startRun,
  untilRunEnded,
  untilWorkflowsIdle,
} from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
let count = 0;

/** Runs a workflow of these steps for a customer who just wrote, to its end. */
async function perform(steps: object[], variables: object = {}): Promise<{ run: AnyJson; conversation_id: string }> {
  const name = `Workflow ${++count}`;
  const ids = await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps });
  const digits = newDigits();
  const conversation_id = await receiveText(majlis, workspace, digits);
  const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
  const run = await untilRunEnded(majlis, workspace, await startRun(workspace, ids.get(name)!, contact, variables));
  return { run, conversation_id };
}

const outcomes = (run: AnyJson): string[] => run.steps.map(({ outcome }: AnyJson) => outcome);

describe('a step that calls an address', () => {
  it('posts what it says, once, and keeps what was answered', async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ order: { state: 'packed', note: '{{contact.name}}' } }));
    });
    const { run, conversation_id } = await perform(
      [
        {
          ...{ do: 'call', name: 'look', url: `${receiver.url}?q={{trigger.variables.q}}` },
          ...{ headers: { 'X-Key': 'k' }, body: { n: '{{trigger.variables.n}}', by: 'for {{contact.name}}' } },
        },
        {
          do: 'send_message',
          text: '{{steps.look.status}} {{steps.look.body.order.state}} {{steps.look.body.order.note}}',
        },
      ],
      { q: 'a b&c=1#/../', n: 7 },
    );
    assert.deepEqual([run.status, outcomes(run)], ['completed', ['answered', 'sent']]);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['200 packed {{contact.name}}']);
    const [arrival] = receiver.arrivals;
    assert.deepEqual([receiver.arrivals.length, arrival!.event], [1, { n: 7, by: 'for Muna' }]);
    assert.equal(arrival!.path, `/events?q=${encodeURIComponent('a b&c=1#/../')}`);
    assert.equal(arrival!.headers['x-key'], 'k');
  });

  it('is led to no other path by what a customer or a variable says', async () => {
    const receiver = await startWebhookReceiver();
    const url = `${receiver.url}/{{trigger.variables.id}}{{trigger.variables.more}}/state?q={{trigger.variables.id}}`;
    const steps = [{ do: 'call', name: 'look', url }];
    for (const variables of [{ id: '..' }, { id: '.' }, { id: '.', more: '.' }]) {
      const { run } = await perform(steps, variables);
      const { outcome, reason } = run.steps[0];
      assert.deepEqual([outcome, reason], ['failed', 'A value leads to another path of the address.']);
    }
    assert.equal(receiver.arrivals.length, 0);
    for (const id of ['A.1', '...', '../..'])
      assert.deepEqual(outcomes((await perform(steps, { id })).run), ['answered']);
    assert.deepEqual(
      receiver.arrivals.map(({ path }) => path),
      ['A.1', '...', '..%2F..'].map((id) => `/events/${id}/state?q=${id}`),
    );
  });

  it('keeps an answer with NUL and half surrogates in its texts and in the names of its members', async () => {
    const receiver = await startWebhookReceiver();
    const answer = String.raw`{"sta\u0000te":"pac\u0000ked","of":[{"\ud800":0},"\udc00 \ud83d\ude00"]}`;
    receiver.answer((_, response) => response.end(answer));
    const steps = [{ do: 'call', name: 'look', url: receiver.url }];
    const text = '{{steps.look.body.state}} {{steps.look.body.of.1}}';
    const { run, conversation_id } = await perform([...steps, { do: 'send_message', text }]);
    assert.equal(run.status, 'completed');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['packed \ufffd \u{1f600}']);
  });

  it('takes the way for errors where the answer is none that helps', async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer(500);
    const call = { do: 'call', name: 'look', url: receiver.url, on_error: [{ do: 'add_note', text: 'No luck' }] };
    const { run } = await perform([call]);
    assert.deepEqual([run.steps[0].reason, outcomes(run)], ['The call was answered 500.', ['failed', 'noted']]);
    await receiver.close();
    const closed = await perform([{ ...call, on_error: 'fail' }]);
    assert.deepEqual([closed.run.status, closed.run.reason], ['failed', 'The call came to no connection.']);
  });

  for (const status of ['paused', 'draft'] as const) {
    it(`does nothing after a call that was open while its workflow became ${status}`, async () => {
      const receiver = await startWebhookReceiver();
      const opened = Promise.withResolvers<() => void>();
      receiver.answer((_, response) => opened.resolve(() => response.end('{}')));
      const name = `Workflow ${++count}`;
      const call = { do: 'call', name: 'look', url: receiver.url };
      const steps = [call, { do: 'set_tag', tag: 'called' }, { do: 'send_message', text: 'Called' }];
      const id = (await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps })).get(name)!;
      const digits = newDigits();
      const conversation_id = await receiveText(majlis, workspace, digits);
      const run = await startRun(workspace, id, { channel_type: 'chatapp', identifier: `+${digits}` });
      const answer = await within(opened.promise, 30_000, 'the call');
      const set = (to: string) => workspace.api.post(`/workflows/${id}/status`, { status: to });
      assert.equal((await set(status)).status, 200);
      answer();
      await untilWorkflowsIdle(majlis);
      const stopped = await readRun(majlis, workspace, run);
      const { body: conversation } = await workspace.api.get(`/conversations/${conversation_id}`);
      assert.deepEqual([await outboundTexts(majlis, conversation_id), conversation.tags], [[], []]);
      assert.equal(receiver.arrivals.length, 1);
      if (status === 'draft') return assert.equal(stopped.reason, 'The workflow was made a draft.');
      assert.deepEqual([stopped.status, outcomes(stopped)], ['running', ['answered']]);
      await set('published');
      assert.equal((await untilRunEnded(majlis, workspace, run)).status, 'completed');
      assert.deepEqual(await outboundTexts(majlis, conversation_id), ['Called']);
      assert.equal(receiver.arrivals.length, 1);
    });
  }

  it('calls nobody inside, where the operator does not allow it', async () => {
    const receiver = await startWebhookReceiver();
    const guarded = await startTestService({ env: { RATE_LIMITS: 'off', WEBHOOK_ALLOW_PRIVATE: '0' } });
    const acme = await guarded.workspace();
    const steps = [{ do: 'call', url: receiver.url }];
    const ids = await publishWorkflows(guarded, acme, { name: 'Inside', trigger: 'api_call', steps });
    const contact = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
    const run = await untilRunEnded(guarded, acme, await startRun(acme, ids.get('Inside')!, contact));
    assert.deepEqual([run.status, run.reason], ['failed', 'The address may not be called.']);
    assert.equal(receiver.arrivals.length, 0);
    assert.equal((await readRun(guarded, acme, run.id)).steps.length, 1);
  });

  it('keeps what its headers say sealed, wherever it stands, and calls with it all the same', async () => {
    const receiver = await startWebhookReceiver();
    const call = (token: string) => {
      return { do: 'call', url: receiver.url, headers: { Authorization: `Bearer ${token} {{trigger.variables.as}}` } };
    };
    const cases = [{ when: [{ value: '{{trigger.variables.as}}', exists: true }], steps: [call('token-in-case')] }];
    const failing = { do: 'call', url: 'https://nowhere.invalid/', on_error: [call('token-in-error')] };
    const steps = [call('token-on-top'), { do: 'branch', cases, else: [call('token-in-else')] }, failing];
    const { run } = await perform(steps, { as: 'muna' });
    assert.equal(run.status, 'completed');
    assert.deepEqual(
      receiver.arrivals.map(({ headers }) => headers.authorization),
      ['token-on-top', 'token-in-case', 'token-in-error'].map((token) => `Bearer ${token} muna`),
    );
    const versions = () =>
      majlis.sql('select version, definition::text as text from workflow_versions order by created_at');
    const last = (await versions()).at(-1)!;
    assert.doesNotMatch(last.text, /token-|Bearer/);
    assert.equal(last.text.match(/sealed\(/g).length, 4);

    const before = (await versions()).length;
    const name = `Workflow ${count}`;
    await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps });
    assert.equal((await versions()).length, before, 'the same file is no new version');
  });

  it('keeps no secret of its headers where the answer repeats the request', async () => {
    const receiver = await startWebhookReceiver();
    const password = 'pass word-for-shop';
    const basic = Buffer.from(`majlis:${password}`).toString('base64');
    const headers = {
      ...{ Authorization: 'Bearer token-{{trigger.variables.as}}-of-the-shop', 'X-Api-Key': 'key"of-the-shop' },
      ...{ 'X-Old': `Basic ${basic}`, Accept: 'application/json' },
    };
    const echoed = { a: `X ${basic}`, b: encodeURIComponent(password), 'key"of-the-shop': ['-of-the-shop'], n: 7 };
    receiver.answer(({ headers }, response) => {
      response.end(JSON.stringify({ ...echoed, headers, type: 'application/json', as: 'muna' }));
    });
    const look = { do: 'call', name: 'look', url: receiver.url, headers };
    const text = '{{steps.look.body.as}} {{steps.look.body.type}} {{steps.look.body.headers.authorization}}';
    const { run, conversation_id } = await perform([look, { do: 'send_message', text }], { as: 'muna' });
    assert.equal(run.status, 'completed');
    assert.equal(receiver.arrivals[0]!.headers.authorization, 'Bearer token-muna-of-the-shop');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['muna application/json [secret]muna[secret]']);
    for (const secret of ['of-the-shop', password, encodeURIComponent(password), basic]) {
      assert.deepEqual(await searchDatabase(majlis, [secret]), [], secret);
    }

    const plain = 'The key of your call was token-';
    receiver.answer((_, response) => response.end(`${plain} and key"of-the-shop`));
    const said = await perform([look, { do: 'send_message', text: '{{steps.look.body}}' }], { as: 'muna' });
    assert.deepEqual(await outboundTexts(majlis, said.conversation_id), [`${plain} and [secret]`]);
  });

  it('keeps an answer of many levels as a text, without the secrets too', async () => {
    const receiver = await startWebhookReceiver();
    const deep = (depth: number) => `${'{"a":'.repeat(depth)}"Bearer key\\"of-the-shop"${'}'.repeat(depth)}`;
    const headers = { Authorization: 'Bearer key"of-the-shop' };
    const look = { do: 'call', name: 'look', url: receiver.url, headers };
    const text = '{{steps.look.status}} {{steps.look.body.a.a.a}}';
    for (const [depth, said] of [
      [3, '200 [secret]'],
      [2_000, '200 '],
      [10_000, '200 '],
    ] as const) {
      receiver.answer((_, response) => response.end(deep(depth)));
      const { run, conversation_id } = await perform([look, { do: 'send_message', text }]);
      assert.deepEqual([run.status, run.reason], ['completed', undefined]);
      assert.deepEqual(await outboundTexts(majlis, conversation_id), [said]);
    }
    assert.deepEqual(await searchDatabase(majlis, ['of-the-shop']), []);
  });

  it('takes a workflow whole from its file, where what is kept was sealed with another key', async () => {
    const receiver = await startWebhookReceiver();
    const steps = [{ do: 'call', url: receiver.url, headers: { Authorization: 'Bearer again' } }];
    await perform(steps);
    const name = `Workflow ${count}`;
    await majlis.sql(
      `update workflow_versions set definition = replace(definition::text, 'sealed(', 'sealed(AAAA')::json`,
    );
    const part = await applyMore(majlis, workspace, { workflows: [{ name, status: 'paused' }] });
    assert.equal(part.status, 422);
    const ids = await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps });
    const contact = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
    assert.equal(
      (await untilRunEnded(majlis, workspace, await startRun(workspace, ids.get(name)!, contact))).status,
      'completed',
    );
    assert.deepEqual(
      receiver.arrivals.map(({ headers }) => headers.authorization),
      ['Bearer again', 'Bearer again'],
    );
  });
});
