import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, openBrowser } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { withTrigger } from '@majlis/testing/with-trigger';
import { publicId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const none = '00000000-0000-7000-8000-000000000000';
const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
const { contact_id } = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
const definition = { trigger: 'api_call', steps: [{ do: 'add_note', text: 'Hello' }] };
const audience = { filter: {} };
const one = { recipients: [{ to: `+${newDigits()}`, params: ['Muna', 'A-1'] }] };
const orderUpdate = { name: 'order_update', language: 'en' };
const { body: endpoint } = await workspace.api.post('/webhook-endpoints', {
  url: 'https://acme.example/',
  events: ['*'],
});
const replays = `/webhook-endpoints/${endpoint.id}/replays`;

/** Method, path, body, status, and the pointer of what is at fault. */
const refusals: [string, string, object | undefined, number, string?][] = [
  ['GET', `/stages/${publicId('stage', none)}/use`, undefined, 404],
  ['GET', `/closing-categories/${publicId('closing_category', none)}/use`, undefined, 404],
  ['GET', `/contact-imports/${publicId('contact_import', none)}/left-out-rows`, undefined, 404],
  ['GET', `/contacts/${contact_id}/merge-preview?source_contact_id=${publicId('contact', none)}`, undefined, 404],
  ['GET', `/workflows/${publicId('workflow', none)}/versions/1`, undefined, 404],
  ['GET', `/workflows/${publicId('workflow', none)}/versions/x`, undefined, 404],
  ['GET', `/workflows/${publicId('workflow', none)}/versions/9999999999`, undefined, 404],
  ['GET', `/workflow-runs/${publicId('workflow_run', none)}`, undefined, 404],
  ['POST', '/workflow-dry-runs', { definition, contact_id, workflow_id: publicId('workflow', none) }, 404],
  ['POST', '/workflow-dry-runs', { definition, contact_id: 'nobody' }, 422, '/contact_id'],
  ['POST', '/workflow-dry-runs', { definition: { ...definition, steps: [{ do: 'x' }] }, contact_id }, 422],
  ['POST', replays, { from: '2016-12-31T23:59:60Z' }, 422, '/from'],
  ['POST', replays, { to: '0000-01-01T00:00:00Z' }, 422, '/to'],
  ['GET', '/audit?user_id=nobody', undefined, 422, '/user_id'],
  ['GET', '/audit?since=2016-12-31T23:59:60Z', undefined, 422, '/since'],
  ['GET', '/audit?until=2016-12-31T23:59:60Z', undefined, 422, '/until'],
  [
    'POST',
    '/quote',
    { audience: one, template: orderUpdate, channel_id: publicId('channel', none) },
    422,
    '/channel_id',
  ],
  ['POST', '/quote', { audience }, 422, '/template'],
  ['POST', '/quote', { audience, template: orderUpdate, contact_id }, 422, '/contact_id'],
];

for (const [method, path, sent, expected, pointer] of refusals) {
  const name = path.replace(/=.*/, '').replaceAll(/\/\w*0{6}\w*|\/(ct|whe)_\w+/g, '/{id}');
  it(`${method} ${name} with ${Object.keys(sent ?? {}).join(', ') || 'no body'} is refused`, async () => {
    const { status, body } = await admin.at(method, path, sent);
    assert.equal(status, expected, JSON.stringify(body));
    if (pointer) assert.equal(body.errors?.[0].pointer, pointer);
    if (expected === 404) assert.equal(body.code, 'not_found');
  });
}

it('people have what is coming soon where COMING_SOON is on alone', async () => {
  const without = await majlis.another({ COMING_SOON: 'off' });
  const there = openBrowser(without);
  for (const [key, value] of admin.cookies) there.cookies.set(key, value);
  for (const [path, expected] of [
    ['/conversations', 200],
    ['/tags', 404],
    ['/teams', 404],
  ] as const) {
    assert.equal((await there.get(`/workspaces/${workspace.id}${path}`)).status, expected, path);
    assert.equal((await admin.at('GET', path)).status, 200, path);
  }
  await without.stop();
});

it('a fault of the service in a trial of an import is no trial', async () => {
  const fault = { on: 'before insert on contacts', body: `raise 'no contact';` };
  const contacts = [{ identities: [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }], name: 'Muna' }];
  const { status, body } = await withTrigger(majlis, fault, () =>
    admin.at('POST', '/contact-imports/preview', { contacts }),
  );
  assert.equal(status, 500, JSON.stringify(body));
  assert.equal((await admin.at('POST', '/contact-imports/preview', { contacts })).status, 200);
});
