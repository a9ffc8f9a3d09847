import { type MessageStatus, operations } from '@majlis/contract';
import { describeResponse } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import { requireContact } from '../contact-fixtures.ts';
import {
  findApprovedTemplate,
  findChatappChannel,
  openTestConversation,
  requireOpenWindow,
  templateBody,
} from '../conversation-fixtures.ts';
import {
  anyRefusal,
  expectRefusal,
  expectSuccess,
  idempotencyHeaders,
  pollUntil,
  rethrowBroken,
  type Session,
} from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

const statusOrder: readonly MessageStatus[] = ['queued', 'sent', 'delivered', 'read'];

export const messagesArea = defineArea('messages', [
  [
    'window_rule',
    'Window closed, or contact brand new: text is refused with 409 window_closed.',
    async (session) => {
      const target = await createNewRecipient(session);
      await expectRefusal(
        session,
        'sendMessage',
        { body: { ...target, kind: 'text', body: 'x' } },
        [409],
        'window_closed',
      );
    },
  ],
  [
    'template_not_found',
    'No approved template with that name and language: template_not_found.',
    async (session) => {
      const template = { name: session.run_name.replace('-', '_'), language: 'en' };
      const body = { ...(await createNewRecipient(session)), kind: 'template', template };
      await expectRefusal(session, 'sendMessage', { body }, anyRefusal, 'template_not_found');
    },
  ],
  [
    'media_not_found',
    'Unknown media_id: media_not_found.',
    async (session) => {
      const { params } = await requireOpenWindow(session);
      const body = { kind: 'image', media_id: 'med_00000000000000000000000000' };
      await expectRefusal(session, 'sendConversationMessage', { params, body }, anyRefusal, 'media_not_found');
    },
  ],
  [
    'opt_in',
    "Marketing-category templates require the contact's opt-in.",
    async (session) => {
      const body = templateBody(await findApprovedTemplate(session, 'marketing'));
      await expectRefusal(
        session,
        'sendMessage',
        { body: { ...(await createNewRecipient(session)), ...body } },
        anyRefusal,
      );
    },
  ],
  [
    'blocked',
    'A blocked contact refuses messages with 409 contact_blocked.',
    async (session) => {
      const body = templateBody(await findApprovedTemplate(session));
      const contact = await requireContact(session);
      await expectSuccess(session, 'updateContact', { params: { contact_id: contact.id }, body: { blocked: true } });
      const { id: channel_id } = await findChatappChannel(session);
      const to = contact.identities[0]!.identifier;
      await expectRefusal(session, 'sendMessage', { body: { to, channel_id, ...body } }, [409], 'contact_blocked');
    },
  ],
  [
    'queued',
    'The call returns the stored message with status queued: 201.',
    async (session) => {
      const { message } = await rethrowBroken(openTestConversation(session));
      assertSame([message.status, message.kind], ['queued', 'template'], 'status and kind');
    },
  ],
  [
    'readable',
    'GET /v1/messages/{message_id}: the message with its latest status.',
    async (session) => {
      const { message } = await openTestConversation(session);
      const { id, conversation_id, kind } = await expectSuccess(session, 'getMessage', {
        params: { message_id: message.id },
      });
      assertSame(
        [id, conversation_id, kind],
        [message.id, message.conversation_id, 'template'],
        'the message that was sent:',
      );
    },
  ],
  ['status_chain', 'queued, sent, delivered, read: a status moves forward.', checkStatusOrder],
  [
    'oldest_first',
    'The messages of a conversation: oldest first within a page, and the newest on the first.',
    async (session) => {
      const { message, params } = await openTestConversation(session);
      const { data } = await expectSuccess(session, 'listConversationMessages', { params });
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
      const { params } = await requireOpenWindow(session);
      const sent = await expectSuccess(session, 'sendConversationMessage', {
        params,
        body: { kind: 'text', body: session.run_name },
      });
      assertSame([sent.status, sent.kind, sent.body], ['queued', 'text', session.run_name], 'status, kind and body');
    },
  ],
  ['idempotent_send', 'The same key with the same body returns the original result and sends once.', sendTwice],
  [
    'idempotency_conflict',
    'The same key with a different body: 409 idempotency_conflict.',
    async (session) => {
      const { params } = await openTestConversation(session);
      const headers = idempotencyHeaders();
      const body = templateBody(await findApprovedTemplate(session));
      await expectSuccess(session, 'sendConversationMessage', { params, body, headers });
      const different = { ...body, body: 'different' };
      await expectRefusal(
        session,
        'sendConversationMessage',
        { params, body: different, headers },
        [409],
        'idempotency_conflict',
      );
    },
  ],
]);

/** A contact who has never written, with a number reserved for fiction. */
async function createNewRecipient(session: Session): Promise<{ to: string; channel_id: string }> {
  const { id: channel_id } = await findChatappChannel(session);
  const { identities } = await requireContact(session);
  return { to: identities[0]!.identifier, channel_id };
}

async function checkStatusOrder(session: Session): Promise<void> {
  const { message } = await openTestConversation(session);
  const seen: MessageStatus[] = [];
  const last = await pollUntil(
    session,
    async () => {
      const { status } = await expectSuccess(session, 'getMessage', { params: { message_id: message.id } });
      assertThat(status !== undefined, 'a status', 'none');
      if (seen.at(-1) !== status) seen.push(status);
      return status;
    },
    (status) => status === 'read' || status === 'failed',
  );
  const steps = seen.filter((status) => status !== 'failed').map((status) => statusOrder.indexOf(status));
  assertSame(
    steps,
    steps.toSorted((a, b) => a - b),
    `forwards only, but the statuses were ${seen.join(', ')}:`,
  );
  if (last === 'queued') throw new NotChecked('the message stayed queued');
}

async function sendTwice(session: Session): Promise<void> {
  const { params } = await openTestConversation(session);
  const body = templateBody(await findApprovedTemplate(session));
  const headers = idempotencyHeaders();
  const before = await listTemplateMessageIds(session, params);
  const answers = [];
  for (let n = 0; n < 2; n++) {
    answers.push(await session.client.call(operations.sendConversationMessage, { params, body, headers }));
  }
  const [first, second] = answers;
  assertThat(first!.status === 201, '201', describeResponse(first!));
  assertSame([second!.status, second!.body], [first!.status, first!.body], 'the first answer:');
  const added = (await listTemplateMessageIds(session, params)).filter((id) => !before.includes(id));
  assertSame(added, [(first!.body as { id: string }).id], 'the one added message:');
}

/** Ids of the messages of the business alone: a customer may write during the check. */
async function listTemplateMessageIds(session: Session, params: Record<string, string>): Promise<string[]> {
  const { data } = await expectSuccess(session, 'listConversationMessages', { params });
  return data.filter(({ kind }) => kind === 'template').map(({ id }) => id);
}
