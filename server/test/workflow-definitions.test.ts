import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { forceTemplateSync } from '@majlis/testing/templates';
import { applyMore, publishWorkflows } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({
  stages: [{ name: 'Customer' }],
  users: [{ name: 'Omar', email: 'omar@acme.example' }],
});

const refusals: [string, object, { pointer: string; detail: RegExp }][] = [
  ['an unknown trigger', { trigger: 'full_moon' }, { pointer: '/trigger', detail: /one of conversation_created/ }],
  ['no trigger', {}, { pointer: '/trigger', detail: /required/ }],
  ['a misspelled member', { trigger: 'api_call', step: [] }, { pointer: '/step', detail: /step is not a member/ }],
  ['steps that are no list', { trigger: 'api_call', steps: {} }, { pointer: '/steps', detail: /list of steps/ }],
  ['a time for another trigger', { trigger: 'api_call', after: '1h' }, { pointer: '/after', detail: /no_reply/ }],
  [
    'no_reply without a time',
    { trigger: 'no_reply', reply_from: 'customer' },
    { pointer: '/after', detail: /required/ },
  ],
  ['no_reply of nobody', { trigger: 'no_reply', after: '1h' }, { pointer: '/reply_from', detail: /required/ }],
  [
    'conditions that are no list',
    { trigger: 'api_call', when: {} },
    { pointer: '/when', detail: /list of conditions/ },
  ],
  ...step('an unknown step', { do: 'dance' }, '/do', /^step 1 \(dance\): do must be one of send_message/),
  ...step('no step', null, '/do', /^step 1: do must/),
  ...step(
    'an unknown member',
    { do: 'set_tag', name: 'mark', tag: 'a', tg: 'b' },
    '/tg',
    /^step "mark" \(set_tag\): tg is not/,
  ),
  ...step('a missing member', { do: 'set_tag', name: 'mark' }, '/tag', /^step "mark" \(set_tag\): tag is required/),
  ...step('a member of another type', { do: 'set_tag', tag: 7 }, '/tag', /^step 1 \(set_tag\): tag must be string/),
  ...step(
    'a message without words',
    { do: 'send_message' },
    '',
    /^step 1 \(send_message\): needs either text or message/,
  ),
  ...step(
    'two messages in one',
    { do: 'ask', text: 'a', message: {}, within: '1h' },
    '',
    /needs either text or message/,
  ),
  ...step('a time that is none', { do: 'wait', for: 'a while' }, '/for', /must be a time such as 90s/),
  ...step('a time that is too long', { do: 'wait', for: '400d' }, '/for', /at most 366 days/),
  ...step('no time', { do: 'wait' }, '', /needs either for or until/),
  ...step('nobody to assign to', { do: 'assign' }, '', /needs user, team or round_robin/),
  ...step('an unknown user', { do: 'assign', user: 'nobody@acme.example' }, '/user', /names no user/),
  ...step('an unknown stage', { do: 'set_stage', stage: 'Nowhere' }, '/stage', /names no stage/),
  ...step('an unknown workflow', { do: 'start_workflow', workflow: 'None' }, '/workflow', /names no workflow/),
  ...step('an agent without a name', { do: 'hand_over', to: 'ai_agent' }, '/agent', /agent is required/),
  ...step('a host of variables', { do: 'call', url: 'https://{{contact.name}}/' }, '/url', /host without variables/),
  ...step(
    'a text that is too long',
    { do: 'ask', text: 'x'.repeat(4_097), within: '1h' },
    '/text',
    /text must not have/,
  ),
  ...message('no kind', {}, '/kind', /message: kind is required/),
  ...message('an unknown kind', { kind: 'fax' }, '/kind', /must be one of text/),
  ...message('no text', { kind: 'text' }, '/body', /body is required for this kind/),
  ...message('a text that is too long', { kind: 'text', body: 'x'.repeat(4_097) }, '/body', /more than 4096/),
  ...message(
    'a latitude beyond the pole, beside a variable',
    { kind: 'location', location: { latitude: 123, longitude: '{{trigger.variables.east}}' } },
    '/location/latitude',
    /latitude must be from -90 to 90/,
  ),
  ...message(
    'a latitude in words',
    { kind: 'location', location: { latitude: 'north', longitude: 58 } },
    '/location/latitude',
    /latitude must be number/,
  ),
  ...message(
    'four buttons, also with variables',
    { kind: 'interactive', body: '{{contact.name}}', interactive: { type: 'buttons', buttons: buttons(4) } },
    '/interactive/buttons',
    /1 to 3 buttons/,
  ),
  ...message(
    'a title that is too long behind one with a variable',
    {
      kind: 'interactive',
      body: 'Which?',
      interactive: { type: 'buttons', buttons: [...buttons(1), { id: 'b', title: 'x'.repeat(21) }] },
    },
    '/interactive/buttons/1/title',
    /more than 20 characters/,
  ),
  ...step('an unknown variable', { do: 'add_note', text: '{{kontact.name}}' }, '/text', /begins with none of trigger/),
  ...step('a number as a variable', { do: 'add_note', text: '{{1}}' }, '/text', /begins with none of/),
  ...step(
    'a step that is none',
    { do: 'add_note', text: '{{steps.ask.answer}}' },
    '/text',
    /no step that comes before/,
  ),
  ...step(
    'a step inside a step',
    {
      do: 'branch',
      name: 'way',
      cases: [{ when: [{ value: 'a', equals: 'a' }], steps: [{ do: 'jump', name: 'up' }] }],
    },
    '/cases/0/steps/0/do',
    /^step "up" \(jump\): do must be one of/,
  ),
  ...step(
    'a condition without a comparison',
    { do: 'branch', cases: [{ when: [{ value: 'a' }], steps: [] }] },
    '/cases/0/when/0',
    /a condition needs one of equals/,
  ),
];

