import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { startTemplates, templateOf, templatesPath } from '@majlis/testing/start-templates';
import {
  changeAtPlatform,
  fetchTemplate,
  forceTemplateSync,
  listAtPlatform,
  untilTemplate,
  untilTemplateInTime,
} from '@majlis/testing/templates';
import { parseId } from '../src/database/ids.ts';

const { majlis, workspace, create, remove, statusesOf, settle } = await startTemplates();

describe('a new template', () => {
  it('is pending, goes to the platform as given, and its review arrives as an event', async () => {
    const components = [
      { type: 'header', format: 'text', text: 'Order {{1}}', examples: ['A-1'] },
      { type: 'body', text: 'Hello {{1}}, {{2}} is on its way.', examples: ['Muna', 'your oud'] },
      { type: 'footer', text: 'Acme' },
      {
        type: 'buttons',
        buttons: [
          { type: 'quick_reply', text: 'Thanks' },
          { type: 'url', text: 'Track', url: 'https://acme.example/t/{{1}}' },
          { type: 'phone_number', text: 'Call', phone_number: '+96880000001' },
        ],
        examples: ['x42'],
      },
    ];
    const { status, body } = await workspace.api.post(templatesPath, templateOf('full', { components }));
    assert.equal(status, 201);
    const { id, updated_at, ...rest } = body;
    assert.match(id, /^tpl_[0-9a-z]{26}$/);
    assert.deepEqual(rest, { name: 'full', language: 'en', category: 'utility', components, status: 'pending' });

    const approved = await untilTemplate(workspace, id, 'approved');
    const [there] = await listAtPlatform(majlis, workspace, 'full');
    assert.deepEqual(there!.components, [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-1'] } },
      { type: 'BODY', text: 'Hello {{1}}, {{2}} is on its way.', example: { body_text: [['Muna', 'your oud']] } },
      { type: 'FOOTER', text: 'Acme' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Thanks' },
          {
            type: 'URL',
            text: 'Track',
            url: 'https://acme.example/t/{{1}}',
            example: ['https://acme.example/t/x42'],
          },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+96880000001' },
        ],
      },
    ]);
    assert.deepEqual(await statusesOf(id), ['approved']);
    // Read back from the platform it is the same.
    await forceTemplateSync(majlis, workspace);
    await eventually(
      () => fetchTemplate(workspace, id),
      ({ quality }) => quality === 'UNKNOWN',
    );
    assert.deepEqual((await fetchTemplate(workspace, id)).components, components);
    assert.deepEqual(
      approved.review_history?.map((entry) => entry.status),
      ['pending', 'approved'],
    );
  });

  it('that is approved can be sent', async () => {
    const id = await create(templateOf('sendable'));
    const send = () =>
      workspace.api.post('/messages', {
        to: `+${newDigits()}`,
        kind: 'template',
        template: { name: 'sendable', language: 'en', params: ['Muna'] },
      });
    await untilTemplate(workspace, id, 'approved');
    assert.equal((await send()).status, 201);
  });

  it('of a one-time code has the platform’s own text', async () => {
    const components = [{ type: 'body', text: '{{1}} is your code' }];
    const id = await create(templateOf('login', { category: 'authentication', components }));
    await untilTemplate(workspace, id, 'approved');
    const template = await eventually(
      () => fetchTemplate(workspace, id),
      (one) => one.components.length === 2,
    );
    assert.equal(template.components[0]!.text, '*{{1}}* is your verification code.');
    const sent = await workspace.api.post('/messages', {
      to: `+${newDigits()}`,
      kind: 'template',
      template: { name: 'login', language: 'en', params: ['123456', '123456'] },
    });
    assert.equal(sent.status, 201, sent.text);
  });

  it('that the platform’s review refuses is rejected, with its reason', async () => {
    const id = await create(templateOf('sale_promotional'));
    const template = await untilTemplate(workspace, id, 'rejected');
    assert.equal(template.rejection_reason, 'PROMOTIONAL');
    const [pending, rejected, ...more] = template.review_history!;
    assert.deepEqual(more, []);
    assert.deepEqual(Object.keys(pending!), ['status', 'updated_at']);
    assert.deepEqual([rejected!.status, rejected!.rejection_reason], ['rejected', 'PROMOTIONAL']);
    assert.ok(rejected!.updated_at! >= pending!.updated_at!);
    assert.deepEqual(await statusesOf(id), ['rejected']);
  });

  it('that the platform does not take at all is rejected, with its reason', async () => {
    await untilTemplate(workspace, await create(templateOf('first')), 'approved');
    const { components } = templateOf('first');
    const id = await create(templateOf('same_text', { components }));
    const { rejection_reason } = await untilTemplate(workspace, id, 'rejected');
    assert.match(rejection_reason!, /^100: .*same body and footer/);
    assert.deepEqual(await statusesOf(id), ['rejected']);
    assert.deepEqual(await listAtPlatform(majlis, workspace, 'same_text'), []);
  });

  it('is refused where its name and language are taken', async () => {
    await create(templateOf('taken'));
    const { errors } = assertRefused(await workspace.api.post(templatesPath, templateOf('taken')));
    assert.equal(errors![0]!.pointer, '/name');
    await create(templateOf('taken', { language: 'ar', components: [{ type: 'body', text: 'مرحبا' }] }));
    const other = await majlis.workspace();
    await create(templateOf('taken'), other);
  });

  it('is stored once, however many ask for it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => workspace.api.post(templatesPath, templateOf('contested'))),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(422)]);
    await settle();
    assert.equal((await listAtPlatform(majlis, workspace, 'contested')).length, 1);
  });

  it('needs a channel', async () => {
    const without = await majlis.workspace({ channels: [], templates: [] });
    const { detail } = assertRefused(await without.api.post(templatesPath, templateOf('homeless')));
    assert.match(detail!, /no channel/);
  });

  it('is created in the account of the first channel', async () => {
    const several = await majlis.workspace();
    const second = { phone_number_id: `44${Date.now()}`, waba_id: `33${Date.now()}`, access_token: 'second-token' };
    majlis.simulator.addNumber({ ...second, display_phone: '+96880000002', verified_name: 'Acme' });
    const channel = { type: 'chatapp', app_secret: 's', verify_token: 'v', ...second };
    const file = { workspace: { name: several.applied.workspace.name }, channels: [channel] };
    assert.equal((await majlis.operator('PUT', '/workspaces', file)).status, 200);
    await untilTemplate(several, await create(templateOf('in_first'), several), 'approved');
    assert.equal((await listAtPlatform(majlis, several, 'in_first')).length, 1);
    assert.equal((await listAtPlatform(majlis, second, 'in_first')).length, 0);
    const channels = (await several.api.get('/channels')).body.data;
    const sent = await several.api.post('/messages', {
      channel_id: channels.find((one: { waba_id: string }) => one.waba_id === second.waba_id).id,
      to: `+${newDigits()}`,
      kind: 'template',
      template: { name: 'in_first', language: 'en', params: ['Muna'] },
    });
    assert.equal(sent.body.code, 'template_not_found');
  });
});

