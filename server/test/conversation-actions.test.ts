import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseId, publicId } from '../src/database/ids.ts';
import { assertRefused } from './support/assert-refused.ts';
import { newDigits, untilDispatched } from './support/messages.ts';
import { hearFrom, settled } from './support/notices.ts';
import { startMajlis, type Workspace } from './support/start-majlis.ts';

const majlis = await startMajlis({ env: { RATE_LIMITS: 'off' } });
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] } };
const text = { kind: 'text', body: 'Hello' };
const people = {
  users: [
    { name: 'Aisha Said', email: 'aisha@acme.example', role: 'admin' },
    { name: 'Omar Ali', email: 'omar@acme.example' },
  ],
  teams: [{ name: 'Sales', members: ['omar@acme.example'] }, { name: 'Care' }],
  stages: [{ name: 'New lead' }, { name: 'Customer' }],
  closing_categories: [{ name: 'Resolved' }, { name: 'Spam' }],
  ai_agents: [{ name: 'Concierge' }],
};
const nobody = '0'.repeat(26);

let workspace: Workspace;
let foreign: Workspace;
/** Public ids, in the order of the file. */
let ids: Record<'users' | 'teams' | 'stages' | 'closing_categories' | 'ai_agents', string[]>;
let foreignIds: typeof ids;

before(async () => {
  workspace = await majlis.workspace(people);
  foreign = await majlis.workspace(people);
  ids = idsOf(workspace);
  foreignIds = idsOf(foreign);
});

function idsOf({ applied }: Workspace): typeof ids {
  const of = (list: string) => applied[list].map(({ id }: { id: string }) => id);
  const [users, teams, stages] = [of('users'), of('teams'), of('stages')];
  return { users, teams, stages, closing_categories: of('closing_categories'), ai_agents: of('ai_agents') };
}

/** A conversation that began with a template, so its window is closed. */
async function begin({ api }: Workspace = workspace): Promise<string> {
  const { body } = await api.post('/messages', { to: `+${newDigits()}`, ...template });
  return body.conversation_id;
}

const path = (id: string, action?: string) => `/conversations/${id}${action ? `/${action}` : ''}`;
const read = async (id: string) => (await workspace.api.get(path(id))).body;
const act = (id: string, action: string, body?: unknown) => workspace.api.post(path(id, action), body);

async function done(id: string, action: string, body?: unknown, method = 'POST') {
  const reply = await workspace.api.request(method, path(id, action), body);
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(reply.body, await read(id));
  return reply.body;
}

async function assertRefusedUnchanged(id: string, action: string, body: unknown, pointer: string, method = 'POST') {
  const before = await read(id);
  const refused = assertRefused(await workspace.api.request(method, path(id, action), body));
  assert.deepEqual([...new Set(refused.errors?.map((error) => error.pointer))], [pointer]);
  assert.deepEqual(await read(id), before);
}

const closingsOf = (id: string) =>
  majlis.sql('select * from conversation_closings where conversation_id = $1 order by id', [parseId('cv', id)]);

const notesOf = async (id: string) => {
  const { body } = await workspace.api.get(path(id, 'messages'));
  return body.data.filter(({ kind }: { kind: string }) => kind === 'note');
};

/** A deadlock is run again and harms nobody; that there was none is the database's to say, a moment later. */
async function assertNoDeadlock(): Promise<void> {
  await majlis.sql('select pg_stat_force_next_flush()');
  const [row] = await majlis.sql('select deadlocks from pg_stat_database where datname = current_database()');
  assert.equal(Number(row!.deadlocks), 0);
}

