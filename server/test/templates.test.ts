import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseId } from '../src/database/ids.ts';
import { assertRefused } from './support/assert-refused.ts';
import { eventually } from './support/eventually.ts';
import { newDigits } from './support/messages.ts';
import { settled } from './support/notices.ts';
import { startMajlis, type Workspace } from './support/start-majlis.ts';
import {
  callControl,
  changeAtPlatform,
  listAtPlatform,
  readList,
  readTemplate,
  templateEventsOf,
  untilTemplate,
  untilTemplateInTime,
} from './support/templates.ts';

const majlis = await startMajlis({ env: { RATE_LIMITS: 'off' } });
const path = '/chatapp/templates';
const day = 86_400;
let workspace: Workspace;

before(async () => {
  workspace = await majlis.workspace();
});

/** A template that the platform takes. No two have the same text: it refuses that. */
const templateOf = (name: string, more: object = {}) => ({
  name,
  language: 'en',
  category: 'utility',
  components: [{ type: 'body', text: `Hello {{1}}, this is ${name}.`, examples: ['Muna'] }],
  ...more,
});

async function create(template: object, { api }: Workspace = workspace): Promise<string> {
  const { status, body, text } = await api.post(path, template);
  assert.equal(status, 201, text);
  return body.id;
}

const remove = (id: string, { api }: Workspace = workspace) => api.request('DELETE', `${path}/${id}`);

const statusesOf = async (id: string) => {
  const events = await templateEventsOf(majlis, workspace);
  return events
    .map(({ data }) => data.template)
    .filter((one) => one.id === id)
    .map(({ status }) => status);
};

const settle = () =>
  eventually(
    () =>
      majlis.sql(
        `select kind, payload from jobs where kind in ('templates.submit_template', 'templates.remove_template')`,
      ),
    (rows) => rows.length === 0,
  );

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
    const { status, body } = await workspace.api.post(path, templateOf('full', { components }));
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
    await readList(majlis, workspace);
    await eventually(
      () => readTemplate(workspace, id),
      ({ quality }) => quality === 'UNKNOWN',
    );
    assert.deepEqual((await readTemplate(workspace, id)).components, components);
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
      () => readTemplate(workspace, id),
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
    const { errors } = assertRefused(await workspace.api.post(path, templateOf('taken')));
    assert.equal(errors![0]!.pointer, '/name');
    await create(templateOf('taken', { language: 'ar', components: [{ type: 'body', text: 'مرحبا' }] }));
    const other = await majlis.workspace();
    await create(templateOf('taken'), other);
  });

  it('is stored once, however many ask for it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => workspace.api.post(path, templateOf('contested'))),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(422)]);
    await settle();
    assert.equal((await listAtPlatform(majlis, workspace, 'contested')).length, 1);
  });

  it('needs a channel', async () => {
    const without = await majlis.workspace({ channels: [], templates: [] });
    const { detail } = assertRefused(await without.api.post(path, templateOf('homeless')));
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
      () => majlis.sql('select platform_template_id from templates where id = $1', [parseId('tpl', id)]),
      ([template]) => template?.platform_template_id != null,
    );
    const there = await listAtPlatform(majlis, workspace, 'answer_lost');
    assert.deepEqual(
      there.map((template) => template.id),
      [row!.platform_template_id],
    );
    assert.equal((await readTemplate(workspace, id)).status, 'pending');
    await callControl(majlis, 'PATCH', '/settings', { delays: { review_ms: 10 } });
    await changeAtPlatform(majlis, workspace, 'answer_lost', { status: 'APPROVED' });
    await untilTemplate(workspace, id, 'approved');
    assert.deepEqual(await statusesOf(id), ['approved']);
  });

  it('that takes a hundred templates an hour gets no more than that, and the others later', async () => {
    const own = await majlis.workspace();
    const names = Array.from({ length: 103 }, (_, n) => `one_of_many_${n}`);
    await Promise.all(names.map((name) => create(templateOf(name), own)));
    const count = async (status: string) => (await own.api.get(`${path}?status=${status}`)).body.data.length;
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
    assert.equal((await readTemplate(workspace, created)).status, 'pending');
    await callControl(majlis, 'PATCH', number, { token_expired: false });
    await untilTemplateInTime(majlis, workspace, created, 'approved');
    await majlis.advance(300);
    await settle();
    assert.deepEqual(await listAtPlatform(majlis, workspace, 'deleted_while_waiting'), []);
  });
});

