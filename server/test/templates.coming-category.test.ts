import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { postSigned, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { changeAtPlatform, forceTemplateSync } from '@majlis/testing/templates';

// A change of category that the platform announces (platform-2026, row 12).
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const path = '/chatapp/coming-categories';
const due = Math.floor(Date.now() / 1000) + 30 * 86_400;
const changes_at = new Date(due * 1000).toISOString();
const marketing = { new_category: 'UTILITY', correct_category: 'MARKETING', category_update_timestamp: due };
const authentication = { ...marketing, correct_category: 'AUTHENTICATION', category_update_timestamp: String(due) };
const withdrawn = { new_category: 'UTILITY', correct_category: 'UTILITY' };
const done = { previous_category: 'MARKETING', new_category: 'UTILITY' };
const begin = Math.floor(Date.now() / 1000) - 10_000;
let workspace: TestWorkspace;
let admin: Member;
let count = 0;

before(async () => {
  workspace = await majlis.workspace();
  admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
});

/** A template of the account that both sides know. */
async function add() {
  const name = `order_${++count}`;
  const components = [{ type: 'BODY', text: 'Your order left.' }];
  majlis.simulator.addTemplate({
    ...{ waba_id: workspace.waba_id, name, language: 'en' },
    category: 'UTILITY',
    components,
  });
  await forceTemplateSync(majlis, workspace);
  const [{ id }] = (await workspace.api.get('/chatapp/templates')).body.data.filter(
    (template: { name: string }) => template.name === name,
  );
  const rows = await majlis.sql<{ id: string }>('select platform_template_id as id from templates where name = $1', [
    name,
  ]);
  const report = async (value: object, seconds: number) => {
    const named = { message_template_id: rows[0]!.id, message_template_name: name, message_template_language: 'en' };
    const changes = [{ field: 'template_category_update', value: { ...named, ...value } }];
    const entry = [{ id: workspace.waba_id, time: begin + seconds, changes }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    assert.equal((await postSigned(majlis, body, workspace.app_secret)).status, 200);
    await untilNotificationsProcessed(majlis);
  };
  return { id, name, report };
}

async function comingOf(template_id: string) {
  const { status, body } = await admin.at('GET', path);
  assert.equal(status, 200);
  return body.data.find((one: { template_id: string }) => one.template_id === template_id);
}

describe('a category that the platform announces for a template', () => {
  it('is shown where the report leaves out the category that holds now', async () => {
    const { id, report } = await add();
    await report({ ...marketing, new_category: null }, 1);
    assert.deepEqual(await comingOf(id), { template_id: id, category: 'marketing', changes_at });
  });

  it('is shown to administrators with its time, live, and the category stays until then', async () => {
    const { id, report } = await add();
    const stream = await openStream(majlis, admin);
    const before = (await workspace.api.get(`/chatapp/templates/${id}`)).body;
    await report(marketing, 1);
    assert.deepEqual(await comingOf(id), { template_id: id, category: 'marketing', changes_at });
    await stream.until(({ kind, template_id }) => kind === 'template' && template_id === id);
    assert.deepEqual((await workspace.api.get(`/chatapp/templates/${id}`)).body, before);
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    assert.equal((await agent.at('GET', path)).status, 403);
  });

  it('is shown without a time where the platform told none', async () => {
    const { id, report } = await add();
    await report({ ...marketing, category_update_timestamp: undefined }, 1);
    assert.deepEqual(await comingOf(id), { template_id: id, category: 'marketing' });
  });

  for (const [what, last, expected] of [
    ['ends where it is withdrawn', withdrawn, undefined],
    ['ends where another change is done', done, undefined],
    ['gives way to a later one', authentication, 'authentication'],
  ] as const) {
    for (const inOrder of [true, false]) {
      it(`${what}, with reports ${inOrder ? 'in' : 'out of'} order`, async () => {
        const { id, report } = await add();
        const reports = [() => report(marketing, 1), () => report(last, 2)];
        for (const send of inOrder ? reports : reports.toReversed()) await send();
        assert.equal((await comingOf(id))?.category, expected);
      });
    }
  }

  it('ends where it holds', async () => {
    const { id, name, report } = await add();
    await report(marketing, 1);
    await changeAtPlatform(majlis, workspace, name, { category: 'MARKETING' });
    await eventually(
      async () => (await workspace.api.get(`/chatapp/templates/${id}`)).body.category,
      (category) => category === 'marketing',
    );
    assert.equal(await comingOf(id), undefined);
  });
});
