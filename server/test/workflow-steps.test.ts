import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, receiveText } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { withTrigger } from '@majlis/testing/with-trigger';
import {
  outboundTexts,
  publishWorkflows,
  readRun,
  startRun,
  untilRun,
  untilRunEnded,
  untilWorkflowsIdle,
} from '@majlis/testing/workflows';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({
  stages: [{ name: 'Lead' }, { name: 'Customer' }],
  closing_categories: [{ name: 'Solved' }],
  users: [
    { name: 'Omar', email: 'omar@acme.example', role: 'agent' },
    { name: 'Aisha', email: 'aisha@acme.example', role: 'agent' },
  ],
  teams: [{ name: 'Sales' }],
  ai_agents: [{ name: 'Concierge' }],
  assignment: 'none',
});
const { api, applied } = workspace;
for (const [key, type] of [
  ['size', 'number'],
  ['gift', 'boolean'],
  ['colour', 'text'],
]) {
  await api.post('/custom-fields', { key, label: key, type });
}

const minute = 60;
let count = 0;

interface Performed {
  run: AnyJson;
  digits: string;
  conversation_id: string;
  contact: () => Promise<AnyJson>;
  conversation: () => Promise<AnyJson>;
}

/** Starts a workflow of these steps for a customer who just wrote, by the API. */
async function begin(steps: object[], { variables = {}, more = {} }: { variables?: object; more?: object } = {}) {
  const name = `Workflow ${++count}`;
  const ids = await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps, ...more });
  const digits = newDigits();
  const conversation_id = await receiveText(majlis, workspace, digits);
  const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
  const id = await startRun(workspace, ids.get(name)!, contact, variables);
  return { id, digits, conversation_id };
}

/** The same, until the run has ended. */
async function perform(steps: object[], variables: object = {}): Promise<Performed> {
  const { id, digits, conversation_id } = await begin(steps, { variables });
  const run = await untilRunEnded(majlis, workspace, id);
  const conversation = async () => (await api.get(`/conversations/${conversation_id}`)).body;
  const contact = async () => (await api.get(`/contacts/${run.contact_id}`)).body;
  return { run, digits, conversation_id, contact, conversation };
}

const outcomes = (run: AnyJson): string[] => run.steps.map(({ outcome }: AnyJson) => outcome);
const asked = (id: string) =>
  untilRun(majlis, workspace, id, ({ steps }) => steps.some((one: AnyJson) => one.outcome === 'asked'));

