import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { startTemplates, templateOf, templatesPath } from '@majlis/testing/start-templates';
import {
  changeAtPlatform,
  fetchTemplate,
  forceTemplateSync,
  listAtPlatform,
  untilTemplate,
} from '@majlis/testing/templates';
import { whileHeld } from '@majlis/testing/while-held';

const { majlis, workspace, create, remove, settle } = await startTemplates();
const day = 86_400;

describe('a deleted template', () => {
  it('is gone here at once and soon at the platform, in its language alone', async () => {
    const id = await create(templateOf('bilingual'));
    const arabic = await create(
      templateOf('bilingual', { language: 'ar', components: [{ type: 'body', text: 'مرحبا بكم' }] }),
    );
    await untilTemplate(workspace, id, 'approved');
    const { status, text } = await remove(id);
    assert.deepEqual([status, text], [204, '']);
    assertRefused(await workspace.api.get(`${templatesPath}/${id}`), 404);
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

  it('was told before by the number of what still sends it, in its language alone', async () => {
    const id = await create(templateOf('in_use'));
    const arabic = await create(
      templateOf('in_use', { language: 'ar', components: [{ type: 'body', text: 'أهلًا بكم جميعًا' }] }),
    );
    await untilTemplate(workspace, id, 'approved');
    await untilTemplate(workspace, arabic, 'approved');
    const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const stranger = await joinWorkspace(majlis, await majlis.workspace(), { role: 'admin' });
    const use = async (template_id: string) => (await admin.at('GET', `${templatesPath}/${template_id}/use`)).body;
    assert.deepEqual(await use(id), { broadcasts: 0, workflows: 0 });

    const template = { name: 'in_use', language: 'en' };
    const audience = { recipients: [{ to: `+${newDigits()}`, params: ['Muna'] }] };
    const later = await admin.at('POST', '/broadcasts', {
      ...{ name: 'Later', template, audience, send_at: '2100-01-01T00:00:00Z' },
    });
    assert.equal(later.status, 201, JSON.stringify(later.body));
    const step = { do: 'send_template', template: 'in_use', language: 'en', params: ['Muna'] };
    const within = { do: 'branch', cases: [], else: [] };
    const cases = [{ when: [{ value: '{{contact.name}}', equals: 'Muna' }], steps: [step] }];
    const definitions = {
      'Sends it twice, in a branch too': [step, { ...within, cases }],
      'Sends the other language': [{ ...step, language: 'ar', params: [] }],
      'Has its name as a tag': [{ do: 'set_tag', tag: 'in_use' }],
    };
    for (const [name, steps] of Object.entries(definitions)) {
      const { status, body } = await admin.at('POST', '/workflows', {
        name,
        definition: { trigger: 'api_call', steps },
      });
      assert.equal(status, 201, JSON.stringify(body));
    }
    assert.deepEqual(await use(id), { broadcasts: 1, workflows: 1 });
    assert.deepEqual(await use(arabic), { broadcasts: 0, workflows: 1 });
    assert.equal((await stranger.at('GET', `${templatesPath}/${id}/use`)).status, 404);
    assert.equal((await remove(id)).status, 204);
    assert.equal((await admin.at('GET', `${templatesPath}/${id}/use`)).status, 404);
  });

  it('is of the workspace that asks', async () => {
    const id = await create(templateOf('guarded'));
    assertRefused(await remove(id, await majlis.workspace()), 404);
    assert.equal((await fetchTemplate(workspace, id)).name, 'guarded');
  });

  it('does not come back by the platform’s list while its removal there is refused', async () => {
    const id = await create(templateOf('kept_disabled'));
    await untilTemplate(workspace, id, 'disabled');
    await remove(id);
    await eventually(
      () => majlis.log.filter((line) => line.includes('was not removed at the platform') && line.includes(id)),
      (lines) => lines.length > 0,
    );
    await forceTemplateSync(majlis, workspace);
    const { body } = await workspace.api.get(templatesPath);
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
  /**
   * Waits until this statement waits for a lock, if need be for one of the session `of`. Answers its own session. A first
   * attempt gives up after 100 ms: a longer wait is that of the second one, which stays.
   */
  async function waiting(statement: string, { of, longer_than_ms = 0 }: { of?: number; longer_than_ms?: number }) {
    const [session] = await eventually(
      () =>
        majlis.sql<{ pid: number }>(
          `select pid from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query ilike $1
             and ($2::int is null or $2 = any (pg_blocking_pids(pid)))
             and clock_timestamp() > query_start + make_interval(secs => $3 / 1000.0)`,
          [`%${statement}%`, of, longer_than_ms],
        ),
      (sessions) => sessions.length > 0,
    );
    return session!.pid;
  }

  it('is free again after thirty days, to the millisecond, in all languages', async () => {
    const own = await majlis.workspace();
    const id = await create(templateOf('seasonal'), own);
    await untilTemplate(own, id, 'approved');
    await remove(id, own);
    await settle();
    const again = (language = 'en') => own.api.post(templatesPath, templateOf('seasonal', { language }));
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
    assertRefused(await workspace.api.get(`${templatesPath}/${id}`), 404);
    await majlis.advance(30 * day);
    const late = await majlis.operator('PUT', '/workspaces', file([given]));
    assert.equal(late.body.templates.length, 1);
  });

  it('is blocked for a creation that began before the deletion was done', async () => {
    const id = await create(templateOf('contested'));
    await untilTemplate(workspace, id, 'approved');
    await settle();
    const { deletion, creation } = await whileHeld(
      majlis,
      // Only the row of this template: a lock on the table would stop a reading of the platform's list, which has locked it.
      `insert into deleted_templates (workspace_id, id, waba_id, name, language, deleted_at)
       select workspace_id, id, waba_id, name, language, now() from templates where name = 'contested'`,
      async () => {
        const deletion = remove(id);
        const deleting = await waiting('insert into deleted_templates', { longer_than_ms: 1_000 });
        const creation = workspace.api.post(templatesPath, templateOf('contested'));
        await waiting('insert into templates', { of: deleting });
        return { deletion, creation };
      },
    );
    assert.equal((await deletion).status, 204);
    assert.match(assertRefused(await creation).errors![0]!.detail, /30 days/);
  });

  it('is blocked too where the platform deleted it', async () => {
    const id = await create(templateOf('deleted_there'));
    await untilTemplate(workspace, id, 'approved');
    await changeAtPlatform(majlis, workspace, 'deleted_there', { status: 'DELETED' });
    await eventually(
      () => workspace.api.get(`${templatesPath}/${id}`),
      ({ status }) => status === 404,
    );
    assertRefused(await workspace.api.post(templatesPath, templateOf('deleted_there')));
  });
});
