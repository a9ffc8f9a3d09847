import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService();

/** A template at the platform. */
interface AtPlatform {
  id: string;
  waba_id: string;
  name: string;
}

async function templateAt({ waba_id }: TestWorkspace, name: string): Promise<AtPlatform> {
  const all = (await callControl(majlis, 'GET', '/templates')) as AtPlatform[];
  return all.find((template) => template.waba_id === waba_id && template.name === name)!;
}

const add = ({ waba_id }: TestWorkspace, name: string, more: object = {}) =>
  majlis.simulator.addTemplate({
    waba_id,
    name,
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Fine.' }],
    ...more,
  });

const change = async (workspace: TestWorkspace, name: string, to: object) =>
  callControl(majlis, 'PATCH', `/templates/${(await templateAt(workspace, name)).id}`, to);

const stored = ({ waba_id }: TestWorkspace, name = 'order_update') =>
  majlis
    .sql(
      `select platform_template_id, language, status, category, quality, rejection_reason, components
       from templates where waba_id = $1 and name = $2`,
      [waba_id, name],
    )
    .then(([row]) => row);

const events = ({ waba_id }: TestWorkspace) =>
  majlis
    .sql<{ payload: string }>(
      `select payload from events where type = 'template.status_updated'
         and workspace_id = (select workspace_id from channels where waba_id = $1) order by created_at`,
      [waba_id],
    )
    .then((rows) => rows.map((row) => JSON.parse(row.payload)));

/** A workspace whose templates have been read from the platform. */
async function synced(): Promise<TestWorkspace> {
  const workspace = await majlis.workspace();
  await eventually(
    () => stored(workspace),
    (row) => row?.platform_template_id != null,
  );
  return workspace;
}

describe('the templates of an account', () => {
  it('are read from the platform when a channel is set up, all pages of them', async () => {
    const workspace = await synced();
    for (let n = 0; n < 230; n++) add(workspace, `seasonal_${n}`);
    await majlis.advance(600);
    await eventually(
      () => stored(workspace, 'seasonal_229'),
      (row) => row?.status === 'approved',
    );
    const { components, platform_template_id, ...row } = (await stored(workspace, 'seasonal_0'))!;
    assert.equal(platform_template_id, (await templateAt(workspace, 'seasonal_0')).id);
    assert.deepEqual(components, [{ type: 'body', text: 'Fine.' }]);
    const known = { language: 'en_US', status: 'approved', category: 'utility', rejection_reason: null };
    assert.deepEqual(row, { ...known, quality: 'UNKNOWN' });
    const rows = await majlis.sql(`select count(*)::int as count from templates where waba_id = $1`, [
      workspace.waba_id,
    ]);
    assert.deepEqual(rows, [{ count: 232 }]);
    assert.deepEqual(await events(workspace), []);
  });

  it('change with the platform’s reviews, and each changed status is an event', async () => {
    const workspace = await synced();
    await change(workspace, 'order_update', { status: 'REJECTED', reason: 'INVALID_FORMAT' });
    await eventually(
      () => stored(workspace),
      (row) => row?.status === 'rejected',
    );
    assert.equal((await stored(workspace))!.rejection_reason, 'INVALID_FORMAT');
    await change(workspace, 'order_update', { status: 'APPROVED' });
    await eventually(
      () => stored(workspace),
      (row) => row?.status === 'approved',
    );
    assert.equal((await stored(workspace))!.rejection_reason, null);
    await change(workspace, 'order_update', { quality: 'RED' });
    await change(workspace, 'order_update', { category: 'MARKETING' });
    await eventually(
      () => stored(workspace),
      (row) => row?.quality === 'RED' && row.category === 'marketing',
    );

    const [rejected, approved, ...more] = await events(workspace);
    assert.deepEqual(more, []);
    assert.equal(rejected.workspace_id, workspace.id);
    const { template } = rejected.data;
    assert.match(template.id, /^tpl_[0-9a-z]{26}$/);
    assert.deepEqual(
      [template.name, template.language, template.status, template.rejection_reason],
      ['order_update', 'en', 'rejected', 'INVALID_FORMAT'],
    );
    assert.equal(approved.data.template.status, 'approved');
    assert.ok(!('rejection_reason' in approved.data.template));
  });

  it('are compared again every ten minutes, so that a lost report is made up for', async () => {
    const workspace = await synced();
    add(workspace, 'order_update', { language: 'en', status: 'PAUSED' });
    await majlis.advance(600);
    await eventually(
      () => stored(workspace),
      (row) => row?.status === 'paused',
    );
    assert.deepEqual(
      (await events(workspace)).map((event) => event.data.template.status),
      ['paused'],
    );
  });

  it('are taken up when the platform reports on one that is not known', async () => {
    const workspace = await synced();
    add(workspace, 'made_elsewhere', { status: 'PENDING' });
    await change(workspace, 'made_elsewhere', { status: 'APPROVED' });
    await eventually(
      () => stored(workspace, 'made_elsewhere'),
      (row) => row?.status === 'approved',
    );
  });

  it('are gone once the platform deletes them', async () => {
    const workspace = await synced();
    await change(workspace, 'order_update', { status: 'PENDING_DELETION' });
    await eventually(
      () => stored(workspace),
      (row) => row === undefined,
    );
    assert.equal((await stored(workspace, 'spring_sale'))!.status, 'approved');
    assert.deepEqual(await events(workspace), []);
  });

  it('decide whether a message can be sent', async () => {
    const workspace = await synced();
    const send = () =>
      workspace.api.post('/messages', {
        to: '+96891234567',
        kind: 'template',
        template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] },
      });
    await change(workspace, 'order_update', { status: 'PAUSED' });
    await eventually(
      () => stored(workspace),
      (row) => row?.status === 'paused',
    );
    assert.equal((await send()).body.code, 'template_not_found');
    await change(workspace, 'order_update', { status: 'APPROVED' });
    await eventually(
      () => stored(workspace),
      (row) => row?.status === 'approved',
    );
    assert.equal((await send()).status, 201);
  });

  it('stay as they are while the platform refuses to list them', async () => {
    const workspace = await synced();
    const number = `/numbers/${workspace.phone_number_id}`;
    await callControl(majlis, 'PATCH', number, { token_expired: true });
    await majlis.advance(600);
    const isRefused = () => majlis.log.filter((line) => line.includes('did not list the templates'));
    await eventually(isRefused, (lines) => lines.length > 0);
    assert.equal((await stored(workspace))!.status, 'approved');
    assert.ok(!majlis.log.some((line) => line.includes(workspace.access_token)));
    add(workspace, 'order_update', { language: 'en', status: 'DISABLED' });
    await callControl(majlis, 'PATCH', number, { token_expired: false });
    await majlis.advance(600);
    await eventually(
      () => stored(workspace),
      (row) => row?.status === 'disabled',
    );
  });
});