describe('every action', () => {
  const actions: [string, string, object | undefined][] = [
    ['POST', 'assign', { assignee_id: null }],
    ['POST', 'close', {}],
    ['POST', 'reopen', undefined],
    ['PUT', 'stage', { stage_id: null }],
    ['POST', 'handover', { to: 'bot' }],
    ['POST', 'snooze', { until: '2100-01-01T00:00:00Z' }],
    ['POST', 'notes', { body: 'Hello' }],
  ];
  for (const [method, action, body] of actions) {
    it(`${action} answers 404 for a conversation of another workspace, and does nothing to it`, async () => {
      const theirs = await begin(foreign);
      const { body: before } = await foreign.api.get(path(theirs));
      for (const id of [theirs, `cv_${nobody}`, 'cv_', theirs.slice(3)]) {
        assertRefused(await workspace.api.request(method, path(id, action), body), 404);
      }
      assert.deepEqual((await foreign.api.get(path(theirs))).body, before);
      assert.equal((await foreign.api.get(path(theirs, 'messages'))).body.data.length, 1);
    });

    it(`${action} leaves the conversation as it is when it is repeated`, async () => {
      const id = await begin();
      const first = await workspace.api.request(method, path(id, action), body);
      assert.ok(first.status < 300, first.text);
      const after = await read(id);
      assert.equal((await workspace.api.request(method, path(id, action), body)).status, first.status);
      assert.deepEqual(await read(id), after);
    });
  }

  it('takes its turn with the others on the same conversation, with sends and with what the customer writes', async () => {
    const digits = Array.from({ length: 3 }, () => newDigits());
    const open = await Promise.all(digits.map((number) => hearFrom(majlis, workspace, number)));
    for (let round = 0; round < 12; round++) {
      const replies = await Promise.all(
        open.flatMap((id, index) => [
          act(id, 'assign', { assignee_id: ids.users[round % 2]!, team_id: ids.teams[round % 2]! }),
          act(id, 'close', { send_csat: true, category_id: ids.closing_categories[0] }),
          act(id, 'reopen'),
          act(id, 'notes', { body: '@Omar look' }),
          act(id, 'snooze', { until: '2100-01-01T00:00:00Z' }),
          workspace.api.request('PUT', path(id, 'stage'), { stage_id: ids.stages[round % 2] }),
          workspace.api.post(path(id, 'messages'), text),
          workspace.api.post('/messages', { to: `+${digits[index]}`, ...text }),
          hearFrom(majlis, workspace, digits[index]!),
        ]),
      );
      for (const reply of replies) {
        if (typeof reply === 'string') continue;
        assert.ok(reply.status < 300 || reply.body.code === 'conversation_closed', reply.text);
      }
    }
    await settled(majlis);
    await assertNoDeadlock();
  });
});

describe('assigning', () => {
  it('sets the user and the team, each by itself, and null clears it', async () => {
    const id = await begin();
    const [aisha, omar] = ids.users as [string, string];
    assert.equal((await done(id, 'assign', { assignee_id: aisha })).assignee_id, aisha);
    const both = await done(id, 'assign', { team_id: ids.teams[0] });
    assert.deepEqual([both.assignee_id, both.team_id], [aisha, ids.teams[0]]);
    const other = await done(id, 'assign', { assignee_id: omar, team_id: ids.teams[1] });
    assert.deepEqual([other.assignee_id, other.team_id], [omar, ids.teams[1]]);
    const alone = await done(id, 'assign', { assignee_id: null });
    assert.deepEqual([alone.assignee_id, alone.team_id], [undefined, ids.teams[1]]);
    assert.deepEqual(await done(id, 'assign', {}), alone);
    assert.equal((await done(id, 'assign', { team_id: null })).team_id, undefined);
  });

  it('moves the conversation to the lists of those it is assigned to', async () => {
    const id = await begin();
    const { contact_id } = await read(id);
    const listed = async (assignee_id: string) =>
      (await workspace.api.get(`/conversations?${new URLSearchParams({ contact_id, assignee_id })}`)).body.data.length;
    assert.equal(await listed('none'), 1);
    await done(id, 'assign', { assignee_id: ids.users[0] });
    assert.deepEqual([await listed('none'), await listed(ids.users[0]!), await listed(ids.users[1]!)], [0, 1, 0]);
  });

  it('refuses whom the workspace does not know', async () => {
    const id = await begin();
    for (const user of [`usr_${nobody}`, foreignIds.users[0], 'aisha', '', ids.teams[0], 'none']) {
      await assertRefusedUnchanged(id, 'assign', { assignee_id: user, team_id: ids.teams[0] }, '/assignee_id');
    }
    for (const team of [`team_${nobody}`, foreignIds.teams[0], 'Sales', '', ids.users[0]]) {
      await assertRefusedUnchanged(id, 'assign', { assignee_id: ids.users[0], team_id: team }, '/team_id');
    }
    await assertRefusedUnchanged(id, 'assign', { assignee_id: 7 }, '/assignee_id');
  });
});

