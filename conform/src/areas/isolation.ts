import { type OperationId, operations } from '@majlis/contract';
import { describeAnswer } from '../answer.ts';
import { defineArea } from '../clause.ts';
import { type Call, createClient } from '../client.ts';
import { makeContact } from '../contacts.ts';
import { talk } from '../sending.ts';
import { type Session, shared, succeed } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

export const isolation = defineArea('isolation', [
  [
    'contact',
    'Not found in this workspace: a contact of another.',
    async (session) => {
      const other = await stranger(session);
      const params = { contact_id: (await makeContact(session)).id };
      await hidden(other, 'getContact', { params });
      await hidden(other, 'updateContact', { params, body: { vip: true } });
      assertSame(
        (await succeed(session, 'getContact', { params })).vip,
        false,
        'vip, which the other asked to change:',
      );
    },
  ],
  [
    'lists',
    'Lists show what is in this workspace.',
    async (session) => {
      const other = await stranger(session);
      const tag = `${session.mark}-own`;
      await makeContact(session, { tags: [tag] });
      const { data } = await succeed(other, 'listContacts', { query: { tag } });
      assertSame(
        data.map(({ id }) => id),
        [],
        'contacts that the other workspace sees:',
      );
    },
  ],
  [
    'identities',
    'An identity belongs to a contact of this workspace: another has its own.',
    async (session) => {
      const other = await stranger(session);
      const { identities, id } = await makeContact(session);
      const { identifier } = identities[0]!;
      const { data } = await succeed(other, 'listContacts', { query: { q: identifier } });
      assertSame(
        data.some((one) => one.id === id),
        false,
        'the contact found by its number from elsewhere:',
      );
    },
  ],
  [
    'channel',
    'Not found in this workspace: a channel of another.',
    async (session) => {
      const other = await stranger(session);
      const [channel] = (await succeed(session, 'listChannels')).data;
      if (!channel) throw new NotChecked('the workspace has no channel');
      await hidden(other, 'getChannel', { params: { channel_id: channel.id } });
    },
  ],
  [
    'media',
    'Not found in this workspace: a file of another.',
    async (session) => {
      const other = await stranger(session);
      const form = new FormData();
      form.set('file', new Blob(['of one workspace']), `${session.mark}.txt`);
      const { id } = await succeed(session, 'uploadMedia', { body: form });
      session.leaves.add(`file ${id}, named ${session.mark}.txt`);
      await hidden(other, 'downloadMedia', { params: { media_id: id } });
    },
  ],
  [
    'conversation',
    'Not found in this workspace: a conversation of another, and its messages.',
    async (session) => {
      const other = await stranger(session);
      const { params, message } = await talk(session);
      await hidden(other, 'getConversation', { params });
      await hidden(other, 'listConversationMessages', { params });
      await hidden(other, 'getMessage', { params: { message_id: message.id } });
    },
  ],
]);

/** A client with the key of the other workspace. */
function stranger(session: Session): Promise<Pick<Session, 'client' | 'referred'>> {
  return shared(session, 'second workspace', async () => {
    const { url, second_key } = session.options;
    if (second_key === undefined) throw new NotChecked('needs --second-key');
    const client = createClient(url, second_key, (answer) => session.answers.push(answer));
    const [own, others] = [await succeed(session, 'getKey'), await client.call(operations.getKey)];
    if (others.status !== 200) throw new NotChecked(`the second key is answered ${others.status}`);
    const { workspace_id } = others.body as { workspace_id?: string };
    if (workspace_id === own.workspace_id) throw new NotChecked('the second key is of the same workspace');
    return { client, referred: session.referred };
  });
}

/** To the other workspace it is not there: what is forbidden, and not unknown, would tell that it exists. */
async function hidden({ client }: Pick<Session, 'client'>, id: OperationId, call: Call): Promise<void> {
  const unknown = await client.call(operations[id], { ...call, params: {} });
  if (unknown.status === 403) throw new NotChecked('the second key may not do this: 403');
  const answer = await client.call(operations[id], call);
  assertThat(answer.status === 404, `404 on ${answer.method} ${answer.operation.path}`, describeAnswer(answer));
}
