import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let owner: Member;
let agent: Member;
let supervisor: Member;
let team_id: string;

before(async () => {
  workspace = await majlis.workspace();
  owner = await joinWorkspace(majlis, workspace, { name: 'Zahra Owner' });
  agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Noor Agent' });
  supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
  for (const { user_id } of [agent, supervisor]) {
    await owner.at('PATCH', `/members/${user_id}`, { own_teams_only: true });
  }
  const member_ids = [agent.user_id, supervisor.user_id];
  team_id = (await owner.at('POST', '/teams', { name: 'Sales', member_ids })).body.team.id;
});

async function newConversation(team: string | null = team_id) {
  const digits = newDigits();
  const received = await receiveMessage(majlis, workspace, digits);
  const path = `/conversations/${received.conversation_id}`;
  await owner.at('POST', `${path}/assign`, { assignee_id: null, team_id: team });
  return { ...received, path, number: `+${digits}` };
}

const text = { kind: 'text', body: 'Hello' };

/** Makes a change, and commits it once `write` waits for it. */
async function changedMeanwhile<Answer>(change: string, write: () => Promise<Answer>): Promise<Answer> {
  return whileHeld(majlis, change, async (held) => {
    const answer = write();
    await untilWaiting(majlis);
    await held.commit();
    return answer;
  });
}

describe('a write of a limited person', () => {
  const writes: Record<string, (one: Awaited<ReturnType<typeof newConversation>>) => ReturnType<Member['at']>> = {
    'a reply': ({ path }) => agent.at('POST', `${path}/messages`, text),
    'a message to a number': ({ number }) => agent.at('POST', '/messages', { to: number, ...text }),
    'a note': ({ path }) => agent.at('POST', `${path}/notes`, { body: 'Seen' }),
    'a closing': ({ path }) => agent.at('POST', `${path}/close`, {}),
    'an edit of the contact': ({ contact_id }) =>
      agent.at('POST', `/contacts/${contact_id}/edit`, { changes: { name: 'Late' } }),
    'an upsert of the contact': ({ number }) =>
      agent.at('POST', '/contacts', { identities: [{ channel_type: 'chatapp', identifier: number }], name: 'Late' }),
  };
  for (const [title, write] of Object.entries(writes)) {
    it(`is refused where the conversation moves to another team before its transaction: ${title}`, async () => {
      const one = await newConversation();
      const id = parseId('conversation', one.conversation_id);
      const move = `update conversations set team_id = null where id = '${id}'`;
      const { status, body } = await changedMeanwhile(move, () => write(one));
      assert.deepEqual([status, body.code], [404, 'not_found']);
      const { body: messages } = await owner.at('GET', `${one.path}/messages`);
      assert.equal(messages.data.length, 1);
      assert.notEqual((await owner.at('GET', `/contacts/${one.contact_id}`)).body.name, 'Late');
      assert.equal((await owner.at('GET', one.path)).body.status, 'open');
    });
  }

  it('is refused where they leave the team before its transaction', async () => {
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await owner.at('PATCH', `/members/${leaver.user_id}`, { own_teams_only: true });
    const team = (await owner.at('POST', '/teams', { name: 'Leaving', member_ids: [leaver.user_id] })).body.team.id;
    const { path } = await newConversation(team);
    const leave = `delete from team_members where user_id = '${parseId('user', leaver.user_id)}'`;
    const { status } = await changedMeanwhile(leave, () => leaver.at('POST', `${path}/messages`, text));
    assert.equal(status, 404);
  });

  it('is not answered again from its key where the conversation is hidden by now', async () => {
    const { path, contact_id, number } = await newConversation();
    const headers = { 'idempotency-key': randomUUID() };
    const at = `/workspaces/${workspace.id}`;
    const identities = [{ channel_type: 'chatapp', identifier: number }];
    const repeat = async () => [
      (await agent.request('POST', `${at}/messages`, { contact_id, ...text }, headers)).status,
      (await agent.request('POST', `${at}/contacts`, { identities }, headers)).status,
    ];
    assert.deepEqual(await repeat(), [201, 200]);
    assert.deepEqual(await repeat(), [201, 200]);
    await owner.at('POST', `${path}/assign`, { team_id: null });
    assert.deepEqual(await repeat(), [404, 404]);
  });

  it('begins a conversation that is assigned to them, so that they see the reply', async () => {
    const to = `+${newDigits()}`;
    const sent = await agent.at('POST', '/messages', { to, ...templateMessage });
    assert.equal(sent.status, 201);
    const { body } = await agent.at('GET', `/conversations/${sent.body.conversation_id}`);
    assert.equal(body.assignee_id, agent.user_id);
    const { body: thread } = await agent.at('GET', `/conversations/${sent.body.conversation_id}/thread`);
    assert.ok(JSON.stringify(thread).includes('"assigned"'), JSON.stringify(thread));
    assert.equal((await agent.at('POST', '/messages', { to, ...templateMessage })).status, 201);
    // Who sees all conversations leaves theirs to the others.
    const other = await owner.at('POST', '/messages', { to: `+${newDigits()}`, ...templateMessage });
    const begun = await owner.at('GET', `/conversations/${other.body.conversation_id}`);
    assert.equal(begun.body.assignee_id, undefined);
  });
});