describe('the stage', () => {
  it('is set and cleared, and is not the contact’s', async () => {
    const id = await begin();
    for (const stage of ids.stages) assert.equal((await done(id, 'stage', { stage_id: stage }, 'PUT')).stage_id, stage);
    assert.equal((await done(id, 'stage', {}, 'PUT')).stage_id, ids.stages[1]);
    const [contact] = await majlis.sql('select stage_id from contacts where id = $1', [
      parseId('ct', (await read(id)).contact_id),
    ]);
    assert.equal(contact!.stage_id, null);
    assert.equal((await done(id, 'stage', { stage_id: null }, 'PUT')).stage_id, undefined);
  });

  it('is refused where the workspace has no such stage', async () => {
    const id = await begin();
    for (const stage_id of [nobody, foreignIds.stages[0], 'New lead', '', 3]) {
      await assertRefusedUnchanged(id, 'stage', { stage_id }, '/stage_id', 'PUT');
    }
  });
});

describe('closing and reopening', () => {
  it('keeps the reason, the summary and where the conversation stood, each time', async () => {
    const id = await begin();
    await done(id, 'assign', { assignee_id: ids.users[0], team_id: ids.teams[0] });
    const [category] = ids.closing_categories as [string];
    const closed = await done(id, 'close', { category_id: category, summary: 'Delivered. \u0645' });
    assert.equal(closed.status, 'closed');
    await majlis.advance(60);
    assert.equal((await done(id, 'reopen')).status, 'open');
    await majlis.advance(60);
    await done(id, 'close', {});
    const [first, second] = await closingsOf(id);
    assert.deepEqual(
      [publicId('', first!.category_id), first!.summary, publicId('usr', first!.assignee_id), first!.closed_by],
      [category, 'Delivered. م', ids.users[0], null],
    );
    assert.deepEqual([second!.category_id, second!.summary], [null, null]);
    assert.ok(first!.opened_at < first!.closed_at && first!.closed_at < second!.opened_at);
    assert.ok(second!.opened_at < second!.closed_at);
  });

  it('closes once: a closed conversation and its reason stay', async () => {
    const id = await begin();
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd'].map((summary) => act(id, 'close', { summary, send_csat: true })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.equal((await closingsOf(id)).length, 1);
    assert.equal((await notesOf(id)).length, 1);
    await done(id, 'close', { summary: 'late', category_id: ids.closing_categories[1] });
    assert.equal((await closingsOf(id)).length, 1);
  });

  it('refuses a reason that the workspace does not have', async () => {
    const id = await begin();
    for (const category_id of [nobody, foreignIds.closing_categories[0], 'Resolved', '', null]) {
      await assertRefusedUnchanged(id, 'close', { category_id }, '/category_id');
    }
    assert.deepEqual(await closingsOf(id), []);
  });

  it('reopens when the customer writes, and by a send to the number', async () => {
    const digits = newDigits();
    const id = await hearFrom(majlis, workspace, digits);
    await done(id, 'close', {});
    await hearFrom(majlis, workspace, digits);
    assert.equal((await read(id)).status, 'open');
    await done(id, 'close', {});
    await workspace.api.post('/messages', { to: `+${digits}`, ...text });
    assert.equal((await read(id)).status, 'open');
    await done(id, 'close', {});
    const times = (await closingsOf(id)).flatMap(({ opened_at, closed_at }) => [+opened_at, +closed_at]);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });
});

