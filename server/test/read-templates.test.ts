import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTemplates, templateOf, templatesPath } from '@majlis/testing/start-templates';
import { changeAtPlatform, fetchTemplate, listAtPlatform, untilTemplate } from '@majlis/testing/templates';

const { majlis, workspace, create, statusesOf } = await startTemplates();

describe('the list of templates', () => {
  it('holds all, or those of one status or language, in one order', async () => {
    const listed = await majlis.workspace();
    const list = async (query = '') => {
      const { status, body, text } = await listed.api.get(`${templatesPath}${query}`);
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
    assertRefused(await listed.api.get(`${templatesPath}?status=fine`));
    assertRefused(await listed.api.get(`${templatesPath}?status=approved&status=rejected`));
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
    await untilNotificationsProcessed(majlis);
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
      () => fetchTemplate(workspace, id),
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
          () => fetchTemplate(workspace, id),
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
