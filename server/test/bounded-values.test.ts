import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { readReceivedMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { publishWorkflows, startRun, untilRunEnded } from '@majlis/testing/workflows';

const env = { SHORT_TEXT_MAX: '300', LONG_TEXT_MAX: '5000', DOCUMENT_MAX: '40000', LIST_MAX: '100' };
const majlis = await startTestService({ env: { RATE_LIMITS: 'off', ...env } });
const workspace = await majlis.workspace();
const { api, phone_number_id } = workspace;
const identities = () => [{ channel_type: 'chatapp', identifier: newDigits() }];

describe('a contact as a whole', () => {
  const consents = (n: number) =>
    Object.fromEntries(Array.from({ length: 90 }, (_, m) => [`${n}-${m}`, 'x'.repeat(200)]));

  it('grows to its bound by many changes, and shrinks from there', async () => {
    const own = { identities: identities() };
    for (const n of [1, 2]) assert.ok((await api.post('/contacts', { ...own, consents: consents(n) })).status < 300);
    const reply = await api.post('/contacts', { ...own, consents: consents(3) });
    assertRefused(reply, 422, 'unprocessable_content');
    assert.match(reply.body.errors[0].detail, /more than 40000 characters in all/);
    assert.equal((await api.post('/contacts', { ...own, tags: [] })).status, 200);
  });

  it('is bounded over the rows of an import', async () => {
    const own = { identities: identities() };
    const contacts = [1, 2, 3].map((n) => ({ ...own, consents: consents(n) }));
    assertRefused(await api.post('/contacts/import', { contacts }), 422, 'unprocessable_content');
  });

  it('is bounded in a merge', async () => {
    const made = [1, 2].map(async (n) => {
      const parts = [1, 2].map((part) => consents(10 * n + part));
      const own = { identities: identities() };
      for (const part of parts) await api.post('/contacts', { ...own, consents: part });
      return (await api.post('/contacts', own)).body.id as string;
    });
    const [survivor, source] = await Promise.all(made);
    const reply = await api.post(`/contacts/${survivor}/merge`, { source_contact_id: source });
    assertRefused(reply, 422, 'unprocessable_content');
    assert.equal((await api.get(`/contacts/${source}`)).status, 200);
  });
});

it('a message of a customer with texts beyond the bounds arrives, with its texts cut', async () => {
  const from = newDigits();
  const content = '\u{1f600}'.repeat(4_000);
  const wamid = majlis.simulator.inject({ phone_number_id, from, type: 'text', content });
  const { body, conversation_id } = await readReceivedMessage(majlis, workspace, wamid);
  assert.equal(body, '\u{1f600}'.repeat(2_500));
  const [{ raw }] = (await majlis.sql(`select content -> 'raw' as raw from messages where platform_message_id = $1`, [
    wamid,
  ])) as [{ raw: { text: { body: string } } }];
  assert.equal(raw.text.body, content);
  assert.ok(conversation_id);
});

describe('a step of a workflow', () => {
  const text = '{{trigger.variables.text}}';
  const onward = { on_error: 'continue' };

  async function outcomesOf(steps: object[], variables: object) {
    const ids = await publishWorkflows(majlis, workspace, { name: 'Echo', trigger: 'api_call', steps });
    const digits = newDigits();
    await receiveText(majlis, workspace, digits);
    const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
    const run = await untilRunEnded(majlis, workspace, await startRun(workspace, ids.get('Echo')!, contact, variables));
    assert.equal(run.status, 'completed');
    return run.steps.map(({ reason }: { reason?: string }) => reason);
  }

  it('writes no more than a request may, and the run goes on', async () => {
    await api.post('/custom-fields', { key: 'text', type: 'text' });
    const twice = `${text}${text}`;
    const steps = [
      { do: 'set_tag', tag: text },
      { do: 'set_field', field: 'text', value: twice },
      { do: 'add_note', text: twice },
      { do: 'send_message', text: twice },
      { do: 'close', summary: twice },
      { do: 'start_workflow', workflow: 'Echo', variables: { text: twice } },
    ].map((step) => ({ ...step, ...onward }));
    const reasons = await outcomesOf(steps, { text: 'x'.repeat(4_000) });
    const beyond = 'must not have more than 5000 characters';
    assert.deepEqual(reasons, [
      'tags/0 must not have more than 300 characters.',
      `custom_fields/text ${beyond}.`,
      `body ${beyond}.`,
      `unprocessable_content: /body ${beyond}`,
      `summary ${beyond}.`,
      `variables/text ${beyond}.`,
    ]);
  });

  it('fails where its variables multiply, and calls nobody', async () => {
    const many = text.repeat(20);
    const steps = [
      { do: 'add_note', text: many },
      { do: 'call', url: 'https://acme.example/', body: { a: many } },
    ].map((step) => ({ ...step, ...onward }));
    const reasons = await outcomesOf(steps, { text: 'x'.repeat(4_000) });
    const expected = 'A text with its variables has more than 65536 characters.';
    assert.deepEqual(reasons, [expected, expected]);
  });

  it('gives a contact no more tags than a request may', async () => {
    const tags = Array.from({ length: 100 }, (_, n) => `t${n}`);
    const ids = await publishWorkflows(majlis, workspace, {
      ...{ name: 'Tag', trigger: 'api_call' },
      steps: [{ do: 'set_tag', tag: text, ...onward }],
    });
    const own = { identities: identities(), tags };
    const { body: contact } = await api.post('/contacts', own);
    const run = await startRun(workspace, ids.get('Tag')!, { id: contact.id }, { text: 'one more' });
    const { steps } = await untilRunEnded(majlis, workspace, run);
    assert.equal(steps[0].reason, 'tags must not have more than 100 items.');
  });
});