describe('the satisfaction survey', () => {
  const sentTo = (digits: string) =>
    majlis.simulator.ledger().filter(({ body }) => (body as { to: string }).to.replace('+', '') === digits);

  it('is sent before the conversation closes, in the language of the workspace', async () => {
    const digits = newDigits();
    const id = await hearFrom(majlis, workspace, digits);
    assert.equal((await done(id, 'close', { send_csat: true })).status, 'closed');
    await untilDispatched(majlis);
    const { body } = await workspace.api.get(path(id, 'messages'));
    const survey = body.data.at(-1);
    assert.deepEqual([survey.kind, survey.direction], ['text', 'outbound']);
    assert.match(survey.body, /رضاك/);
    assert.equal(sentTo(digits).length, 1);
    assert.equal(publicId('msg', (await closingsOf(id))[0]!.survey_message_id), survey.id);
    assert.deepEqual(await notesOf(id), []);
  });

  it('is asked in the words of the operator, or in English where we have none of the language', async () => {
    for (const [file, expected] of [
      [{ csat_text: 'Happy?' }, /^Happy\?$/],
      [{ workspace: { name: `Tokyo ${Date.now()}`, language: 'ja' } }, /^How satisfied/],
    ] as const) {
      const other = await majlis.workspace(file);
      const id = await hearFrom(majlis, other, newDigits());
      await other.api.post(path(id, 'close'), { send_csat: true });
      assert.match((await other.api.get(path(id, 'messages'))).body.data.at(-1).body, expected);
    }
  });

  it('is not sent unless it is asked for', async () => {
    const id = await hearFrom(majlis, workspace, newDigits());
    for (const body of [{}, { send_csat: false }]) {
      await done(id, 'close', body);
      await done(id, 'reopen');
    }
    assert.equal((await workspace.api.get(path(id, 'messages'))).body.data.length, 1);
  });

  const gates: [string, (id: string) => Promise<unknown>][] = [
    ['window_closed', () => majlis.advance(86_400)],
    ['bot_in_control', (id) => done(id, 'handover', { to: 'bot' })],
    [
      'contact_blocked',
      async (id) =>
        majlis.sql('update contacts set blocked = true where id = $1', [parseId('ct', (await read(id)).contact_id)]),
    ],
  ];
  for (const [code, shut] of gates) {
    it(`is not sent against ${code}: the conversation closes, and a note says why`, async () => {
      const digits = newDigits();
      const id = await hearFrom(majlis, workspace, digits);
      await shut(id);
      assert.equal((await done(id, 'close', { send_csat: true })).status, 'closed');
      const notes = await notesOf(id);
      assert.equal(notes.length, 1);
      assert.ok(notes[0].body.includes(code), notes[0].body);
      assert.equal((await closingsOf(id))[0]!.survey_message_id, null);
      assert.equal(sentTo(digits).length, 0);
    });
  }
});

describe('handing over', () => {
  it('sets the controller, and keeps the agent while a bot controls', async () => {
    const id = await begin();
    const agentOf = async () =>
      (await majlis.sql('select ai_agent_id from conversations where id = $1', [parseId('cv', id)]))[0]!.ai_agent_id;
    assert.equal((await done(id, 'handover', { to: 'bot', ai_agent_id: ids.ai_agents[0] })).controller, 'bot');
    assert.equal(publicId('ai', await agentOf()), ids.ai_agents[0]);
    assert.equal((await done(id, 'handover', { to: 'human', ai_agent_id: 'whoever' })).controller, 'human');
    assert.equal(await agentOf(), null);
    assert.equal((await done(id, 'handover', { to: 'bot' })).controller, 'bot');
  });

  it('refuses an agent that the workspace does not have, and any other controller', async () => {
    const id = await begin();
    for (const ai_agent_id of [`ai_${nobody}`, foreignIds.ai_agents[0], 'Concierge', '', null]) {
      await assertRefusedUnchanged(id, 'handover', { to: 'bot', ai_agent_id }, '/ai_agent_id');
    }
    for (const to of ['robot', '', null]) await assertRefusedUnchanged(id, 'handover', { to }, '/to');
    await assertRefusedUnchanged(id, 'handover', {}, '/to');
  });
});

