import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { answer, bodyOf, channel, clientOf, error } from '../../../test/recorded/platform-server.ts';
import { recordedShape } from '../../../test/recorded/recorded-shapes.ts';
import type { NewTemplate } from '../template.ts';

const { access_token } = channel;
const template: NewTemplate = {
  name: 'order_update',
  language: 'en_US',
  category: 'utility',
  components: [{ type: 'body', text: 'Hello.' }],
};

test('creates and deletes a template under its account', async () => {
  const requests: unknown[] = [];
  const client = await clientOf(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, token: headers.authorization, body: await bodyOf(request) });
    answer(
      response,
      200,
      method === 'POST' ? { id: '880', status: 'PENDING', category: 'MARKETING' } : { success: true },
    );
  });
  const created = await client.createTemplate(channel, template);
  assert.deepEqual(created, { type: 'created', platform_template_id: '880', status: 'pending', category: 'marketing' });
  const deleted = await client.deleteTemplate(channel, { platform_template_id: '880', name: 'order_update' });
  assert.deepEqual(deleted, { type: 'deleted' });
  const components = [{ type: 'BODY', text: 'Hello.' }];
  const body = {
    name: 'order_update',
    language: 'en_US',
    category: 'UTILITY',
    parameter_format: 'positional',
    components,
  };
  const path = '/v24.0/330000000000001/message_templates';
  assert.deepEqual(requests, [
    { method: 'POST', url: path, token: `Bearer ${access_token}`, body: JSON.stringify(body) },
    { method: 'DELETE', url: `${path}?hsm_id=880&name=order_update`, token: `Bearer ${access_token}`, body: '' },
  ]);
});

const taken = recordedShape('errors', 'template_creation');
const outcomes: [string, number, unknown, object][] = [
  ['no status', 200, { id: 880 }, { type: 'created', platform_template_id: '880', status: undefined }],
  ['a status that nobody knows', 200, { id: '1', status: 'NEW' }, { type: 'created', status: undefined }],
  ['200 without an id', 200, { status: 'PENDING' }, { type: 'away' }],
  ['200 with HTML', 200, '<html>', { type: 'away' }],
  ['that it has one', 400, taken, { type: 'exists' }],
  ['a broken rule', 400, error(100, { error_subcode: 2388072 }), { type: 'refused', doubtful: false }],
  ['a policy', 400, error(132007), { type: 'refused', doubtful: false }],
  ['a code that nobody knows', 400, error(999999), { type: 'refused', doubtful: true }],
  ['code 1', 400, error(1), { type: 'refused', doubtful: true }],
  ['an account that is not there', 400, error(100, { error_subcode: 33 }), { type: 'away' }],
  ['an expired token', 401, recordedShape('errors', 'token_expired'), { type: 'away' }],
  ['a restricted account', 403, error(368), { type: 'away' }],
  ['its rate limit', 400, error(80008), { type: 'away' }],
  ['that it is busy', 503, error(2), { type: 'away' }],
  ['what calls itself transient', 400, error(100, { is_transient: true }), { type: 'away' }],
  ['502 without a body', 502, '', { type: 'away' }],
];

for (const [what, status, body, expected] of outcomes) {
  test(`understands of a new template: ${what}`, async () => {
    const client = await clientOf((_request, response) => answer(response, status, body));
    const outcome = await client.createTemplate(channel, template);
    assert.partialDeepStrictEqual(outcome, expected);
    assert.ok(!JSON.stringify(outcome).includes(access_token));
  });
}

test('asks for the templates with a name like this', async () => {
  const urls: (string | undefined)[] = [];
  const client = await clientOf((request, response) => {
    urls.push(request.url);
    answer(response, 200, { data: [] });
  });
  await client.listTemplates(channel, 'a&b');
  assert.match(urls[0]!, /[?&]name=a%26b(&|$)/);
});

test('does not know what became of a call that is cut off', async () => {
  const client = await clientOf((request) => request.socket.destroy());
  assert.equal((await client.createTemplate(channel, template)).type, 'away');
  const key = { platform_template_id: '880', name: 'order_update' };
  assert.equal((await client.deleteTemplate(channel, key)).type, 'away');
});

const sample = (text = 'abc') => ({
  mime: 'image/png',
  filename: 'front view.png',
  size_bytes: text.length,
  bytes: Readable.from([Buffer.from(text)]),
});

test('uploads the sample of a header under the app of the account', async () => {
  const requests: unknown[] = [];
  const client = await clientOf(async (request, response) => {
    const { method, url = '', headers } = request;
    requests.push([method, url, headers.authorization, headers.file_offset, await bodyOf(request)]);
    if (method === 'GET') answer(response, 200, { data: [{ whatsapp_business_api_data: { id: '100' } }] });
    else if (url.includes('/uploads')) answer(response, 200, { id: 'upload:MTph?sig=ARa' });
    else answer(response, 200, { h: '4::aW1n' });
  });
  assert.deepEqual(await client.uploadSample(channel, sample()), { type: 'uploaded', handle: '4::aW1n' });
  const bearer = `Bearer ${access_token}`;
  const file = 'file_name=front+view.png&file_length=3&file_type=image%2Fpng';
  assert.deepEqual(requests, [
    ['GET', '/v24.0/330000000000001/subscribed_apps', bearer, undefined, ''],
    ['POST', `/v24.0/100/uploads?${file}`, bearer, undefined, ''],
    ['POST', '/v24.0/upload:MTph?sig=ARa', `OAuth ${access_token}`, '0', 'abc'],
  ]);
});

test('does not upload a sample where no app is known, or the platform refuses it', async () => {
  const apps: unknown[] = [];
  const client = await clientOf((request, response) => {
    if (request.method === 'GET') answer(response, 200, { data: apps });
    else answer(response, 400, error(100));
  });
  const first = sample();
  assert.equal((await client.uploadSample(channel, first)).type, 'away');
  assert.ok(first.bytes.destroyed);
  apps.push({ whatsapp_business_api_data: { id: '100' } });
  assert.partialDeepStrictEqual(await client.uploadSample(channel, sample()), { type: 'refused', doubtful: false });
});
