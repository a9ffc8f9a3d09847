import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dict } from '../src/world/message.ts';
import { accountId, numberId, startTestSimulator, templateMessage, token } from './test-simulator.ts';
import { until } from './until.ts';

const s = startTestSimulator();
const path = `${accountId}/message_templates`;
const hello = (name: string, more: object = {}) => ({
  name,
  language: 'en_US',
  category: 'utility',
  components: [{ type: 'body', text: `Hello from ${name}` }],
  ...more,
});
const events = (name: string) =>
  s.receiver.received
    .flatMap((one) =>
      one.body.entry.flatMap((entry) => entry.changes.map((change) => ({ ...change, time: entry.time }))),
    )
    .filter((change) => change.value.message_template_name === name);
const templateSend = (template: object) => s.send('+15550007777', { ...templateMessage, template });

test('creates a template as PENDING, approves it later and says so by webhook', async () => {
  const { status, body } = await s.call('POST', path, hello('welcome'));
  assert.equal(status, 200);
  assert.deepEqual({ ...body, id: '' }, { id: '', status: 'PENDING', category: 'UTILITY' });
  await until('the review is told', () => events('welcome').length === 1);
  const [change] = events('welcome');
  assert.equal(change?.field, 'message_template_status_update');
  assert.equal(change?.value.event, 'APPROVED');
  assert.equal(change?.value.message_template_id, Number(body.id));
  assert.equal(typeof change?.time, 'number');
  assert.deepEqual((await s.call('GET', `${body.id}?fields=status`)).body, { status: 'APPROVED', id: body.id });
});

test('rejects and recategorises by name, and leaves what is to stay pending', async () => {
  await s.call('POST', path, hello('offer_rejected'));
  await s.call('POST', path, hello('offer_recategorised'));
  await s.call('POST', path, hello('offer_pending'));
  await until(
    'two reviews are told',
    () => events('offer_rejected').length === 1 && events('offer_recategorised').length === 2,
  );
  assert.equal(events('offer_rejected')[0]?.value.reason, 'INVALID_FORMAT');
  const fields = events('offer_recategorised')
    .map((change) => change.field)
    .sort();
  assert.deepEqual(fields, ['message_template_status_update', 'template_category_update']);
  assert.equal(events('offer_pending').length, 0);
});

test('refuses the same name and language twice', async () => {
  await s.call('POST', path, hello('twice'));
  const { status, body } = await s.call(
    'POST',
    path,
    hello('twice', { components: [{ type: 'BODY', text: 'Other' }] }),
  );
  assert.equal(status, 400);
  assert.equal(body.error?.error_subcode, 2388024);
  assert.equal(body.error?.error_user_title, 'Content in This Language Already Exists');
});

test('reserves the name of a deleted approved template for 30 days', async () => {
  const { body } = await s.call('POST', path, hello('seasonal'));
  await until('it is approved', () => events('seasonal').length === 1);
  assert.deepEqual((await s.call('DELETE', `${path}?name=seasonal&hsm_id=${body.id}`)).body, { success: true });
  assert.equal((await s.call('POST', path, hello('seasonal'))).body.error?.error_subcode, 2388023);
  await s.control('POST', 'clock', { advance_seconds: 30 * 86_400 + 1 });
  assert.equal((await s.call('POST', path, hello('seasonal'))).status, 200);
});

test('lists 25 to a page and all of them by following `next`', async () => {
  for (let count = 0; count < 30; count++) await s.call('POST', path, hello(`page_${count}`));
  const first = await s.call('GET', path);
  assert.equal((first.body.data as Dict[]).length, 25);
  const names: string[] = [];
  let url: string | undefined = `${s.simulator.api_url}/${path}?limit=10&fields=name&name=page_`;
  while (url !== undefined) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const page = (await answer.json()) as { data: { name: string }[]; paging: { next?: string } };
    names.push(...page.data.map((one) => one.name));
    url = page.paging.next;
  }
  assert.equal(new Set(names).size, 30);
});

test('judges a template send: name, status, number and kind of parameters', async () => {
  const code = async (template: object) => (await templateSend(template)).body.error?.code;
  const body = (...parameters: object[]) => ({ components: [{ type: 'body', parameters }] });
  const named = (more: object) => ({ ...templateMessage.template, ...more });
  const text = (value: string) => ({ type: 'text', text: value });
  assert.equal(await code(named({ name: 'nothing' })), 132001);
  assert.equal(await code(named({ language: { code: 'en' } })), 132001);
  assert.equal(await code(named(body(text('one')))), 132000);
  assert.equal(await code(named(body(text('one'), { type: 'image', image: { id: '1' } }))), 132012);
  assert.equal(await code(named(body(text('one'), text('')))), 100);
  assert.equal(await code(named(body(text('one'), text('two\nlines')))), 132018);
  assert.equal(await code(named(body(text('one'), text('x'.repeat(1024))))), 132005);
  assert.equal(await code(named(body(text('one'), text('two')))), undefined);
});

