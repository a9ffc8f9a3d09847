import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { receiveText, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { conversationPath, nobody, startConversations, textMessage } from '@majlis/testing/start-conversations';
import { parseId, publicId } from '../src/database/ids.ts';

const { majlis, workspace, ids, foreignIds, begin, read, act, done, assertRefusedUnchanged } =
  await startConversations();

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
      parseId('contact', (await read(id)).contact_id),
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

describe('handing over', () => {
  it('sets the controller, and keeps the agent while a bot controls', async () => {
    const id = await begin();
    const agentOf = async () =>
      (await majlis.sql('select ai_agent_id from conversations where id = $1', [parseId('conversation', id)]))[0]!
        .ai_agent_id;
    assert.equal((await done(id, 'handover', { to: 'bot', ai_agent_id: ids.ai_agents[0] })).controller, 'bot');
    assert.equal(publicId('ai_agent', await agentOf()), ids.ai_agents[0]);
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
    const id = await receiveText(majlis, workspace, digits);
    await done(id, 'snooze', { until: '2100-01-01T00:00:00+04:00' });
    await act(id, 'notes', { body: 'Still waiting' });
    await done(id, 'assign', { assignee_id: ids.users[0] });
    await workspace.api.post(conversationPath(id, 'messages'), textMessage);
    assert.equal(await listed(id), false);
    await receiveText(majlis, workspace, digits);
    await untilNotificationsProcessed(majlis);
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