describe('the list of templates', () => {
  it('holds all, or those of one status or language, in one order', async () => {
    const listed = await majlis.workspace();
    const list = async (query = '') => {
      const { status, body, text } = await listed.api.get(`${path}${query}`);
      assert.equal(status, 200, text);
      return body.data.map(({ name, language }: { name: string; language: string }) => `${name} ${language}`);
    };
    await untilTemplate(listed, await create(templateOf('z_rejected'), listed), 'rejected');
    await create(templateOf('a_pending', { language: 'ar' }), listed);
    const all = ['order_update en', 'spring_sale en', 'z_rejected en', 'a_pending ar'];
    assert.deepEqual(await list(), all);
    assert.deepEqual(await list(), all);
    assert.deepEqual(await list('?status=rejected'), ['z_rejected en']);
    assert.deepEqual(await list('?status=pending&language=ar'), ['a_pending ar']);
    assert.deepEqual(await list('?language=en&status=pending'), []);
    assert.deepEqual(await list('?language=e%25'), []);
    assertRefused(await listed.api.get(`${path}?status=fine`));
    assertRefused(await listed.api.get(`${path}?status=approved&status=rejected`));
  });
});

describe('a deleted template', () => {
  it('is gone here at once and soon at the platform, in its language alone', async () => {
    const id = await create(templateOf('bilingual'));
    const arabic = await create(
      templateOf('bilingual', { language: 'ar', components: [{ type: 'body', text: 'مرحبا بكم' }] }),
    );
    await untilTemplate(workspace, id, 'approved');
    const { status, text } = await remove(id);
    assert.deepEqual([status, text], [204, '']);
    assertRefused(await workspace.api.get(`${path}/${id}`), 404);
    assertRefused(await remove(id), 404);
    const send = {
      to: `+${newDigits()}`,
      kind: 'template',
      template: { name: 'bilingual', language: 'en', params: ['a'] },
    };
    assert.equal((await workspace.api.post('/messages', send)).body.code, 'template_not_found');
    await settle();
    assert.deepEqual(
      (await listAtPlatform(majlis, workspace, 'bilingual')).map(({ language }) => language),
      ['ar'],
    );
    await untilTemplate(workspace, arabic, 'approved');
  });

  it('is of the workspace that asks', async () => {
    const id = await create(templateOf('guarded'));
    assertRefused(await remove(id, await majlis.workspace()), 404);
    assert.equal((await readTemplate(workspace, id)).name, 'guarded');
  });

  it('does not come back by the platform’s list while its removal there is refused', async () => {
    const id = await create(templateOf('kept_disabled'));
    await untilTemplate(workspace, id, 'disabled');
    await remove(id);
    await eventually(
      () => majlis.log.filter((line) => line.includes('was not removed at the platform') && line.includes(id)),
      (lines) => lines.length > 0,
    );
    await readList(majlis, workspace);
    const { body } = await workspace.api.get(path);
    assert.ok(!body.data.some(({ name }: { name: string }) => name === 'kept_disabled'));
    // Allowed again, it goes.
    await changeAtPlatform(majlis, workspace, 'kept_disabled', { status: 'PAUSED' });
    await majlis.advance(3600);
    await settle();
    assert.deepEqual(await listAtPlatform(majlis, workspace, 'kept_disabled'), []);
  });

  it('that the platform has lost by then is as good as removed', async () => {
    const id = await create(templateOf('lost_there'));
    await untilTemplate(workspace, id, 'approved');
    const { simulator } = majlis;
    const options = { method: 'DELETE', headers: { authorization: `Bearer ${workspace.access_token}` } };
    const url = `${simulator.api_url}/${workspace.waba_id}/message_templates?name=lost_there`;
    assert.equal((await fetch(url, options)).status, 200);
    assert.equal((await remove(id)).status, 204);
    await settle();
  });
});