describe('snoozing', () => {
  const listed = async (id: string) => {
    const { contact_id } = await read(id);
    return (await workspace.api.get(`/conversations?contact_id=${contact_id}`)).body.data.length === 1;
  };
  const inSeconds = async (seconds: number) => {
    const { body } = await majlis.operator('GET', '/clock');
    return new Date(Date.parse(body.now) + seconds * 1000).toISOString();
  };

  it('hides the conversation until its time, and it still answers by its id', async () => {
    const id = await begin();
    const before = await read(id);
    assert.deepEqual(await done(id, 'snooze', { until: await inSeconds(3_600) }), before);
    assert.equal(await listed(id), false);
    await majlis.advance(3_000);
    assert.equal(await listed(id), false);
    await majlis.advance(600);
    assert.equal(await listed(id), true);
  });

  it('ends when the customer writes, and by nothing else', async () => {
    const digits = newDigits();
    const id = await hearFrom(majlis, workspace, digits);
    await done(id, 'snooze', { until: '2100-01-01T00:00:00+04:00' });
    await act(id, 'notes', { body: 'Still waiting' });
    await done(id, 'assign', { assignee_id: ids.users[0] });
    await workspace.api.post(path(id, 'messages'), text);
    assert.equal(await listed(id), false);
    await hearFrom(majlis, workspace, digits);
    await settled(majlis);
    assert.equal(await listed(id), true);
  });

  it('takes the last time given', async () => {
    const id = await begin();
    await done(id, 'snooze', { until: '2100-01-01T00:00:00Z' });
    await done(id, 'snooze', { until: await inSeconds(60) });
    await majlis.advance(60);
    assert.equal(await listed(id), true);
  });

  it('refuses what is not in the future', async () => {
    const id = await begin();
    const moments = [await inSeconds(-1), await inSeconds(0), '0000-01-01T00:00:00Z', '2016-12-31T23:59:60Z'];
    for (const until of [...moments, 'tomorrow', '', '2100-01-01', '2100-02-30T00:00:00Z', 4_102_444_800, null]) {
      await assertRefusedUnchanged(id, 'snooze', { until }, '/until');
    }
    await assertRefusedUnchanged(id, 'snooze', {}, '/until');
  });
});

describe('after these actions the sends are refused', () => {
  async function assertCodes(id: string, body: object, inConversation: string | 201, byNumber: string | 201) {
    const { contact_id } = await read(id);
    const codeOf = ({ status, body }: { status: number; body: { code: string } }) => (status === 201 ? 201 : body.code);
    assert.equal(codeOf(await workspace.api.post(path(id, 'messages'), body)), inConversation);
    assert.equal(codeOf(await workspace.api.post('/messages', { contact_id, ...body })), byNumber);
  }

  it('closed: conversation_closed in the conversation, until it is reopened; by number it reopens', async () => {
    const id = await hearFrom(majlis, workspace, newDigits());
    await done(id, 'close', {});
    await assertCodes(id, text, 'conversation_closed', 201);
    await assertCodes(id, text, 201, 201);
    await done(id, 'close', {});
    await done(id, 'reopen');
    await assertCodes(id, template, 201, 201);
  });

  it('handed to a bot: bot_in_control on both, until a human has it', async () => {
    const id = await hearFrom(majlis, workspace, newDigits());
    await done(id, 'handover', { to: 'bot' });
    for (const body of [text, template]) await assertCodes(id, body, 'bot_in_control', 'bot_in_control');
    await done(id, 'handover', { to: 'human' });
    await assertCodes(id, text, 201, 201);
  });

  it('blocked before closed, closed before bot, bot before window', async () => {
    const id = await begin();
    const block = (blocked: boolean, contact_id: string) =>
      majlis.sql('update contacts set blocked = $2 where id = $1', [parseId('ct', contact_id), blocked]);
    const { contact_id } = await read(id);
    await done(id, 'close', {});
    await done(id, 'handover', { to: 'bot' });
    await block(true, contact_id);
    await assertCodes(id, text, 'contact_blocked', 'contact_blocked');
    await block(false, contact_id);
    await assertCodes(id, text, 'conversation_closed', 'bot_in_control');
    await done(id, 'reopen');
    await assertCodes(id, text, 'bot_in_control', 'bot_in_control');
    await done(id, 'handover', { to: 'human' });
    await assertCodes(id, text, 'window_closed', 'window_closed');
    await done(id, 'snooze', { until: '2100-01-01T00:00:00Z' });
    await assertCodes(id, template, 201, 201);
  });
});
