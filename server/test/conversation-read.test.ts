import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import {
  createListedConversations,
  earliestActivityMs,
  type ListedConversation,
} from '@majlis/testing/listed-conversations';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

describe('a conversation', () => {
  it('shows every member that it has, the same by its id and in the list', async () => {
    const { workspace: other, models, users, stages } = await createListedConversations(majlis);
    const [model] = models.slice(1) as [ListedConversation];
    const team = other.applied.teams[0].id;
    const at = (seconds: number) => new Date(earliestActivityMs + 1000 * seconds).toISOString();
    await majlis.sql(
      `update conversations set team_id = $2, controller = 'bot', unread_count = 3, last_customer_at = $3,
         window_expires_at = $4, last_message_at = $5, stage_id = $6, assignee_id = $7, status = 'closed' where id = $1`,
      [
        ...[parseId('conversation', model.id), parseId('team', team), at(1), at(86_401), at(99)],
        ...[parseId('stage', stages[1]!), parseId('user', users[0]!)],
      ],
    );
    const expected = {
      id: model.id,
      contact_id: model.contact_id,
      channel_id: other.channel_id,
      channel_type: 'chatapp',
      status: 'closed',
      stage_id: stages[1],
      assignee_id: users[0],
      team_id: team,
      controller: 'bot',
      unread_count: 3,
      tags: model.tags,
      last_customer_at: at(1),
      last_message_at: at(99),
      window_expires_at: at(86_401),
      contact_name: 'MÜNA',
      contact_handle: '+96891100001',
    };
    assert.deepEqual((await other.api.get(`/conversations/${model.id}`)).body, expected);
    assert.deepEqual((await other.api.get('/conversations?limit=1')).body.data, [expected]);
  });

  it('leaves out what it does not have', async () => {
    const { api, channel_id } = await majlis.workspace();
    const { body: sent } = await api.post('/messages', { to: '91234567', ...templateMessage });
    const { contact_id, last_message_at, ...body } = (await api.get(`/conversations/${sent.conversation_id}`)).body;
    assert.deepEqual(body, {
      ...{ id: sent.conversation_id, channel_id, channel_type: 'chatapp', status: 'open', controller: 'human' },
      ...{ unread_count: 0, tags: [], contact_handle: '+96891234567' },
    });
    assert.match(contact_id, /^ct_/);
    assert.match(last_message_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('is read by any process', async () => {
    const { workspace, models } = await createListedConversations(majlis, 1);
    const [{ id }] = models as [ListedConversation];
    const other = await majlis.another();
    const api = createApi(other.url, workspace.key);
    assert.deepEqual(
      (await api.get(`/conversations/${id}`)).body,
      (await workspace.api.get(`/conversations/${id}`)).body,
    );
    await other.stop();
  });
});
