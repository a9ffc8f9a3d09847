import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Conversation } from '@majlis/contract';
import { eventually } from '@majlis/testing/eventually';
import fc from '@majlis/testing/fast-check';
import {
  createListedConversations,
  earliestActivityMs,
  type ListedConversation,
  latestFirst,
  pageSizes,
  pageThroughConversations,
} from '@majlis/testing/listed-conversations';
import { assertSeenOnce } from '@majlis/testing/page-through';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';
import { searchKey } from '../src/database/search-key.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', ...pageSizes } });

describe('the list of conversations', () => {
  it('follows what changes of the contact: its name and tags, and who it is after a merge', async () => {
    const { workspace: other, models } = await createListedConversations(majlis, 2);
    const [one, two] = models as [ListedConversation, ListedConversation];
    const changed = await other.api.request('PATCH', `/contacts/${one.contact_id}`, { name: 'Şule', tags: ['loyal'] });
    assert.equal(changed.status, 200, changed.text);
    for (const query of [{ q: 'SULE' }, { tag: 'loyal' }, { q: 'ul', tag: 'loyal' }]) {
      assert.deepEqual(await pageThroughConversations(other, query), [one.id], JSON.stringify(query));
    }
    for (const tag of one.tags) assert.ok(!(await pageThroughConversations(other, { tag })).includes(one.id));
    await other.api.request('PATCH', `/contacts/${one.contact_id}`, { name: 'SULE' });
    assert.equal((await other.api.get(`/conversations/${one.id}`)).body.contact_name, 'SULE');
    const merge = { source_contact_id: two.contact_id };
    const merged = await other.api.post(`/contacts/${one.contact_id}/merge`, merge);
    assert.equal(merged.status, 200, merged.text);
    for (const query of [{ q: 'sule' }, { tag: 'loyal' }, { contact_id: one.contact_id }]) {
      assert.deepEqual(
        await pageThroughConversations(other, query),
        await pageThroughConversations(other, {}),
        JSON.stringify(query),
      );
    }
  });

  it('follows a change of the contact in the moment in which the conversation begins', async () => {
    const { api } = await majlis.workspace();
    const identities = [{ channel_type: 'chatapp', identifier: '+96891200001' }];
    const { body: contact } = await api.post('/contacts', { name: 'Muna', identities });
    const { sending } = await whileHeld(
      majlis,
      `update contacts set name = 'Zoë', name_key = '${searchKey('Zoë')}', tags = '{vip}' where id = '${parseId('contact', contact.id)}'`,
      async (held) => {
        const sending = api.post('/messages', { contact_id: contact.id, ...templateMessage });
        await untilWaiting(majlis, 1, 'update contacts c set last_activity_at');
        await held.commit();
        return { sending };
      },
    );
    assert.equal((await sending).status, 201);
    for (const query of ['tag=vip', 'q=zoe']) {
      const { data } = (await api.get(`/conversations?${query}`)).body;
      assert.deepEqual(
        data.map((one: Conversation) => [one.contact_name, one.tags]),
        [['Zoë', ['vip']]],
        query,
      );
    }
  });
});

describe('the list while conversations move', () => {
  it('shows each that did not move exactly once, and none twice', async () => {
    const { workspace: other, models } = await createListedConversations(majlis, 15);
    const moves = fc.array(fc.uniqueArray(fc.nat({ max: models.length - 1 }), { maxLength: 5 }), { maxLength: 12 });
    const ties = fc.array(fc.nat({ max: 6 }), { minLength: models.length, maxLength: models.length });
    await fc.assert(
      fc.asyncProperty(ties, fc.integer({ min: 1, max: 6 }), moves, async (times, limit, steps) => {
        const start = models.map((model, i) => ({ ...model, last_message_at: earliestActivityMs + times[i]! }));
        await place(start);
        const moved = new Set<string>();
        let seconds = 0;
        const seen = await pageThroughConversations(other, { limit: String(limit) }, async (page) => {
          const rising = (steps[page] ?? []).map((i) => ({
            ...models[i]!,
            last_message_at: earliestActivityMs + 1000 * ++seconds,
          }));
          for (const { id } of rising) moved.add(id);
          await place(rising);
        });
        assertSeenOnce(seen, latestFirst(start), moved);
      }),
      { numRuns: 40 },
    );
  });

  async function place(list: ListedConversation[]): Promise<void> {
    await majlis.sql(
      `update conversations c set last_message_at = new.at from unnest($1::uuid[], $2::timestamptz[]) as new (id, at)
       where c.id = new.id`,
      [list.map(({ id }) => parseId('conversation', id)), list.map((model) => new Date(model.last_message_at))],
    );
  }

  it('puts a conversation first when either side writes', async () => {
    const { workspace: other, models } = await createListedConversations(majlis);
    const { api, phone_number_id } = other;
    const [lowest] = latestFirst(models).slice(-1) as [string];
    await api.post(`/messages`, { contact_id: models.find(({ id }) => id === lowest)!.contact_id, ...templateMessage });
    assert.equal((await pageThroughConversations(other, {}))[0], lowest);
    majlis.simulator.inject({ phone_number_id, from: '96891100005', type: 'text', content: 'Hello', name: 'Zoë' });
    const { body } = await eventually(
      () => api.get(`/conversations/${models[5]!.id}`),
      (reply) => reply.body.unread_count === 1,
    );
    assert.equal((await pageThroughConversations(other, {}))[0], models[5]!.id);
    assert.equal(body.status, 'open');
  });
});