describe('a contact', () => {
  it('is visible without a conversation, and with one of several that is theirs', async () => {
    const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
    const { contact } = (await owner.at('POST', '/new-contacts', { identities, name: 'Fresh Contact' })).body;
    const listed = async () =>
      (await agent.at('GET', '/contacts?q=Fresh')).body.data.map(({ id }: { id: string }) => id);
    assert.equal((await agent.at('PATCH', `/contacts/${contact.id}`, { language: 'ar' })).status, 200);
    assert.deepEqual(await listed(), [contact.id]);

    const theirs = await newConversation();
    const hidden = await newConversation(null);
    await owner.at('POST', `/contacts/${contact.id}/merge`, { source_contact_id: hidden.contact_id });
    assert.deepEqual([(await agent.at('GET', `/contacts/${contact.id}`)).status, await listed()], [404, []]);
    await owner.at('POST', `/contacts/${contact.id}/merge`, { source_contact_id: theirs.contact_id });
    assert.deepEqual([(await agent.at('GET', `/contacts/${contact.id}`)).status, await listed()], [200, [contact.id]]);
    // The other conversation stays hidden.
    assert.equal((await agent.at('GET', hidden.path)).status, 404);
  });
});

describe('a file', () => {
  const later = { send_at: new Date(Date.now() + 86_400_000).toISOString() };

  it('of a scheduled message goes with its conversation to another team, and stays there once it is cancelled', async () => {
    const { path } = await newConversation();
    const media_id = (await uploadFile(majlis, workspace, samples.png)).body.id;
    const order = { content: { kind: 'image', media_id }, ...later };
    const scheduled = await owner.at('POST', `${path}/scheduled-messages`, order);
    assert.equal(scheduled.status, 201);
    const read = async () => (await agent.at('GET', `/media/${media_id}`)).status;
    assert.equal(await read(), 200);
    await owner.at('POST', `${path}/assign`, { team_id: null });
    assert.equal(await read(), 404);
    const other = await newConversation();
    const sent = await agent.at('POST', `${other.path}/messages`, { kind: 'image', media_id });
    assert.deepEqual([sent.status, sent.body.code], [404, 'not_found']);
    const { id, version } = scheduled.body;
    assert.equal((await owner.at('POST', `${path}/scheduled-messages/${id}/cancel`, { version })).status, 200);
    assert.equal(await read(), 404);
  });
});

describe('a shared view of one contact', () => {
  it('is there for those alone who see the contact', async () => {
    const { contact_id, path } = await newConversation();
    const filter = { contact_id };
    const { status, body } = await owner.at('POST', '/views', { name: 'One contact', shared: true, filter });
    assert.equal(status, 201);
    const listed = async (person: Member) =>
      (await person.at('GET', '/views')).body.data.some(({ id }: { id: string }) => id === body.id);
    assert.deepEqual([await listed(agent), await listed(owner)], [true, true]);
    await owner.at('POST', `${path}/assign`, { team_id: null });
    assert.deepEqual([await listed(agent), await listed(owner)], [false, true]);
    assert.equal((await supervisor.at('PATCH', `/views/${body.id}`, { name: 'Theirs' })).status, 404);
    assert.equal((await agent.at('GET', `/inbox?view=saved:${body.id}`)).status, 404);
  });
});

