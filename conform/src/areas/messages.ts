import { type MessageStatus, operations } from '@majlis/contract';
import { describeAnswer } from '../answer.ts';
import { defineArea } from '../clause.ts';
import { makeContact } from '../contacts.ts';
import { approvedTemplate, chatappChannel, openWindow, talk, templateBody } from '../sending.ts';
import { anyRefusal, idempotent, ownFault, refused, type Session, succeed, until } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

const chain: readonly MessageStatus[] = ['queued', 'sent', 'delivered', 'read'];

export const messages = defineArea('messages', [
  [
    'window_rule',
    'Window closed, or contact brand new: text is refused with 409 window_closed.',
    async (session) => {
      const target = await freshTarget(session);
      await refused(session, 'sendMessage', { body: { ...target, kind: 'text', body: 'x' } }, [409], 'window_closed');
    },
  ],
  [
    'template_not_found',
    'No approved template with that name and language: template_not_found.',
    async (session) => {
      const template = { name: session.mark.replace('-', '_'), language: 'en' };
      const body = { ...(await freshTarget(session)), kind: 'template', template };
      await refused(session, 'sendMessage', { body }, anyRefusal, 'template_not_found');
    },
  ],
  [
    'media_not_found',
    'Unknown media_id: media_not_found.',
    async (session) => {
      const { params } = await openWindow(session);
      const body = { kind: 'image', media_id: 'med_00000000000000000000000000' };
      await refused(session, 'sendConversationMessage', { params, body }, anyRefusal, 'media_not_found');
    },
  ],
  [
    'opt_in',
    "Marketing-category templates require the contact's opt-in.",
    async (session) => {
      const body = templateBody(await approvedTemplate(session, 'marketing'));
      await refused(session, 'sendMessage', { body: { ...(await freshTarget(session)), ...body } }, anyRefusal);
    },
  ],
  [
    'blocked',
    'A blocked contact refuses messages with 409 contact_blocked.',
    async (session) => {
      const body = templateBody(await approvedTemplate(session));
      const contact = await makeContact(session);
      await succeed(session, 'updateContact', { params: { contact_id: contact.id }, body: { blocked: true } });
      const { id: channel_id } = await chatappChannel(session);
      const to = contact.identities[0]!.identifier;
      await refused(session, 'sendMessage', { body: { to, channel_id, ...body } }, [409], 'contact_blocked');
    },
  ],
  [
    'queued',
    'The call returns the stored message with status queued: 201.',
    async (session) => {
      const { message } = await ownFault(talk(session));
      assertSame([message.status, message.kind], ['queued', 'template'], 'status and kind');
    },
  ],
  [
    'readable',
    'GET /v1/messages/{message_id}: the message with its latest status.',
    async (session) => {
      const { message } = await talk(session);
      const { id, conversation_id, kind } = await succeed(session, 'getMessage', {
        params: { message_id: message.id },
      });
      assertSame(
        [id, conversation_id, kind],
        [message.id, message.conversation_id, 'template'],
        'the message that was sent:',
      );
    },
  ],
  ['status_chain', 'queued, sent, delivered, read: a status moves forward.', followStatus],
  [
    'oldest_first',
    'The messages of a conversation: oldest first within a page, and the newest on the first.',
    async (session) => {
      const { message, params } = await talk(session);
      const { data } = await succeed(session, 'listConversationMessages', { params });
      const times = data.map(({ created_at }) => Date.parse(created_at));
      assertSame(
        times,
        times.toSorted((a, b) => a - b),
        'created_at in this order:',
      );
      assertThat(
        data.some(({ id }) => id === message.id),
        `${message.id} on the first page`,
        data.map(({ id }) => id),
      );
    },
  ],
  [
    'text_in_window',
    'Window open: any message kind may be sent.',
    async (session) => {
      const { params } = await openWindow(session);
      const sent = await succeed(session, 'sendConversationMessage', {
        params,
        body: { kind: 'text', body: session.mark },
      });
      assertSame([sent.status, sent.kind, sent.body], ['queued', 'text', session.mark], 'status, kind and body');
    },
  ],
  ['idempotent_send', 'The same key with the same body returns the original result and sends once.', sendTwice],
  [
    'idempotency_conflict',
    'The same key with a different body: 409 idempotency_conflict.',
    async (session) => {
      const { params } = await talk(session);
      const headers = idempotent();
      const body = templateBody(await approvedTemplate(session));
      await succeed(session, 'sendConversationMessage', { params, body, headers });
      const different = { ...body, body: 'different' };
      await refused(
        session,
        'sendConversationMessage',
        { params, body: different, headers },
        [409],
        'idempotency_conflict',
      );
    },
  ],
]);

/** Somebody who has never written, with a number that belongs to nobody. */
async function freshTarget(session: Session): Promise<{ to: string; channel_id: string }> {
  const { id: channel_id } = await chatappChannel(session);
  const { identities } = await makeContact(session);
  return { to: identities[0]!.identifier, channel_id };
}

async function followStatus(session: Session): Promise<void> {
  const { message } = await talk(session);
  const seen: MessageStatus[] = [];
  const last = await until(
    session,
    async () => {
      const { status } = await succeed(session, 'getMessage', { params: { message_id: message.id } });
      assertThat(status !== undefined, 'a status', 'none');
      if (seen.at(-1) !== status) seen.push(status);
      return status;
    },
    (status) => status === 'read' || status === 'failed',
  );
  const places = seen.filter((status) => status !== 'failed').map((status) => chain.indexOf(status));
  assertSame(
    places,
    places.toSorted((a, b) => a - b),
    `forwards only, but it went ${seen.join(', ')}:`,
  );
  if (last === 'queued') throw new NotChecked('the message was queued all the time');
}

async function sendTwice(session: Session): Promise<void> {
  const { params } = await talk(session);
  const body = templateBody(await approvedTemplate(session));
  const headers = idempotent();
  const before = await idsOf(session, params);
  const answers = [];
  for (let n = 0; n < 2; n++) {
    answers.push(await session.client.call(operations.sendConversationMessage, { params, body, headers }));
  }
  const [first, second] = answers;
  assertThat(first!.status === 201, '201', describeAnswer(first!));
  assertSame([second!.status, second!.body], [first!.status, first!.body], 'the first answer:');
  const added = (await idsOf(session, params)).filter((id) => !before.includes(id));
  assertSame(added, [(first!.body as { id: string }).id], 'the one message that was added:');
}

/** Of what the business sent: a customer may write meanwhile. */
async function idsOf(session: Session, params: Record<string, string>): Promise<string[]> {
  const { data } = await succeed(session, 'listConversationMessages', { params });
  return data.filter(({ kind }) => kind === 'template').map(({ id }) => id);
}