test('answers 404 with the template and the language in its details', async () => {
  const { status, body } = await templateSend({ name: 'order_update', language: { code: 'es_MX' } });
  assert.equal(status, 404);
  assert.equal(body.error?.message, '(#132001) Template name does not exist in the translation');
  assert.deepEqual(body.error?.error_data, {
    messaging_product: 'whatsapp',
    details: 'template name (order_update) does not exist in es_MX',
  });
});

test('refuses a paused and a disabled template', async () => {
  const listed = await s.call('GET', `${path}?name=order_update`);
  const [{ id }] = listed.body.data as [{ id: string }];
  await s.control('PATCH', `templates/${id}`, { status: 'PAUSED' });
  assert.equal((await s.sendTemplate('+15550007778')).body.error?.code, 132015);
  assert.equal((await s.call('POST', `${id}/unpause`)).status, 400);
  await s.control('POST', 'clock', { advance_seconds: 301 });
  assert.deepEqual((await s.call('POST', `${id}/unpause`)).body, { success: true });
  await s.control('PATCH', `templates/${id}`, { status: 'DISABLED' });
  assert.equal((await s.sendTemplate('+15550007778')).body.error?.code, 132016);
  await s.control('PATCH', `templates/${id}`, { status: 'APPROVED', quality: 'RED' });
  await until('the quality is told', () =>
    events('order_update').some((change) => change.value.new_quality_score === 'RED'),
  );
});

test('lets an approved template be edited once a day', async () => {
  const { body } = await s.call('POST', path, hello('editable'));
  await until('it is approved', () => events('editable').length === 1);
  const edit = () => s.call('POST', String(body.id), { components: [{ type: 'BODY', text: 'New text of it' }] });
  assert.deepEqual((await edit()).body, { success: true });
  await until('it is approved again', () => events('editable').length === 2);
  assert.equal((await edit()).status, 400);
});

test('wants a header medium at each send of a template that has one', async () => {
  await s.control('POST', 'templates', {
    name: 'with_image',
    language: 'en_US',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Look' },
    ],
  });
  const send = (components: object[]) => templateSend({ name: 'with_image', language: { code: 'en_US' }, components });
  assert.equal((await send([])).body.error?.code, 132012);
  const image = { type: 'image', image: { link: 'https://example.com/a.jpg' } };
  assert.equal((await send([{ type: 'header', parameters: [image] }])).status, 200);
});

test('fails a marketing template once the customer has stopped marketing', async () => {
  await s.control('POST', 'customers/15550007779/preference', { phone_number_id: numberId, value: 'stop' });
  await until('the preference is told', () =>
    s.receiver.values().some((value) => value.user_preferences !== undefined),
  );
  const image = { type: 'image', image: { link: 'https://example.com/a.jpg' } };
  const { body } = await s.send('+15550007779', {
    type: 'template',
    template: {
      name: 'with_image',
      language: { code: 'en_US' },
      components: [{ type: 'header', parameters: [image] }],
    },
  });
  await s.settled();
  const [{ id }] = body.messages as [{ id: string }];
  assert.equal(s.statusesOf(id)[0]?.errors?.[0]?.code, 131050);
});

test('plays the verdicts that the end of a name orders, one after the other', async () => {
  await s.call('POST', path, hello('offer_promotional'));
  await s.call('POST', path, hello('offer_paused'));
  await s.call('POST', path, hello('offer_disabled'));
  await until(
    'all verdicts are told',
    () => events('offer_paused').length === 3 && events('offer_disabled').length === 2,
  );
  const told = (name: string) => events(name).map(({ value }) => value.event ?? value.new_quality_score);
  assert.equal(events('offer_promotional')[0]?.value.reason, 'PROMOTIONAL');
  assert.deepEqual(told('offer_paused'), ['APPROVED', 'RED', 'PAUSED']);
  assert.deepEqual(told('offer_disabled'), ['APPROVED', 'DISABLED']);
});

test('plays the fault that the end of a name orders, once', async () => {
  await assert.rejects(s.call('POST', path, hello('answer_lost')));
  assert.equal((await s.call('POST', path, hello('answer_lost'))).body.error?.error_subcode, 2388024);
  assert.equal((await s.call('POST', path, hello('now_unavailable'))).body.error?.code, 2);
  assert.equal((await s.call('POST', path, hello('now_unavailable'))).status, 200);
  assert.equal((await s.call('POST', path, hello('now_limited'))).body.error?.code, 80007);
  const listed = await s.control('GET', 'template-scripts');
  assert.ok((listed.body as unknown as { ending: string }[]).some(({ ending }) => ending === '_lost'));
});