describe('the figures of a limited supervisor', () => {
  it('are those of the conversations that they see', async () => {
    const apart = await majlis.workspace({ stages: [{ name: 'Customer' }] });
    const [admin, lead] = [
      await joinWorkspace(majlis, apart),
      await joinWorkspace(majlis, apart, { role: 'supervisor' }),
    ];
    await admin.at('PATCH', `/members/${lead.user_id}`, { own_teams_only: true });
    const team = (await admin.at('POST', '/teams', { name: 'Ours', member_ids: [lead.user_id] })).body.team.id;
    const stage_id = apart.applied.stages[0].id;
    for (const place of [team, null, null]) {
      const { conversation_id } = await receiveMessage(majlis, apart, newDigits());
      const path = `/conversations/${conversation_id}`;
      await admin.at('POST', `${path}/assign`, { assignee_id: null, team_id: place });
      await admin.at('PUT', `${path}/stage`, { stage_id });
      const sent = await admin.at('POST', `${path}/messages`, templateMessage);
      await eventually(
        () => admin.at('GET', `/messages/${sent.body.id}`),
        ({ body }) => body.status === 'read',
      );
      const failed = await admin.at('POST', `${path}/messages`, text);
      await eventually(
        () => admin.at('GET', `/messages/${failed.body.id}`),
        ({ body }) => body.status === 'read',
      );
      await majlis.sql(`update messages set status = 'failed', error = '131026: away' where id = $1`, [
        parseId('message', failed.body.id),
      ]);
      await admin.at('POST', `${path}/close`, {});
      await admin.at('POST', `${path}/reopen`);
    }
    const today = new Date();
    const day = (days: number) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const dates = `from=${day(-1)}&to=${day(1)}`;
    const read = async (person: Member) => {
      const at = async (path: string) => {
        const { status, body } = await person.at('GET', `/analytics/${path}`);
        assert.equal(status, 200, path);
        return body;
      };
      const counted = (rows: { new: number; closed: number }[]) => [
        rows.reduce((all, row) => all + row.new, 0),
        rows.reduce((all, row) => all + row.closed, 0),
      ];
      const { open, unassigned, stages } = await at('overview');
      const grouped = [];
      for (const group of ['', '&group_by=team', '&group_by=channel', '&group_by=user', '&group_by=stage']) {
        grouped.push(counted((await at(`conversations?${dates}${group}`)).data));
      }
      const [failure] = (await at(`failures?${dates}`)).data;
      const ofTemplate = await at(`messages?${dates}&template=order_update`);
      const { sent, failed } = await at(`messages?${dates}`);
      const failures = (await at(`failures?${dates}&template=order_update`)).data;
      return {
        open,
        unassigned,
        staged: stages[stage_id],
        grouped,
        failure: failure.count,
        sent,
        failed,
        ofTemplate: ofTemplate.sent,
        failures,
      };
    };
    const figures = (n: number) => ({
      ...{ open: n, unassigned: n, staged: n, grouped: Array(5).fill([n, n]), failure: n, sent: n, failed: n },
      ...{ ofTemplate: n, failures: [] },
    });
    assert.deepEqual([await read(admin), await read(lead)], [figures(3), figures(1)]);
  });
});

describe('a mention of a limited teammate', () => {
  it('is mailed to those who see the conversation alone', async () => {
    // Without a mail server, the log names each e-mail.
    const mailed = async (path: string) => {
      const from = majlis.log.length;
      await owner.at('POST', `${path}/notes`, { body: '@Noor and @Zahra: look' });
      await eventually(
        () => majlis.sql(`select from jobs where kind = 'messages.mail_mention'`),
        (jobs) => jobs.length === 0,
      );
      const lines = majlis.log.slice(from).filter((line) => line.includes('mentioned you'));
      return [agent, owner].map(({ email }) => lines.some((line) => line.includes(`"${email}"`)));
    };
    assert.deepEqual(await mailed((await newConversation()).path), [true, true]);
    assert.deepEqual(await mailed((await newConversation(null)).path), [false, true]);
  });
});