describe('a step of a workflow', () => {
  it('sends a message and a template, as the workflow', async () => {
    const { run, conversation_id, digits } = await perform(
      [
        { do: 'send_message', text: 'Hello {{trigger.variables.name}}' },
        { do: 'send_message', message: { kind: 'location', location: { latitude: 23.6, longitude: 58.4 } } },
        { do: 'send_template', template: 'order_update', language: 'en', params: ['{{trigger.variables.name}}', 7] },
      ],
      { name: 'Muna' },
    );
    assert.deepEqual([run.status, outcomes(run)], ['completed', ['sent', 'sent', 'sent']]);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), [
      'Hello Muna',
      '23.6,58.4',
      'Hello Muna, your order 7 has left.',
    ]);
    const { body } = await api.get(`/conversations/${conversation_id}/messages`);
    const mine = body.data.filter(({ direction }: AnyJson) => direction === 'outbound');
    assert.deepEqual(
      mine.map(({ actor_kind, actor_id }: AnyJson) => [actor_kind, actor_id]),
      Array(3).fill(['workflow', run.workflow_id]),
    );
    await eventually(
      () => majlis.simulator.ledger().filter(({ to }) => to.replace('+', '') === digits),
      (sent) => sent.length === 3,
    );
  });

  it('asks, and goes on with the first answer', async () => {
    const { id, digits, conversation_id } = await begin([
      { do: 'ask', name: 'size', text: 'Which size?', within: '1h' },
      { do: 'send_message', text: 'Size {{steps.size.answer}} it is' },
    ]);
    await asked(id);
    await receiveText(majlis, workspace, digits, '42');
    await receiveText(majlis, workspace, digits, '43');
    const run = await untilRunEnded(majlis, workspace, id);
    assert.deepEqual([run.status, outcomes(run)], ['completed', ['asked', 'answered', 'sent']]);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['Which size?', 'Size 42 it is']);
  });

  it('asks, and takes the answer that comes while the question is not committed yet', async () => {
    const storing = {
      on: 'before update on workflow_runs',
      when: 'new.asked_message_id is not null and old.asked_message_id is null',
      body: 'perform pg_advisory_xact_lock(47); return new;',
    };
    const { id, conversation_id } = await withTrigger(majlis, storing, () =>
      whileHeld(majlis, 'select pg_advisory_xact_lock(47)', async (held) => {
        const begun = await begin([
          { do: 'ask', name: 'size', text: 'Which size?', within: '1h' },
          { do: 'send_message', text: 'Size {{steps.size.answer}} it is' },
        ]);
        // The question itself, and not another transaction that waits: an answer before it is none.
        await untilWaiting(majlis, 1, 'update workflow_runs');
        await postNotification(majlis, workspace, { messages: [platformText(begun.digits, '42')] });
        // The answer waits for the question.
        await untilWaiting(majlis, 1, 'contact_identities');
        await held.release();
        await untilRunEnded(majlis, workspace, begun.id);
        return begun;
      }),
    );
    assert.deepEqual(outcomes(await readRun(majlis, workspace, id)), ['asked', 'answered', 'sent']);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['Which size?', 'Size 42 it is']);
  });

  it('asks, and takes no answer that was written before the question', async () => {
    const { id, digits, conversation_id } = await begin([
      { do: 'ask', name: 'one', text: 'One?', within: '1h' },
      { do: 'ask', name: 'two', text: 'Two?', within: '1h' },
      { do: 'send_message', text: '{{steps.one.answer}} {{steps.two.answer}}' },
    ]);
    await asked(id);
    await postNotification(majlis, workspace, {
      messages: [platformText(digits, 'first'), platformText(digits, 'second')],
    });
    await untilRun(majlis, workspace, id, ({ steps }) => steps.length === 3);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(outcomes(await readRun(majlis, workspace, id)), ['asked', 'answered', 'asked']);
    await receiveText(majlis, workspace, digits, 'third');
    await untilRunEnded(majlis, workspace, id);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['One?', 'Two?', 'first third']);
  });

  it('asks, and without an answer in time ends, goes on or takes the way for that', async () => {
    const ask = { do: 'ask', name: 'size', text: 'Which size?', within: '30m' };
    const ways = [{}, { on_timeout: 'continue' }, { on_timeout: [{ do: 'send_message', text: 'Bye' }] }];
    const begun = await Promise.all(
      ways.map((way) =>
        begin([
          { ...ask, ...way },
          { do: 'send_message', text: 'On: {{steps.size.outcome}}' },
        ]),
      ),
    );
    for (const { id } of begun) await asked(id);
    await majlis.advance(31 * minute);
    const said = [];
    for (const { id, conversation_id } of begun) {
      assert.equal((await untilRunEnded(majlis, workspace, id)).status, 'completed');
      said.push(await outboundTexts(majlis, conversation_id));
    }
    const on = 'On: no answer in time';
    assert.deepEqual(said, [['Which size?'], ['Which size?', on], ['Which size?', 'Bye', on]]);
  });

  it('waits for a time, and until a moment', async () => {
    const until = new Date(Date.parse((await majlis.operator('GET', '/clock')).body.now) + 3600_000).toISOString();
    const { id, conversation_id } = await begin(
      [
        { do: 'wait', for: '10m' },
        { do: 'send_message', text: 'One' },
        { do: 'wait', until: '{{trigger.variables.until}}' },
        { do: 'send_message', text: 'Two' },
      ],
      { variables: { until } },
    );
    await untilRun(majlis, workspace, id, ({ steps }) => steps.length === 1);
    await majlis.advance(9 * minute);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), []);
    await majlis.advance(2 * minute);
    await untilRun(majlis, workspace, id, ({ steps }) => steps.length === 3);
    await majlis.advance(60 * minute);
    const run = await untilRunEnded(majlis, workspace, id);
    assert.deepEqual(outcomes(run), ['waits', 'sent', 'waits', 'sent']);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['One', 'Two']);
  });

  it('branches on conditions, and goes on behind the branch', async () => {
    const branch = {
      do: 'branch',
      name: 'way',
      cases: [
        {
          when: [{ value: '{{trigger.variables.total}}', greater_than: 100 }],
          steps: [{ do: 'add_note', text: 'Big' }],
        },
        { when: [{ value: '{{contact.name}}', exists: false }], steps: [{ do: 'end' }] },
      ],
      else: [{ do: 'add_note', text: 'Small' }],
    };
    const steps = [branch, { do: 'add_note', text: 'Way {{steps.way.case}}' }];
    const notes = [];
    for (const total of [101, 99, 'many']) {
      const { conversation_id } = await perform(steps, { total });
      const rows = await majlis.sql(
        `select body from messages where conversation_id = $1 and kind = 'note' order by id`,
        [parseId('conversation', conversation_id)],
      );
      notes.push(rows.map(({ body }) => body));
    }
    assert.deepEqual(notes, [
      ['Big', 'Way 1'],
      ['Small', 'Way else'],
      ['Small', 'Way else'],
    ]);
  });

  it('sets and clears tags, stages and custom fields', async () => {
    const { run, contact, conversation } = await perform(
      [
        ...[
          { do: 'set_tag', tag: 'one' },
          { do: 'set_tag', tag: '{{trigger.variables.tag}}' },
        ],
        ...[
          { do: 'clear_tag', tag: 'one' },
          { do: 'set_stage', stage: 'Customer' },
        ],
        { do: 'set_stage', stage: 'Lead', of: 'contact' },
        ...[{ do: 'set_field', field: 'size', value: '{{trigger.variables.size}}' }],
        ...[
          { do: 'set_field', field: 'gift', value: true },
          { do: 'set_field', field: 'colour', value: 7 },
        ],
        { do: 'set_field', field: 'gift', value: null },
      ],
      { tag: 'two', size: ' 42 ' },
    );
    assert.equal(run.status, 'completed', run.reason);
    const [lead, customer] = applied.stages;
    const { tags, stage_id, custom_fields } = await contact();
    assert.deepEqual([tags, stage_id, custom_fields], [['two'], lead.id, { size: 42, colour: '7' }]);
    assert.equal((await conversation()).stage_id, customer.id);
  });

  it('assigns: to a user, to a team, in turn, to nobody', async () => {
    const assignees = [];
    for (const assign of [
      { user: 'omar@acme.example', team: 'Sales' },
      ...[{ round_robin: true }, { round_robin: true }, { user: null }],
    ]) {
      const { run, conversation } = await perform([{ do: 'assign', ...assign }]);
      assert.equal(run.status, 'completed', run.reason);
      const { assignee_id = null, team_id = null } = await conversation();
      assignees.push([assignee_id, team_id]);
    }
    const [omar, aisha] = applied.users.map(({ id }: AnyJson) => id);
    assert.deepEqual(assignees[0], [omar, applied.teams[0].id]);
    assert.deepEqual([assignees[1]![0], assignees[2]![0]].sort(), [omar, aisha].sort());
    assert.deepEqual(assignees[3], [null, null]);
  });

  it('assigns to nobody who was removed: it fails and says so', async () => {
    const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent' });
    assert.equal((await owner.at('DELETE', `/members/${leaver.user_id}`)).status, 204);
    const { run, conversation } = await perform([{ do: 'assign', user: leaver.email }]);
    assert.deepEqual([run.status, run.reason], ['failed', `The workspace has no user ${leaver.email}.`]);
    assert.equal((await conversation()).assignee_id, undefined);
  });

  it('hands over to people or to an AI agent, and ends with it', async () => {
    const people = await perform([{ do: 'send_message', text: 'Hi' }, { do: 'hand_over', to: 'human' }, { do: 'end' }]);
    assert.deepEqual(outcomes(people.run), ['sent', 'handed over to people']);
    assert.equal((await people.conversation()).controller, 'human');
    const agent = await perform([
      { do: 'send_message', text: 'Hi' },
      { do: 'hand_over', to: 'ai_agent', agent: 'Concierge' },
    ]);
    assert.deepEqual(outcomes(agent.run), ['sent', 'handed over to an AI agent']);
    assert.equal((await agent.conversation()).controller, 'bot');
    const [row] = await majlis.sql('select ai_agent_id, workflow_run_id from conversations where id = $1', [
      parseId('conversation', agent.conversation_id),
    ]);
    assert.deepEqual(row, { ai_agent_id: parseId('ai_agent', applied.ai_agents[0].id), workflow_run_id: null });
  });

  it('closes the conversation with a reason, and a later message reopens it', async () => {
    const closed = await perform([
      { do: 'send_message', text: 'Bye' },
      { do: 'close', category: 'Solved', summary: 'All {{trigger.type}}' },
    ]);
    const { status, controller } = await closed.conversation();
    assert.deepEqual([closed.run.status, status, controller], ['completed', 'closed', 'human']);
    const [row] = await majlis.sql('select summary from conversation_closings where conversation_id = $1', [
      parseId('conversation', closed.conversation_id),
    ]);
    assert.equal(row!.summary, 'All api_call');
    const reopened = await perform([{ do: 'close' }, { do: 'send_message', text: 'One more thing' }]);
    assert.deepEqual([reopened.run.status, (await reopened.conversation()).status], ['completed', 'open']);
  });

  it('starts another workflow, which takes over the control of the conversation', async () => {
    const other = { name: 'Child', trigger: 'conversation_created', when: [{ value: 'never', equals: 'so' }] };
    await publishWorkflows(majlis, workspace, {
      ...other,
      steps: [{ do: 'send_message', text: 'Child: {{trigger.variables.n}}' }],
    });
    const { id, conversation_id } = await begin(
      [
        { do: 'send_message', text: 'Parent' },
        { do: 'start_workflow', name: 'child', workflow: 'Child', variables: { n: '{{trigger.variables.n}}' } },
        ...[
          { do: 'wait', for: '1h' },
          { do: 'add_note', text: 'Parent goes on' },
        ],
      ],
      { variables: { n: 5 } },
    );
    await untilRun(majlis, workspace, id, ({ steps }) => steps.length === 3);
    const [row] = await majlis.sql('select results from workflow_runs where id = $1', [parseId('workflow_run', id)]);
    const { child } = row!.results as { child: { run_id: string } };
    assert.equal((await untilRunEnded(majlis, workspace, child.run_id)).status, 'completed');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['Parent', 'Child: 5']);
    assert.equal((await api.get(`/conversations/${conversation_id}`)).body.controller, 'human');
    await majlis.advance(61 * minute);
    assert.equal((await untilRunEnded(majlis, workspace, id)).status, 'completed');
  });

  it('that cannot be performed ends the run with the reason, or takes the way for that', async () => {
    const wrong = { do: 'set_stage', name: 'move', stage: '{{trigger.variables.stage}}' };
    const note = { do: 'add_note', text: 'On: {{steps.move.reason}}' };
    const reason = 'The workspace has no stage "Nowhere".';
    const seen = [];
    for (const way of [{}, { on_error: 'continue' }, { on_error: [{ do: 'set_tag', tag: 'lost' }, { do: 'end' }] }]) {
      const { run } = await perform([{ ...wrong, ...way }, note], { stage: 'Nowhere' });
      assert.equal(run.steps[0].reason, reason);
      seen.push([run.status, run.reason, outcomes(run)]);
    }
    assert.deepEqual(seen, [
      ['failed', reason, ['failed']],
      ['completed', undefined, ['failed', 'noted']],
      ['completed', undefined, ['failed', 'tag set', 'ended']],
    ]);
  });

  it('that the gate refuses says why: a closed window, an unknown template, no message', async () => {
    const ids = await publishWorkflows(
      majlis,
      workspace,
      { name: 'Text', trigger: 'api_call', steps: [{ do: 'send_message', text: 'Hi' }] },
      { name: 'Template', trigger: 'api_call', steps: [{ do: 'send_template', template: 'none', language: 'en' }] },
      {
        name: 'Nothing',
        trigger: 'api_call',
        steps: [{ do: 'send_message', message: { kind: '{{trigger.variables.none}}' } }],
      },
    );
    const reasons = [];
    for (const id of ids.values()) {
      const contact = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
      const run = await untilRunEnded(majlis, workspace, await startRun(workspace, id, contact));
      assert.equal(run.status, 'failed');
      reasons.push(run.reason.split(':')[0]);
    }
    assert.deepEqual(reasons, ['window_closed', 'template_not_found', 'unprocessable_content']);
  });
});