describe('the name of a deleted template', () => {
  const file = (templates: object[]) => ({ workspace: { name: workspace.applied.workspace.name }, templates });

  it('is free again after thirty days, to the millisecond, in all languages', async () => {
    const own = await majlis.workspace();
    const id = await create(templateOf('seasonal'), own);
    await untilTemplate(own, id, 'approved');
    await remove(id, own);
    await settle();
    const again = (language = 'en') => own.api.post(path, templateOf('seasonal', { language }));
    const { errors } = assertRefused(await again());
    assert.equal(errors![0]!.pointer, '/name');
    assert.match(errors![0]!.detail, /30 days/);
    assertRefused(await again('ar'));
    await create(templateOf('seasonal'), workspace);

    await majlis.advance(29 * day);
    assertRefused(await again());
    await majlis.advance(2 * day);
    // The list is read every ten minutes, and with it what is known no more goes.
    await eventually(
      async () => {
        await majlis.advance(601);
        return majlis.sql(`select from deleted_templates where name = 'seasonal'`);
      },
      (rows) => rows.length === 0,
    );
    const created = await again();
    assert.equal(created.status, 201, created.text);
    await untilTemplate(own, created.body.id, 'approved');
  });

  it('is passed over where a file of the operator has it', async () => {
    const given = templateOf('from_file');
    const { body } = await majlis.operator('PUT', '/workspaces', file([given]));
    const [{ id }] = body.templates;
    await remove(id);
    const again = await majlis.operator('PUT', '/workspaces', file([given, templateOf('beside_it')]));
    assert.equal(again.status, 200);
    assert.deepEqual(
      again.body.templates.map(({ name }: { name: string }) => name),
      ['beside_it'],
    );
    assertRefused(await workspace.api.get(`${path}/${id}`), 404);
    await majlis.advance(30 * day);
    const late = await majlis.operator('PUT', '/workspaces', file([given]));
    assert.equal(late.body.templates.length, 1);
  });

  it('is blocked too where the platform deleted it', async () => {
    const id = await create(templateOf('deleted_there'));
    await untilTemplate(workspace, id, 'approved');
    await changeAtPlatform(majlis, workspace, 'deleted_there', { status: 'DELETED' });
    await eventually(
      () => workspace.api.get(`${path}/${id}`),
      ({ status }) => status === 404,
    );
    assertRefused(await workspace.api.post(path, templateOf('deleted_there')));
  });
});

describe('what the platform reports of a template', () => {
  it('is an entry of its history for each status, whatever the source', async () => {
    const id = await create(templateOf('storied'));
    await untilTemplate(workspace, id, 'approved');
    await changeAtPlatform(majlis, workspace, 'storied', { status: 'PAUSED' });
    await untilTemplate(workspace, id, 'paused');
    await changeAtPlatform(majlis, workspace, 'storied', { status: 'FLAGGED', quality: 'RED' });
    await untilTemplate(workspace, id, 'approved');
    await settled(majlis);
    const [there] = await listAtPlatform(majlis, workspace, 'storied');
    // A list alone tells this one.
    await majlis.sql(`update jobs set run_at = now() + interval '1 year' where kind = 'inbound.process_webhook'`);
    majlis.simulator.addTemplate({
      ...templateOf('storied', { category: 'MARKETING' }),
      waba_id: workspace.waba_id,
      components: [{ type: 'BODY', text: 'Hello {{1}}, this is storied.', example: { body_text: [['Muna']] } }],
      status: 'DISABLED',
    });
    await majlis.advance(600);
    const template = await untilTemplate(workspace, id, 'disabled');
    assert.equal(template.category, 'marketing');
    const history = template.review_history!;
    const statuses = ['pending', 'approved', 'paused', 'approved', 'disabled'];
    assert.deepEqual(
      history.map(({ status }) => status),
      statuses,
    );
    assert.deepEqual(
      history.map(({ updated_at }) => updated_at).sort(),
      history.map(({ updated_at }) => updated_at),
    );
    assert.deepEqual(await statusesOf(id), statuses.slice(1));
    assert.equal((await listAtPlatform(majlis, workspace, 'storied'))[0]!.id, there!.id);
  });

  it('makes marketing of a template, and then the opt-in counts', async () => {
    const id = await create(templateOf('notice_recategorised'));
    await untilTemplate(workspace, id, 'approved');
    await eventually(
      () => readTemplate(workspace, id),
      ({ category }) => category === 'marketing',
    );
    const to = `+${newDigits()}`;
    const template = { name: 'notice_recategorised', language: 'en', params: ['Muna'] };
    const refused = await workspace.api.post('/messages', { to, kind: 'template', template });
    assert.match(assertRefused(refused).detail!, /consents\.chatapp_marketing/);
    assert.deepEqual(await statusesOf(id), ['approved']);
  });

  it('shows its quality', async () => {
    const id = await create(templateOf('worn_paused'));
    const template = await untilTemplate(workspace, id, 'paused');
    assert.equal(
      (
        await eventually(
          () => readTemplate(workspace, id),
          ({ quality }) => quality === 'RED',
        )
      ).quality,
      'RED',
    );
    assert.deepEqual(
      template.review_history!.map(({ status }) => status),
      ['pending', 'approved', 'paused'],
    );
  });
});