function step(title: string, one: unknown, pointer: string, detail: RegExp): typeof refusals {
  return [[title, { trigger: 'api_call', steps: [one] }, { pointer: `/steps/0${pointer}`, detail }]];
}

function message(title: string, sent: object, pointer: string, detail: RegExp): typeof refusals {
  return step(`a message with ${title}`, { do: 'send_message', message: sent }, `/message${pointer}`, detail);
}

/** Choices with variables in their titles. */
function buttons(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ id: `choice ${n}`, title: '{{contact.name}}' }));
}

/** Messages that values of their variables may complete. */
const open: object[] = [
  { kind: '{{trigger.variables.kind}}', body: 'x'.repeat(5_000) },
  { kind: 'text', body: `{{contact.name}}${'x'.repeat(4_096)}` },
  { kind: 'location', location: '{{trigger.variables.place}}' },
  { kind: 'location', location: { latitude: '{{trigger.variables.north}}', longitude: 58 } },
  { kind: 'interactive', body: 'Which?', interactive: '{{trigger.variables.choices}}' },
  { kind: 'interactive', body: 'Which?', interactive: { type: 'list', buttons: '{{trigger.variables.choices}}' } },
  {
    kind: 'interactive',
    body: 'Which?',
    interactive: { type: 'buttons', buttons: ['{{trigger.variables.a}}', '{{trigger.variables.b}}'] },
  },
  { kind: 'interactive', body: 'Which?', interactive: { type: '{{trigger.variables.type}}', buttons: buttons(5) } },
  { kind: 'interactive', interactive: { type: 'buttons', body: { text: '{{contact.name}}' }, buttons: buttons(2) } },
];

