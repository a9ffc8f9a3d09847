import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const allDay = [{ from: '00:00', until: '00:00' }];
const always = { weekly: Array.from({ length: 7 }, () => allDay) };
const never = { weekly: Array.from({ length: 7 }, () => []) };

const entryOf = async (reader: Member, { user_id }: Member): Promise<AnyJson> =>
  (await reader.at('GET', '/working-hours')).body.data.find((one: AnyJson) => one.user_id === user_id);

async function change(by: Member, whose: Member, hours: object | null) {
  const { version } = await entryOf(by, whose);
  return by.at('PUT', `/members/${whose.user_id}/working-hours`, { version, hours });
}

async function set(by: Member, whose: Member, hours: object | null): Promise<AnyJson> {
  const { status, body } = await change(by, whose, hours);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Lets someone write who never did, and tells who is to answer. */
async function askedNext(workspace: TestWorkspace): Promise<string | undefined> {
  const id = await receiveText(majlis, workspace, newDigits());
  return (await workspace.api.get(`/conversations/${id}`)).body.assignee_id;
}

function warningsAbout(id: string): string[] {
  const isWarning = (line: string) => line.includes('"level":"warn"') && line.includes('hours cannot be read');
  return majlis.log.filter((line) => isWarning(line) && line.includes(id));
}

/** The clocks of the workspace, away from midnight: what a test sets now must hold until it has asked. */
async function localNow(timezone: string): Promise<{ weekday: number; minute: number; date: string }> {
  const { now } = (await majlis.operator('GET', '/clock')).body;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const [date, time] = format.format(new Date(now)).split(' ') as [string, string];
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  const minute = hours * 60 + minutes;
  if (minute < 1 || minute > 1_430) {
    await majlis.advance(1_200);
    return localNow(timezone);
  }
  return { weekday: new Date(`${date}T00:00:00Z`).getUTCDay(), minute, date };
}

const textOf = (minute: number) => {
  const parts = [Math.floor(minute / 60) % 24, minute % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
};

describe('the working hours of a person', () => {
  it('are none at first, and keep conversations by turns away outside of them, until they begin', async () => {
    const workspace = await majlis.workspace();
    const owner = await joinWorkspace(majlis, workspace);
    const omar = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const sara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const first = await entryOf(sara, omar);
    assert.deepEqual(first, { user_id: omar.user_id, at_work: true, version: first.version });
    assert.deepEqual([await askedNext(workspace), await askedNext(workspace)], [omar.user_id, sara.user_id]);

    const off = await set(owner, omar, never);
    assert.deepEqual([off.hours, off.at_work], [never, false]);
    assert.deepEqual(await entryOf(sara, omar), off);
    for (let turn = 0; turn < 3; turn++) assert.equal(await askedNext(workspace), sara.user_id);
    await set(owner, sara, never);
    assert.equal(await askedNext(workspace), undefined);
    // By hand, they get what somebody gives them.
    const id = await receiveText(majlis, workspace, newDigits());
    const assigned = await owner.at('POST', `/conversations/${id}/assign`, { assignee_id: omar.user_id });
    assert.deepEqual([assigned.status, assigned.body.assignee_id], [200, omar.user_id]);

    await set(owner, omar, always);
    assert.equal((await entryOf(owner, omar)).at_work, true);
    assert.equal(await askedNext(workspace), omar.user_id);
    await set(owner, sara, null);
    assert.equal(await askedNext(workspace), sara.user_id);
  });

  for (const stored of [
    '{}',
    '"always"',
    '[[], [], [], [], [], [], [null]]',
    '[[], [], [], [], [], [], [{"from": "9"}]]',
  ]) {
    it(`that are stored as ${stored} count as none: messages go on by turns, and the log names the person once`, async () => {
      const workspace = await majlis.workspace();
      const owner = await joinWorkspace(majlis, workspace);
      const omar = await joinWorkspace(majlis, workspace, { role: 'agent' });
      await majlis.sql('update users set working_hours = $2 where id = $1', [parseId('user', omar.user_id), stored]);
      for (let turn = 0; turn < 2; turn++) assert.equal(await askedNext(workspace), omar.user_id);
      const { hours, at_work } = await entryOf(owner, omar);
      assert.deepEqual([hours, at_work], [undefined, true]);
      const lines = warningsAbout(omar.user_id);
      assert.deepEqual([lines.length, lines.join().includes('"9"')], [1, false]);
      assert.equal((await set(owner, omar, never)).at_work, false);
    });
  }

  it('hold where those of the business cannot be read, which then is never closed', async () => {
    const workspace = await majlis.workspace();
    const owner = await joinWorkspace(majlis, workspace);
    const omar = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await set(owner, omar, always);
    await majlis.sql(
      'insert into business_hours (workspace_id, weekly, closed_days, away_message) values ($1, $2, $3, $4)',
      [...[parseId('workspace', workspace.id), '[]', '7', 'Closed']],
    );
    assert.equal(await askedNext(workspace), omar.user_id);
    const { hours, open_now, version } = (await owner.at('GET', '/business-hours')).body;
    assert.deepEqual([hours, open_now], [undefined, true]);
    assert.equal(warningsAbout(workspace.id).length, 1);
    const closed = { weekly: never.weekly, closed_days: [] };
    assert.equal((await owner.at('PUT', '/business-hours', { version, hours: closed })).status, 200);
  });

  it('follow the clocks and the closed days of the workspace', async () => {
    const timezone = 'Asia/Muscat';
    const workspace = await majlis.workspace();
    const owner = await joinWorkspace(majlis, workspace);
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    assert.equal((await owner.at('GET', '/working-hours')).body.timezone, timezone);
    const { weekday, minute, date } = await localNow(timezone);
    // From this minute to the end of the day, and from its beginning to this minute.
    const rest = { weekly: never.weekly.with(weekday, [{ from: textOf(minute), until: '00:00' }] as never) };
    const past = { weekly: never.weekly.with(weekday, [{ from: '00:00', until: textOf(minute) }] as never) };
    assert.equal((await set(agent, agent, rest)).at_work, true);
    assert.equal((await set(agent, agent, past)).at_work, false);
    await set(agent, agent, always);

    const { version } = (await owner.at('GET', '/business-hours')).body;
    const hours = { weekly: always.weekly, closed_days: [{ date }] };
    assert.equal((await owner.at('PUT', '/business-hours', { version, hours })).status, 200);
    assert.equal((await entryOf(owner, agent)).at_work, false);
    assert.equal(await askedNext(workspace), undefined);
  });

  it('are skipped by the step of a workflow that assigns by turns', async () => {
    const steps = [{ do: 'assign', round_robin: true }];
    const workflows = [{ name: 'Route', trigger: 'message_received', status: 'published', steps }];
    const workspace = await majlis.workspace({ assignment: 'none', workflows });
    const owner = await joinWorkspace(majlis, workspace);
    const omar = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const sara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await set(owner, omar, never);
    for (let turn = 0; turn < 2; turn++) {
      const id = await receiveText(majlis, workspace, newDigits());
      const { body } = await eventually(
        () => workspace.api.get(`/conversations/${id}`),
        ({ body }) => body.assignee_id !== undefined,
      );
      assert.equal(body.assignee_id, sara.user_id);
    }
  });

  it('are changed by the person, and by administrators for all but owners', async () => {
    const workspace = await majlis.workspace();
    const [owner, admin, supervisor, agent] = (await Promise.all(
      ['owner', 'admin', 'supervisor', 'agent'].map((role) => joinWorkspace(majlis, workspace, { role })),
    )) as [Member, Member, Member, Member];
    for (const own of [owner, admin, supervisor, agent]) await set(own, own, always);
    for (const whose of [supervisor, agent]) await set(admin, whose, never);
    await set(owner, admin, never);
    const refused: [Member, Member][] = [
      [agent, supervisor],
      [supervisor, agent],
      [admin, owner],
    ];
    for (const [by, whose] of refused) {
      const { status, body } = await change(by, whose, null);
      assert.deepEqual([status, body.code], [403, 'role_insufficient']);
    }
    assert.deepEqual((await entryOf(agent, owner)).hours, always);
    const acts = (await owner.at('GET', '/audit')).body.data.filter(
      ({ action }: AnyJson) => action === 'changeWorkingHours',
    );
    assert.equal(acts.length, 7);
    const [{ targets, details }] = acts;
    assert.deepEqual([targets.user_id, details.hours], [admin.user_id, never]);
  });

  it('are overwritten by nobody who has not seen the latest ones, and refused where they make no sense', async () => {
    const workspace = await majlis.workspace();
    const owner = await joinWorkspace(majlis, workspace);
    const path = `/members/${owner.user_id}/working-hours`;
    const { version } = await entryOf(owner, owner);
    assert.equal((await owner.at('PUT', path, { version, hours: never })).status, 200);
    const stale = await owner.at('PUT', path, { version, hours: always });
    assert.deepEqual([stale.status, stale.body.code], [409, 'changed_meanwhile']);
    const faulty = { weekly: never.weekly.with(1, [{ from: '17:00', until: '09:00' }] as never) };
    const refused = await change(owner, owner, faulty);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/hours/weekly/1/0/until']);
    assert.equal((await change(owner, owner, { weekly: [] })).status, 422);
    assert.deepEqual((await entryOf(owner, owner)).hours, never);
  });

  it('end with the membership', async () => {
    const workspace = await majlis.workspace();
    const owner = await joinWorkspace(majlis, workspace);
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await set(agent, agent, never);
    assert.equal((await owner.at('DELETE', `/members/${agent.user_id}`)).status, 204);
    assert.equal(await entryOf(owner, agent), undefined);
    const { version } = await entryOf(owner, owner);
    const gone = await owner.at('PUT', `/members/${agent.user_id}/working-hours`, { version, hours: null });
    assert.equal(gone.status, 404);
    const again = await joinWorkspace(majlis, workspace, { role: 'agent', email: agent.email });
    assert.equal(again.user_id, agent.user_id);
    assert.equal((await entryOf(owner, again)).hours, undefined);
  });

  it('come from the file of the workspace, and stay as people changed them', async () => {
    const users = [{ name: 'Omar Ali', email: 'omar@acme.example', role: 'agent', working_hours: never }];
    const workspace = await majlis.workspace({ users });
    const owner = await joinWorkspace(majlis, workspace);
    const { name } = workspace.applied.workspace;
    const omar = { ...owner, user_id: workspace.applied.users[0].id };
    assert.deepEqual((await entryOf(owner, omar)).hours, never);
    const apply = async () => (await majlis.operator('PUT', '/workspaces', { workspace: { name }, users })).body.kept;
    assert.equal(await apply(), undefined);
    await set(owner, omar, always);
    assert.deepEqual(await apply(), [
      { user: 'omar@acme.example', member: 'working_hours', value: 'set by people', in_file: 'other' },
    ]);
    assert.deepEqual((await entryOf(owner, omar)).hours, always);
    const working_hours = { weekly: [] };
    const faulty = { workspace: { name }, users: [{ ...users[0], email: 'sara@acme.example', working_hours }] };
    assert.equal((await majlis.operator('PUT', '/workspaces', faulty)).status, 422);
  });
});