describe('a platform that is in trouble', () => {
  it('only delays a new template', async () => {
    const ids = [await create(templateOf('a_unavailable')), await create(templateOf('b_limited'))];
    for (const id of ids) {
      const { review_history } = await untilTemplate(workspace, id, 'approved');
      assert.deepEqual(
        review_history!.map(({ status }) => status),
        ['pending', 'approved'],
      );
    }
  });

  it('has a template once when the answer to its creation was lost, and it is taken up', async () => {
    await callControl(majlis, 'PATCH', '/settings', { delays: { review_ms: null } });
    const id = await create(templateOf('answer_lost'));
    const [row] = await eventually(
      () => majlis.sql('select platform_template_id from templates where id = $1', [parseId('template', id)]),
      ([template]) => template?.platform_template_id != null,
    );
    const there = await listAtPlatform(majlis, workspace, 'answer_lost');
    assert.deepEqual(
      there.map((template) => template.id),
      [row!.platform_template_id],
    );
    assert.equal((await fetchTemplate(workspace, id)).status, 'pending');
    await callControl(majlis, 'PATCH', '/settings', { delays: { review_ms: 10 } });
    await changeAtPlatform(majlis, workspace, 'answer_lost', { status: 'APPROVED' });
    await untilTemplate(workspace, id, 'approved');
    assert.deepEqual(await statusesOf(id), ['approved']);
  });

  it('that takes a hundred templates an hour gets no more than that, and the others later', async () => {
    const own = await majlis.workspace();
    const names = Array.from({ length: 103 }, (_, n) => `one_of_many_${n}`);
    await Promise.all(names.map((name) => create(templateOf(name), own)));
    const count = async (status: string) => (await own.api.get(`${templatesPath}?status=${status}`)).body.data.length;
    // Two more come with the workspace.
    await eventually(
      () => count('approved'),
      (approved) => approved === 102,
    );
    assert.equal(await count('pending'), 3);
    await majlis.advance(3600);
    await eventually(
      () => count('approved'),
      (approved) => approved === 105,
    );
  });

  it('that refuses the account keeps templates waiting until it is let in again', async () => {
    const number = `/numbers/${workspace.phone_number_id}`;
    await callControl(majlis, 'PATCH', number, { token_expired: true });
    const created = await create(templateOf('waiting'));
    const deleted = await create(templateOf('deleted_while_waiting'));
    assert.equal((await remove(deleted)).status, 204);
    await eventually(
      () => majlis.sql(`select max(failures)::int as failures from jobs where kind = 'templates.submit_template'`),
      ([row]) => row!.failures > 0,
    );
    assert.equal((await fetchTemplate(workspace, created)).status, 'pending');
    await callControl(majlis, 'PATCH', number, { token_expired: false });
    await untilTemplateInTime(majlis, workspace, created, 'approved');
    await majlis.advance(300);
    await settle();
    assert.deepEqual(await listAtPlatform(majlis, workspace, 'deleted_while_waiting'), []);
  });
});
