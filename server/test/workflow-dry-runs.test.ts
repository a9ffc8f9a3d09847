import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let admin: Member;
let contact_id: string;
before(async () => {
  workspace = await majlis.workspace();
  admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  const conversation_id = await receiveText(majlis, workspace, newDigits());
  contact_id = (await workspace.api.get(`/conversations/${conversation_id}`)).body.contact_id;
  await workspace.api.request('PATCH', `/contacts/${contact_id}`, { name: 'Muna' });
});

async function dryRun(definition: object, order: object = {}): Promise<AnyJson> {
  const { status, body } = await admin.at('POST', '/workflow-dry-runs', { definition, contact_id, ...order });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Every row that a run could leave behind. */
async function countRows(): Promise<AnyJson> {
  const tables = ['messages', 'workflows', 'workflow_versions', 'workflow_runs', 'workflow_run_steps', 'tag_changes'];
  const more = ['conversations', 'contacts', 'events', 'conversation_changes', 'live_changes', 'consent_records'];
  const counts = [...tables, ...more].map((table) => `(select count(*) from ${table}) as ${table}`);
  const jobs = `(select count(*) from jobs where kind in ('workflows.begin_run', 'workflows.continue_run')) as jobs`;
  const contact = `(select string_agg(c::text, '') from contacts c) as contact`;
  const [row] = await majlis.sql(`select ${[...counts, jobs, contact].join()}`);
  return row;
}

const rating = {
  trigger: 'api_call',
  steps: [
    {
      do: 'ask',
      name: 'rating',
      text: 'How was it, {{contact.name}}?',
      within: '1h',
      on_timeout: [{ do: 'set_tag', tag: 'silent' }],
    },
    {
      do: 'branch',
      cases: [
        {
          when: [{ value: '{{steps.rating.answer}}', less_than: 3 }],
          steps: [
            { do: 'set_tag', tag: 'unhappy' },
            { do: 'hand_over', to: 'human' },
          ],
        },
      ],
      else: [{ do: 'send_message', text: 'Thank you, {{contact.name}}!' }],
    },
  ],
};
const pathOf = ({ path }: AnyJson) => path.map(({ step, outcome }: AnyJson) => `${step} ${outcome}`);

function assertRefused({ status, body }: { status: number; body: AnyJson }, expected: number): AnyJson {
  assert.equal(status, expected, JSON.stringify(body));
  return body;
}

describe('a dry run', () => {
  it('takes the path of a run, tells why, and leaves nothing behind', async () => {
    const before_it = await countRows();
    const asked = await dryRun(rating);
    assert.deepEqual([asked.state, pathOf(asked)], ['needs_answer', ['/steps/0 asked']]);
    assert.deepEqual(asked.path[0].message, { kind: 'text', body: 'How was it, Muna?' });
    const bad = await dryRun(rating, { answers: ['2'] });
    assert.deepEqual(
      [bad.state, pathOf(bad)],
      [
        'completed',
        [
          '/steps/0 answered',
          '/steps/1 case 1',
          '/steps/1/cases/0/steps/0 tag set',
          '/steps/1/cases/0/steps/1 handed over to people',
        ],
      ],
    );
    assert.deepEqual(bad.path[1].cases, [
      [{ holds: true, comparison: { value: '{{steps.rating.answer}}', less_than: 3 }, met: '2' }],
    ]);
    const good = await dryRun(rating, { answers: ['5'] });
    assert.deepEqual(pathOf(good), ['/steps/0 answered', '/steps/1 else', '/steps/1/else/0 sent']);
    assert.equal(good.path[2].message.body, 'Thank you, Muna!');
    const silent = await dryRun(rating, { answers: [null] });
    assert.equal(pathOf(silent)[1], '/steps/0/on_timeout/0 tag set');
    assert.deepEqual(await countRows(), before_it);
  });

  it('decides by the rules of sending, also after the waits', async () => {
    const steps = [
      { do: 'send_message', text: 'Now' },
      { do: 'wait', for: '2d' },
      { do: 'send_message', text: 'Too late' },
    ];
    const late = await dryRun({ trigger: 'api_call', steps });
    assert.deepEqual([late.state, late.path[1].waits_seconds], ['failed', 172_800]);
    assert.match(late.reason, /window_closed|24/);
    const answered = await dryRun(
      { trigger: 'api_call', steps: [...steps.slice(1, 2), { do: 'ask', name: 'a', text: 'x', within: '1h' }] },
      { answers: ['y'] },
    );
    assert.equal(answered.state, 'failed');
  });

  it('tells the conditions that keep it from its start, and what a call would get', async () => {
    const definition = {
      trigger: 'message_received',
      when: [
        {
          any: [
            { value: '{{trigger.message.body}}', contains: 'order' },
            { not: { value: '{{contact.name}}', equals: 'muna' } },
          ],
        },
      ],
      steps: [
        {
          do: 'call',
          name: 'shop',
          url: 'https://shop.example.com/?q={{trigger.message.body}}',
          headers: { Key: 'token' },
        },
        { do: 'add_note', text: 'It answered {{steps.shop.status}}' },
      ],
    };
    const none = await dryRun(definition, { trigger: { message: 'Good morning' } });
    assert.deepEqual([none.state, none.path], ['not_started', []]);
    assert.equal(none.conditions[0].any[0].met, 'Good morning');
    assert.deepEqual([none.conditions[0].holds, none.conditions[0].any[1].not.holds], [false, true]);
    const found = await dryRun(definition, { trigger: { message: 'My order?' } });
    assert.equal(found.path[0].values.url, 'https://shop.example.com/?q=My%20order%3F');
    assert.equal(found.path[1].values.text, 'It answered 200');
    assert.ok(!JSON.stringify(found).includes('token'));
    const failed = await dryRun(definition, { trigger: { message: 'My order?' }, calls: 'failed' });
    assert.deepEqual([failed.state, failed.path.length], ['failed', 1]);
  });

  it('of a stored workflow is refused where the workspace has none with the id, and may start itself by its name', async () => {
    const steps = [{ do: 'start_workflow', name: 'again', workflow: 'Circle' }];
    const definition = { trigger: 'api_call', steps };
    const circle = { trigger: 'api_call', steps: [{ do: 'set_tag', tag: 'new' }] };
    const create = async (member: Member): Promise<string> => {
      const { status, body } = await member.at('POST', '/workflows', { name: 'Circle', definition: circle });
      assert.equal(status, 201, JSON.stringify(body));
      return body.workflow.id;
    };
    const stranger = await joinWorkspace(majlis, await majlis.workspace(), { role: 'admin' });
    const foreign_id = await create(stranger);
    const order = { definition, contact_id };
    assertRefused(await admin.at('POST', '/workflow-dry-runs', order), 422);
    const workflow_id = await create(admin);
    const published = { version: 1, expected_status: 'draft', status: 'published' };
    assert.equal((await admin.at('PATCH', `/workflows/${workflow_id}`, published)).status, 200);
    assert.equal((await dryRun(definition, { workflow_id })).state, 'completed');
    for (const unknown of ['wfl_00000000000000000000000000', 'none', foreign_id]) {
      assertRefused(await admin.at('POST', '/workflow-dry-runs', { ...order, workflow_id: unknown }), 404);
    }
  });

  it('is refused for a faulty definition and an unknown contact', async () => {
    const order = { definition: rating, contact_id: 'con_00000000000000000000000000' };
    assertRefused(await admin.at('POST', '/workflow-dry-runs', order), 422);
    const faulty = { definition: { trigger: 'never' }, contact_id };
    assert.equal(
      assertRefused(await admin.at('POST', '/workflow-dry-runs', faulty), 422).errors[0].pointer,
      '/definition/trigger',
    );
  });
});
