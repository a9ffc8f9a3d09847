import assert from 'node:assert/strict';
import { publicId } from '../../server/src/database/ids.ts';
import { eventually } from './eventually.ts';
import { newDigits, untilDispatched } from './messages.ts';
import { untilNotificationsProcessed } from './notifications.ts';
import { type TestService, type TestWorkspace, templateMessage } from './start-test-service.ts';

const many = Array.from({ length: 8 });

/**
 * Lets a workspace do what it does all day, eight at a time: each of these by its name, until its last job is done. `advertised` came by
 * an advertisement.
 */
export function useHotPaths(
  majlis: TestService,
  { api, phone_number_id }: TestWorkspace,
  { advertised }: { advertised: string },
) {
  const unknown = many.map(newDigits);
  const writers = many.map(newDigits);
  const send = async (to: string, content: object) => {
    const { status, text } = await api.post('/messages', { to: `+${to}`, ...content });
    assert.equal(status, 201, text);
  };
  const write = async (from: string) =>
    void majlis.simulator.inject({ phone_number_id, from, type: 'text', content: 'Hello' });
  const row = () => ({
    name: 'Muna',
    tags: ['new'],
    identities: [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }],
  });

  const paths = {
    'sends to new customers, their dispatch and their statuses': () => unknown.map((to) => send(to, templateMessage)),
    'messages of new customers': () => writers.map(write),
    'sends to known customers': () => writers.map((to) => send(to, { kind: 'text', body: 'Yes' })),
    'messages of known customers': () => writers.map(write),
    'sends to a customer of an advertisement': () => many.map(() => send(advertised, templateMessage)),
    'an import': () => [api.post('/contacts/import', { contacts: Array.from({ length: 100 }, row) })],
    'an erasure': async () => {
      const named = 'select contact_id from contact_identities where identifier = $1';
      const [erased] = await majlis.sql<{ contact_id: string }>(named, [`+${writers[0]}`]);
      const { status } = await api.request('DELETE', `/contacts/${publicId('contact', erased!.contact_id)}`);
      assert.equal(status, 204);
    },
  };
  return Object.entries(paths).map(([name, begin]) => ({
    name,
    async run() {
      await Promise.all([await begin()].flat());
      await eventually(majlis.simulator.pending, (count) => count === 0);
      await untilNotificationsProcessed(majlis);
      await untilDispatched(majlis);
    },
  }));
}
