import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { momentIn, scheduledPath } from '@majlis/testing/schedule-messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { forceTemplateSync } from '@majlis/testing/templates';

// A quote, a schedule and a send agree on templates that no values make sendable.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const code = { name: 'login_code', language: 'en' };
const carousel = { name: 'carousel', language: 'en' };
const mixed = { name: 'mixed', language: 'en' };
const word = { name: 'word', language: 'en' };
const body = { type: 'BODY', text: '*{{1}}* is your code.' };
const cards = [{ components: [{ type: 'HEADER', format: 'IMAGE' }] }];
let workspace: TestWorkspace;
let agent: Member;
let supervisor: Member;
/** Known by a user id alone. */
let hidden: { contact_id: string; conversation_id: string };

before(async () => {
  workspace = await majlis.workspace();
  agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
  const { waba_id } = workspace;
  majlis.simulator.addTemplate({ waba_id, ...code, category: 'AUTHENTICATION', components: [body] });
  const parts = [
    { type: 'BODY', text: 'See.' },
    { type: 'CAROUSEL', cards },
  ];
  majlis.simulator.addTemplate({ waba_id, ...carousel, category: 'UTILITY', components: parts });
  const header = { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' };
  const named = [header, { type: 'BODY', text: 'Dear {{customer_name}}, it has left.' }];
  const alone = { waba_id, ...word, category: 'UTILITY', components: [named[1]!] };
  majlis.simulator.addTemplate(alone);
  majlis.simulator.addTemplate({
    waba_id,
    ...mixed,
    category: 'UTILITY',
    components: named,
  });
  await forceTemplateSync(majlis, workspace);
  const { from: _, ...message } = platformText('', 'Hi', { from_user_id: `OM.${newDigits()}` });
  await postNotification(majlis, workspace, { messages: [message] });
  await untilNotificationsProcessed(majlis);
  const [conversation] = (await workspace.api.get('/conversations')).body.data;
  hidden = { contact_id: conversation.contact_id, conversation_id: conversation.id };
});

const verdict = async (request: object) => (await agent.at('POST', '/quote', request)).body.verdict;
const faultOf = ({ status, body: { code: name, errors } }: Awaited<ReturnType<Member['at']>>) => [
  status,
  name,
  errors?.[0]?.pointer,
];

const unsendable: [string, object, RegExp][] = [
  ['parts that the API has no values for', carousel, /a part of type carousel/],
  ['numbered variables beside named ones', mixed, /numbered and named variables/],
  ['a named variable where the platform numbers them', word, /named variable \{\{customer_name\}\}/],
];
for (const [what, template, reason] of unsendable) {
  it(`a template with ${what} is quoted as refused, as its send is`, async () => {
    const to = `+${newDigits()}`;
    const params = ['A-1', 'Muna'];
    const sent = await workspace.api.post('/messages', { to, kind: 'template', template: { ...template, params } });
    const { allowed, code: name, detail, pointer } = await verdict({ to, template });
    assert.deepEqual([allowed, name, pointer], [false, 'unprocessable_content', '/template']);
    assert.match(detail, reason);
    assert.deepEqual([sent.status, sent.body.errors?.[0].detail], [422, detail]);
    const request = { template, audience: { recipients: [{ to }] } };
    const audience = await supervisor.at('POST', '/quote', request);
    assert.deepEqual(faultOf(audience), [422, 'unprocessable_content', '/template']);
  });
}

it('a one-time code to a person without a known number is quoted as refused, as its send is', async () => {
  const { contact_id, conversation_id } = hidden;
  for (const request of [{ contact_id }, { conversation_id }]) {
    const { allowed, code: name, pointer } = await verdict({ ...request, template: code });
    assert.deepEqual([allowed, name, pointer], [false, 'unprocessable_content', '/contact_id']);
  }
  assert.deepEqual(await verdict({ to: `+${newDigits()}`, template: code }), { allowed: true });
  const template = { ...code, params: ['123456'] };
  const sent = await workspace.api.post('/messages', { contact_id, kind: 'template', template });
  assert.deepEqual(faultOf(sent), [422, 'unprocessable_content', '/contact_id']);
});

it('the price of an audience leaves out one-time codes to people without a known number', async () => {
  const template = { name: 'plain_code', language: 'en' };
  const components = [{ type: 'BODY', text: 'The code is in the app.' }];
  majlis.simulator.addTemplate({ waba_id: workspace.waba_id, ...template, category: 'AUTHENTICATION', components });
  await forceTemplateSync(majlis, workspace);
  await workspace.api.request('PATCH', `/contacts/${hidden.contact_id}`, { tags: ['codes'] });
  const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
  await workspace.api.post('/contacts', { identities, tags: ['codes'] });
  const quoted = await supervisor.at('POST', '/quote', { template, audience: { tags: ['codes'] } });
  assert.deepEqual([quoted.status, quoted.body.messages], [200, 1]);
});

it('a one-time code to a person without a known number is not scheduled', async () => {
  const content = { kind: 'template', template: { ...code, params: ['123456'] } };
  const send_at = await momentIn(majlis, 60);
  const scheduled = await agent.at('POST', scheduledPath(hidden.conversation_id), { content, send_at });
  assert.deepEqual(faultOf(scheduled), [422, 'unprocessable_content', '/content/contact_id']);
});
