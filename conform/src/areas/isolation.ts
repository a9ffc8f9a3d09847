import { type OperationId, operations } from '@majlis/contract';
import { type ApiCall, createApiClient } from '../api-client.ts';
import { describeResponse } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import { requireContact } from '../contact-fixtures.ts';
import { openTestConversation } from '../conversation-fixtures.ts';
import { expectSuccess, type Session, shareFixture } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

export const isolationArea = defineArea('isolation', [
  [
    'contact',
    'Not found in this workspace: a contact of another.',
    async (session) => {
      const other = await openOtherWorkspace(session);
      const params = { contact_id: (await requireContact(session)).id };
      await expectHidden(other, 'getContact', { params });
      await expectHidden(other, 'updateContact', { params, body: { vip: true } });
      assertSame(
        (await expectSuccess(session, 'getContact', { params })).vip,
        false,
        'vip, which the other workspace tried to change:',
      );
    },
  ],
  [
    'lists',
    'Lists show what is in this workspace.',
    async (session) => {
      const other = await openOtherWorkspace(session);
      const tag = `${session.run_name}-own`;
      await requireContact(session, { tags: [tag] });
      const { data } = await expectSuccess(other, 'listContacts', { query: { tag } });
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
      const other = await openOtherWorkspace(session);
      const { identities, id } = await requireContact(session);
      const { identifier } = identities[0]!;
      const { data } = await expectSuccess(other, 'listContacts', { query: { q: identifier } });
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
      const other = await openOtherWorkspace(session);
      const [channel] = (await expectSuccess(session, 'listChannels')).data;
      if (!channel) throw new NotChecked('the workspace has no channel');
      await expectHidden(other, 'getChannel', { params: { channel_id: channel.id } });
    },
  ],
  [
    'media',
    'Not found in this workspace: a file of another.',
    async (session) => {
      const other = await openOtherWorkspace(session);
      const form = new FormData();
      form.set('file', new Blob(['of one workspace']), `${session.run_name}.txt`);
      const { id } = await expectSuccess(session, 'uploadMedia', { body: form });
      session.leaves.add(`file ${id}, named ${session.run_name}.txt`);
      await expectHidden(other, 'downloadMedia', { params: { media_id: id } });
    },
  ],
  [
    'conversation',
    'Not found in this workspace: a conversation of another, and its messages.',
    async (session) => {
      const other = await openOtherWorkspace(session);
      const { params, message } = await openTestConversation(session);
      await expectHidden(other, 'getConversation', { params });
      await expectHidden(other, 'listConversationMessages', { params });
      await expectHidden(other, 'getMessage', { params: { message_id: message.id } });
    },
  ],
]);

/** A client with the key of the second workspace. */
function openOtherWorkspace(session: Session): Promise<Pick<Session, 'client' | 'referred'>> {
  return shareFixture(session, 'second workspace', async () => {
    const { url, second_key } = session.options;
    if (second_key === undefined) throw new NotChecked('needs --second-key');
    const client = createApiClient(url, second_key, (answer) => session.answers.push(answer));
    const [own, other] = [await expectSuccess(session, 'getKey'), await client.call(operations.getKey)];
    if (other.status !== 200) throw new NotChecked(`the second key is answered ${other.status}`);
    const { workspace_id } = other.body as { workspace_id?: string };
    if (workspace_id === own.workspace_id) throw new NotChecked('the second key is of the same workspace');
    return { client, referred: session.referred };
  });
}

/** Expects 404 for the second workspace: a 403 for a known id would reveal that the resource exists. */
async function expectHidden({ client }: Pick<Session, 'client'>, id: OperationId, call: ApiCall): Promise<void> {
  const unknown = await client.call(operations[id], { ...call, params: {} });
  if (unknown.status === 403) throw new NotChecked('the second key may not do this: 403');
  const answer = await client.call(operations[id], call);
  assertThat(answer.status === 404, `404 on ${answer.method} ${answer.operation.path}`, describeResponse(answer));
}