describe('the definition of a workflow', () => {
  for (const [title, workflow, { pointer, detail }] of refusals) {
    it(`refuses ${title}: 422 that names the step`, async () => {
      const { status, body } = await applyMore(majlis, workspace, { workflows: [{ name: 'Wrong', ...workflow }] });
      assert.deepEqual([status, body.code], [422, 'unprocessable_content'], JSON.stringify(body));
      const fault = body.errors.find((one: { pointer: string }) => one.pointer === `/workflows/0${pointer}`);
      assert.match(fault?.detail ?? JSON.stringify(body), detail);
      assert.equal((await workspace.api.get('/workflows')).body.data.length, 0);
    });
  }

  it('leaves to the send what variables decide', async () => {
    const steps = open.map((sent) => ({ do: 'send_message', message: sent }));
    const other = await majlis.workspace();
    await publishWorkflows(majlis, other, { name: 'Open', trigger: 'api_call', steps });
  });

  it('refuses a template that no values make sendable, in a file and in the console', async () => {
    const other = await majlis.workspace();
    const admin = await joinWorkspace(majlis, other, { role: 'admin' });
    const shown = { name: 'shown', language: 'en' };
    const parts = [
      { type: 'BODY', text: 'See.' },
      { type: 'CAROUSEL', cards: [] },
    ];
    majlis.simulator.addTemplate({ waba_id: other.waba_id, ...shown, category: 'UTILITY', components: parts });
    await forceTemplateSync(majlis, other);
    const update = { template: 'order_update', language: 'en' };
    const faulty: [object, string, RegExp][] = [
      [{ do: 'send_template', template: 'shown', language: 'en' }, '/template', /a part of type carousel/],
      [{ do: 'send_template', ...update, params: ['{{contact.name}}'] }, '/template', /2 variables, and 1 values/],
      [
        { do: 'send_template', ...update, params: ['{{contact.name}}', ''] },
        '/template',
        /Value 2 of the template is empty/,
      ],
      [
        { do: 'ask', message: { kind: 'template', template: shown }, within: '1h' },
        '/message/template',
        /a part of type carousel/,
      ],
    ];
    for (const [step, pointer, detail] of faulty) {
      const workflow = { trigger: 'api_call', steps: [step] };
      const file = await applyMore(majlis, other, { workflows: [{ name: 'Wrong', ...workflow }] });
      const check = await admin.at('POST', '/workflow-checks', { definition: workflow });
      const place = `/steps/0${pointer}`;
      assert.deepEqual([file.status, file.body.errors?.[0].pointer], [422, `/workflows/0${place}`]);
      assert.deepEqual([check.status, check.body.faults[0]?.pointer], [200, place]);
      assert.match(check.body.faults[0].detail, detail);
    }
    const steps = [
      { do: 'send_template', template: 'comes_later', language: 'en', params: ['a'] },
      { do: 'send_template', template: '{{trigger.variables.name}}', language: 'en' },
      { do: 'send_template', ...update, params: ['{{contact.name}}', 7] },
    ];
    await publishWorkflows(majlis, other, { name: 'Right', trigger: 'api_call', steps });
  });

  it('refuses a name that two steps have, and steps too deep in each other', async () => {
    const twice = [
      { do: 'set_tag', name: 'mark', tag: 'a' },
      { do: 'set_tag', name: 'mark', tag: 'b' },
    ];
    let deep: object[] = [{ do: 'end' }];
    for (let n = 0; n < 13; n++) deep = [{ do: 'branch', cases: [{ when: [], steps: deep }] }];
    for (const steps of [twice, deep]) {
      const workflows = [{ name: 'Wrong', trigger: 'api_call', steps }];
      const { status, body } = await applyMore(majlis, workspace, { workflows });
      assert.deepEqual([status, /another step has this name|too deep/.test(body.errors?.[0]?.detail)], [422, true]);
    }
  });

  it('is read back as it was, and a change of it is a version of its own', async () => {
    const other = await majlis.workspace();
    const steps = [{ do: 'add_note', text: 'One' }];
    await publishWorkflows(majlis, other, { name: 'Noted', trigger: 'api_call', steps });
    await publishWorkflows(majlis, other, { name: 'Noted', trigger: 'api_call', steps });
    await publishWorkflows(majlis, other, {
      name: 'Noted',
      trigger: 'api_call',
      steps: [{ do: 'add_note', text: 'Two' }],
    });
    // What a file leaves out stays: the steps, the trigger.
    await publishWorkflows(majlis, other, { name: 'Noted', trigger: 'api_call' });
    await publishWorkflows(majlis, other, { name: 'Noted' });
    await publishWorkflows(majlis, other, { name: 'Noted', steps: [{ do: 'add_note', text: 'Three' }] });
    const rows = await majlis.sql(
      `select v.version, definition from workflow_versions v join workflows w using (workspace_id)
       where w.id = v.workflow_id and w.name = 'Noted' order by v.version`,
    );
    assert.deepEqual(
      rows.map(({ version, definition }) => [version, (definition as { steps: { text: string }[] }).steps[0]!.text]),
      [
        [1, 'One'],
        [2, 'Two'],
        [3, 'Three'],
      ],
    );
  });
});
