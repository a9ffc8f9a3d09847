import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { applyMore, outboundTexts, publishWorkflows, startRun, untilRun } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let admin: Member;
let sara: Member;
before(async () => {
  workspace = await majlis.workspace({ stages: [{ name: 'Customer' }] });
  admin = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Muna' });
  sara = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Sara' });
});

const hello = { trigger: 'api_call', steps: [{ do: 'send_message', text: 'Hello' }] };
let count = 0;

async function create(definition: object, name = `Workflow ${++count}`): Promise<AnyJson> {
  const { status, body } = await admin.at('POST', '/workflows', { name, definition });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const save = (member: Member, id: string, version: number, definition: object) =>
  member.at('PUT', `/workflows/${id}/definition`, { version, definition });

function assertRefused({ status, body }: { status: number; body: AnyJson }, expected: number): AnyJson {
  assert.equal(status, expected, JSON.stringify(body));
  return body;
}

describe('a workflow in the console', () => {
  it('is made as a draft and saved in versions, each with its person', async () => {
    const { workflow, definition } = await create(hello);
    assert.deepEqual([workflow.status, workflow.version, workflow.saved_by.name], ['draft', 1, 'Muna']);
    assert.deepEqual(definition, hello);
    const second = { ...hello, steps: [{ do: 'set_tag', tag: 'greeted' }, ...hello.steps] };
    const saved = await save(sara, workflow.id, 1, second);
    assert.deepEqual([saved.status, saved.body.workflow.version], [200, 2]);
    for (let n = 0; n < 2; n++) {
      assert.equal((await save(sara, workflow.id, 2, second)).body.workflow.version, 2, 'the same is no new version');
    }
    const versions = (await admin.at('GET', `/workflows/${workflow.id}/versions`)).body.data;
    assert.deepEqual(
      versions.map(({ version, saved_by }: AnyJson) => [version, saved_by.name]),
      [
        [2, 'Sara'],
        [1, 'Muna'],
      ],
    );
    const first = await admin.at('GET', `/workflows/${workflow.id}/versions/1`);
    assert.deepEqual(first.body.definition, hello);
    const restored = await admin.at('POST', `/workflows/${workflow.id}/versions/1/restore`, { version: 2 });
    assert.deepEqual([restored.body.workflow.version, restored.body.definition], [3, hello]);
    const [latest] = (await admin.at('GET', `/workflows/${workflow.id}/versions?limit=1`)).body.data;
    assert.equal(latest.restored_from, 1);
    const acts = (await admin.at('GET', '/audit')).body.data.map(({ action }: AnyJson) => action);
    assert.deepEqual(acts.slice(0, 3), ['restoreWorkflowVersion', 'saveWorkflow', 'createWorkflow']);
  });

  it('is not overwritten by somebody who saw an older version or state', async () => {
    const { id } = (await create(hello)).workflow;
    const change = (text: string) => ({ ...hello, steps: [{ do: 'add_note', text }] });
    const both = await Promise.all([save(admin, id, 1, change('mine')), save(sara, id, 1, change('yours'))]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(both.find(({ status }) => status === 409)!.body.code, 'changed_meanwhile');
    const path = `/workflows/${id}`;
    const publish = { expected_status: 'draft', status: 'published' };
    assertRefused(await admin.at('PATCH', path, { ...publish, version: 1 }), 409);
    assert.equal((await admin.at('PATCH', path, { ...publish, version: 2 })).body.workflow.status, 'published');
    assertRefused(await sara.at('PATCH', path, { ...publish, version: 2 }), 409);
    assertRefused(await sara.at('POST', `${path}/versions/1/restore`, { version: 1 }), 409);
  });

  it('is refused with the pointer to the step of each fault, and then nothing is stored', async () => {
    const definition = {
      trigger: 'api_call',
      steps: [
        { do: 'set_stage', stage: 'Nowhere' },
        { do: 'branch', cases: [{ when: [], steps: [{ do: 'wait' }] }] },
      ],
    };
    const { body } = await admin.at('POST', '/workflow-checks', { definition });
    assert.deepEqual(
      body.faults.map(({ pointer }: AnyJson) => pointer),
      ['/steps/1/cases/0/steps/0'],
    );
    definition.steps.pop();
    const unknown = (await admin.at('POST', '/workflow-checks', { definition })).body.faults;
    assert.deepEqual(
      unknown.map(({ pointer }: AnyJson) => pointer),
      ['/steps/0/stage'],
    );
    const refused = assertRefused(await admin.at('POST', '/workflows', { name: 'Faulty', definition }), 422);
    assert.equal(refused.errors[0].pointer, '/definition/steps/0/stage');
    const { id } = (await create(hello, 'Taken')).workflow;
    assertRefused(await save(admin, id, 1, definition), 422);
    for (const name of [' Taken ', '\u2063'])
      assertRefused(await admin.at('POST', '/workflows', { name, definition: hello }), 422);
    const names = (await admin.at('GET', '/workflow-states')).body.data.map(({ name }: AnyJson) => name);
    assert.ok(names.includes('Taken') && !names.includes('Faulty'));
    for (const workflow_id of [undefined, id]) {
      const check = await admin.at('POST', '/workflow-checks', { definition: hello, workflow_id });
      assert.deepEqual(check.body, { faults: [] });
    }
    const nowhere = { definition: hello, workflow_id: 'wf_00000000000000000000000000' };
    assertRefused(await admin.at('POST', '/workflow-checks', nowhere), 404);
  });

  it('keeps the headers of its calls to itself, and for their host alone', async () => {
    const call = (url: string, token: string) => ({
      trigger: 'api_call',
      steps: [{ do: 'call', url, headers: { Authorization: `Bearer ${token}` } }],
    });
    const { workflow, definition } = await create(call('https://shop.example.com/a', 'shop-token'));
    const marked = definition.steps[0].headers.Authorization;
    assert.equal(marked, '[secret 1.1]');
    assert.ok(!JSON.stringify(definition).includes('shop-token'));
    const stored = () =>
      majlis.sql<{ text: string }>(
        `select definition::text as text from workflow_versions v join workflows w on w.id = v.workflow_id
          where w.name = $1 order by v.version desc limit 1`,
        [workflow.name],
      );
    const moved = structuredClone(definition);
    moved.steps = [
      { do: 'set_tag', tag: 'x' },
      { ...moved.steps[0], url: 'https://shop.example.com/b' },
    ];
    const saved = await save(admin, workflow.id, 1, moved);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.equal(saved.body.definition.steps[1].headers.Authorization, '[secret 2.1]');
    assert.match((await stored())[0]!.text, /sealed\(/);
    const elsewhere = structuredClone(definition);
    elsewhere.steps[0].url = 'https://thief.example.com/';
    const stolen = assertRefused(await save(admin, workflow.id, 2, elsewhere), 422);
    assert.equal(stolen.errors[0].pointer, '/definition/steps/0/headers/Authorization');
    assertRefused(await admin.at('POST', '/workflows', { name: 'Copy', definition }), 422);
    const restored = await admin.at('POST', `/workflows/${workflow.id}/versions/1/restore`, { version: 2 });
    assert.equal(restored.body.definition.steps[0].headers.Authorization, '[secret 3.1]');
  });

  it('names the first hundred marks that stand for no secret, each at its header, and reads few versions for them', async () => {
    const { workflow } = await create({
      trigger: 'api_call',
      steps: [{ do: 'call', url: 'https://shop.example.com/', headers: { Key: 'shop-token' } }],
    });
    const marks = (step: number) => Array.from({ length: 100 }, (_, n) => `[secret ${step * 100 + n + 2}.1]`).join('');
    const steps = Array.from({ length: 100 }, (_, step) => {
      return { do: 'call', url: 'https://shop.example.com/', headers: { 'X/Key': marks(step) } };
    });
    const check = async (definition: object) =>
      (await admin.at('POST', '/workflow-checks', { workflow_id: workflow.id, definition })).body.faults;
    const faults = await check({ trigger: 'api_call', steps });
    assert.deepEqual([faults.length, faults[99].pointer], [100, '/steps/0/headers/X~1Key']);
    const [, second] = steps;
    const behind = [{ ...second!, headers: { Key: '[secret 1.1]' } }, second!];
    const [fault] = await check({ trigger: 'api_call', steps: behind });
    assert.match(fault.detail, /\[secret 102\.1\]/);
    assert.equal(fault.pointer, '/steps/1/headers/X~1Key');
    const [late] = await check({ trigger: 'api_call', steps: behind.toReversed() });
    assert.equal(late.pointer, '/steps/0/headers/X~1Key');
  });

  it('stays as people saved it where the workspace file is applied again', async () => {
    const file = { name: 'Seeded', ...hello };
    const ids = await publishWorkflows(majlis, workspace, file);
    const id = ids.get('Seeded')!;
    const mine = { ...hello, steps: [{ do: 'send_message', text: 'Hello again' }] };
    assert.equal((await save(admin, id, 1, mine)).status, 200);
    const { body } = await applyMore(majlis, workspace, { workflows: [{ ...file, status: 'paused' }] });
    assert.deepEqual(body.kept, [
      { workflow: 'Seeded', member: 'definition', value: 'version 2', in_file: 'another definition' },
    ]);
    const { workflow, definition } = (await admin.at('GET', `/workflows/${id}`)).body;
    assert.deepEqual([workflow.version, workflow.status, definition], [2, 'paused', mine]);
    assert.equal(
      (await applyMore(majlis, workspace, { workflows: [{ name: 'Seeded', ...mine }] })).body.kept,
      undefined,
    );
  });
});

describe('the runs of a workflow in the console', () => {
  it('go on with their version, tell where they stand, and are cancelled', async () => {
    const question = {
      trigger: 'api_call',
      steps: [
        { do: 'ask', name: 'size', text: 'Which size?', within: '1h' },
        { do: 'send_message', text: 'It is {{steps.size.answer}}' },
      ],
    };
    const { workflow } = await create(question);
    const { id } = workflow;
    await admin.at('PATCH', `/workflows/${id}`, { version: 1, expected_status: 'draft', status: 'published' });
    const digits = newDigits();
    const conversation_id = await receiveText(majlis, workspace, digits);
    const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
    const run_id = await startRun(workspace, id, contact);
    await untilRun(majlis, workspace, run_id, ({ steps }) => steps.length > 0);
    assert.equal((await save(sara, id, 1, hello)).status, 200);

    const [run] = (await admin.at('GET', `/workflows/${id}/runs?status=running`)).body.data;
    assert.deepEqual([run.id, run.version, run.step, run.waits_for], [run_id, 1, '/steps/0', 'answer']);
    assert.equal(
      (await admin.at('GET', '/workflow-states')).body.data.find((one: AnyJson) => one.id === id).running_count,
      1,
    );
    const versions = (await admin.at('GET', `/workflows/${id}/versions`)).body.data;
    assert.deepEqual(
      versions.map(({ running_count }: AnyJson) => running_count),
      [0, 1],
    );
    const cancelled = await admin.at('POST', `/workflow-runs/${run_id}/cancel`);
    assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled']);
    assert.equal((await workspace.api.get(`/conversations/${conversation_id}`)).body.controller, 'human');
    assertRefused(await admin.at('POST', `/workflow-runs/${run_id}/cancel`), 409);
    await receiveText(majlis, workspace, digits, 'large');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['Which size?']);
    const { body } = await admin.at('GET', `/workflow-runs/${run_id}`);
    const { name, outcome } = body.steps[0];
    assert.deepEqual([body.run.reason, name, outcome], ['A person cancelled the run.', 'size', 'asked']);
    assert.equal('reason' in body.steps[0], false);
  });

  it('are found, as versions are, neither of an unknown workflow nor of one of another workspace', async () => {
    const stranger = await joinWorkspace(majlis, await majlis.workspace(), { role: 'admin' });
    const { workflow } = await create(hello);
    for (const [member, id] of [
      [stranger, workflow.id],
      [admin, 'wfl_00000000000000000000000000'],
    ] as const) {
      for (const list of ['runs', 'versions']) {
        assertRefused(await member.at('GET', `/workflows/${id}/${list}`), 404);
      }
    }
  });
});
