import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, untilStatus } from '@majlis/testing/messages';
import { startTestService } from '@majlis/testing/start-test-service';
import { forceTemplateSync, listAtPlatform } from '@majlis/testing/templates';
import { parseId } from '../src/database/ids.ts';

// How a deleted template leaves the platform beside what is still under way.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;
const path = '/chatapp/templates';

const jobsOf = (kind: string) => majlis.sql<{ failures: number }>('select failures from jobs where kind = $1', [kind]);
const settle = () =>
  eventually(
    () => Promise.all([jobsOf('templates.submit_template'), jobsOf('templates.remove_template')]),
    (jobs) => jobs.flat().length === 0,
  );

async function idOf(name: string): Promise<string> {
  const { body } = await api.get(path);
  return body.data.find((template: { name: string }) => template.name === name).id;
}

describe('a template is removed at the platform', () => {
  it('after the messages that were accepted before it was deleted', async () => {
    const channel = parseId('channel', workspace.channel_id);
    const kind = 'messages.deliver_message';
    await majlis.sql(`insert into job_groups values ($1, $2, now() + interval '1 hour')`, [kind, channel]);
    const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
    const { body } = await api.post('/messages', { to: `+${newDigits()}`, kind: 'template', template });
    assert.equal((await api.request('DELETE', `${path}/${await idOf('order_update')}`)).status, 204);
    await eventually(
      () => jobsOf('templates.remove_template'),
      ([job]) => job!.failures > 0,
    );
    assert.equal((await listAtPlatform(majlis, workspace, 'order_update')).length, 1);
    await majlis.sql('delete from job_groups where kind = $1', [kind]);
    await untilStatus(majlis, body.id, 'read');
    await majlis.advance(60);
    await settle();
    assert.deepEqual(await listAtPlatform(majlis, workspace, 'order_update'), []);
  });

  it('whenever it was deleted, its submission under way or not', async () => {
    const names = Array.from({ length: 24 }, (_, n) => `short_lived_${n}`);
    await Promise.all(
      names.map(async (name, n) => {
        const components = [{ type: 'body', text: `This is ${name}.` }];
        const { body } = await api.post(path, { name, language: 'en', category: 'utility', components });
        await setTimeout(n * 3);
        assert.equal((await api.request('DELETE', `${path}/${body.id}`)).status, 204);
      }),
    );
    await eventually(
      async () => {
        await majlis.advance(60);
        return Promise.all([jobsOf('templates.submit_template'), jobsOf('templates.remove_template')]);
      },
      (jobs) => jobs.flat().length === 0,
    );
    for (const name of names) assert.deepEqual(await listAtPlatform(majlis, workspace, name), [], name);
    await forceTemplateSync(majlis, workspace);
    const { body } = await api.get(path);
    assert.deepEqual(
      body.data.filter(({ name }: { name: string }) => name.startsWith('short_lived')),
      [],
    );
  });
});
