import type { Conversation, OperationId } from '@majlis/contract';
import { defineArea } from '../clause.ts';
import { approvedTemplate, talk, templateBody } from '../sending.ts';
import { anyRefusal, refused, type Session, succeed, until } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

export const conversations = defineArea('conversations', [
  [
    'close',
    'POST …/close: open becomes closed; POST …/reopen: closed becomes open.',
    async (session) => {
      const { params } = await talk(session);
      assertSame((await act(session, 'closeConversation', { summary: session.mark })).status, 'closed', 'status');
      assertSame((await succeed(session, 'getConversation', { params })).status, 'closed', 'status');
      assertSame((await act(session, 'reopenConversation')).status, 'open', 'status');
    },
  ],
  [
    'closed_refuses',
    'A closed conversation refuses replies with 409 conversation_closed.',
    async (session) => {
      await act(session, 'closeConversation', {});
      await refuseReply(session, 'conversation_closed').finally(() => act(session, 'reopenConversation'));
    },
  ],
  [
    'handover',
    'POST …/handover: controller is bot, or human.',
    async (session) => {
      for (const to of ['bot', 'human']) {
        assertSame((await act(session, 'handOverConversation', { to })).controller, to, 'controller');
      }
    },
  ],
  [
    'bot_refuses',
    'While a bot controls, sending fails with 409 bot_in_control.',
    async (session) => {
      await act(session, 'handOverConversation', { to: 'bot' });
      const toHuman = () => act(session, 'handOverConversation', { to: 'human' });
      await refuseReply(session, 'bot_in_control').finally(toHuman);
    },
  ],
  [
    'handover_invalid',
    'Handover: to is required, human or bot.',
    async (session) => {
      const { params } = await talk(session);
      for (const body of [{}, { to: 'dog' }])
        await refused(session, 'handOverConversation', { params, body }, anyRefusal);
    },
  ],
  ['assign', 'POST …/assign: assignee_id set, or cleared with null.', assign],
  [
    'stage',
    'PUT …/stage: stage_id set, or cleared with null.',
    async (session) => {
      const [stage] = await succeed(session, 'listStages');
      if (!stage) throw new NotChecked('the workspace has no stages');
      for (const stage_id of [stage.id, null]) {
        const conversation = await act(session, 'setConversationStage', { stage_id });
        assertSame(conversation.stage_id ?? null, stage_id, 'stage_id');
      }
    },
  ],
  [
    'note',
    'POST …/notes: 201, a message of kind note.',
    async (session) => {
      const { params } = await talk(session);
      const note = await succeed(session, 'addConversationNote', { params, body: { body: session.mark } });
      assertSame([note.kind, note.body], ['note', session.mark], 'kind and body');
    },
  ],
  [
    'note_invalid',
    'POST …/notes: body is required.',
    async (session) => {
      const { params } = await talk(session);
      await refused(session, 'addConversationNote', { params, body: {} }, anyRefusal);
    },
  ],
  [
    'filters',
    'GET /v1/conversations takes contact_id and status.',
    async (session) => {
      const { conversation } = await talk(session);
      await assertListed(session);
      const { contact_id, id } = conversation;
      const open = await succeed(session, 'listConversations', { query: { contact_id, status: 'open' } });
      assertThat(
        open.data.some((one) => one.id === id),
        `${id} among the open ones of its contact`,
        open.data,
      );
      assertThat(
        open.data.every((one) => one.contact_id === contact_id),
        'none of another contact',
        open.data,
      );
      const closed = await succeed(session, 'listConversations', { query: { contact_id, status: 'closed' } });
      assertThat(!closed.data.some((one) => one.id === id), `${id} not among the closed ones`, closed.data);
    },
  ],
  [
    'order',
    'GET /v1/conversations: most recent activity first.',
    async (session) => {
      const { data } = await succeed(session, 'listConversations');
      const times = data.flatMap(({ last_message_at }) => (last_message_at ? [last_message_at] : []));
      assertSame(
        times,
        times.toSorted((a, b) => Date.parse(b) - Date.parse(a)),
        'last_message_at in this order:',
      );
    },
  ],
  [
    'drafts',
    'AI compose and summary answer, and nothing is sent.',
    async (session) => {
      const { params } = await talk(session);
      const count = async () => (await succeed(session, 'listConversationMessages', { params })).data.length;
      const before = await count();
      await succeed(session, 'composeReply', { params, body: { instruction: 'Say hello.', tone: 'friendly' } });
      await succeed(session, 'summarizeConversation', { params });
      assertSame(await count(), before, 'messages on the first page');
    },
  ],
  ['snooze', 'POST …/snooze: hidden until the given time.', snooze],
]);

type Action =
  | 'closeConversation'
  | 'reopenConversation'
  | 'handOverConversation'
  | 'assignConversation'
  | 'setConversationStage';

async function act(session: Session, id: Action & OperationId, body?: object): Promise<Conversation> {
  const { params } = await talk(session);
  return succeed(session, id, { params, ...(body && { body }) });
}

/** A template would be taken by an open window and by a closed one: only the state of the conversation is left to refuse. */
async function refuseReply(session: Session, code: string): Promise<void> {
  const { params } = await talk(session);
  const body = templateBody(await approvedTemplate(session));
  await refused(session, 'sendConversationMessage', { params, body }, [409], code);
}

async function assign(session: Session): Promise<void> {
  const { conversation } = await talk(session);
  const { data: users } = await succeed(session, 'listUsers');
  const ids = [...users.slice(0, 1).map(({ id }) => id), null];
  for (const assignee_id of ids) {
    const { assignee_id: now = null } = await act(session, 'assignConversation', { assignee_id });
    assertSame(now, assignee_id, 'assignee_id');
  }
  await assertListed(session);
  const query = { assignee_id: 'none', contact_id: conversation.contact_id };
  const { data } = await succeed(session, 'listConversations', { query });
  assertThat(
    data.some(({ id }) => id === conversation.id),
    `${conversation.id} among the unassigned`,
    data,
  );
}

/** The last of all. Afterwards it is snoozed for seconds only, and waited for: a second run finds it in the lists. */
async function snooze(session: Session): Promise<void> {
  const { conversation, params } = await talk(session);
  const query = { contact_id: conversation.contact_id };
  const isListed = async () =>
    (await succeed(session, 'listConversations', { query })).data.some(({ id }) => id === conversation.id);
  await snoozeFor(session, 60);
  const wasListed = await isListed();
  await snoozeFor(session, 2);
  if (!(await until(session, isListed, (listed) => listed))) {
    session.leaves.add(`conversation ${params.conversation_id}, snoozed`);
  }
  assertSame(wasListed, false, 'the conversation shown in the list:');
}

/** By the service's own time, which need not be that of this machine. */
async function snoozeFor(session: Session, seconds: number): Promise<void> {
  const { params } = await talk(session);
  const note = await succeed(session, 'addConversationNote', { params, body: { body: session.mark } });
  const end = new Date(Date.parse(note.created_at) + seconds * 1000).toISOString();
  await succeed(session, 'snoozeConversation', { params, body: { until: end } });
}

/** Somebody may have snoozed it before: then no list shows it, whatever the filter. */
async function assertListed(session: Session): Promise<void> {
  const { conversation } = await talk(session);
  const { data } = await succeed(session, 'listConversations', { query: { contact_id: conversation.contact_id } });
  if (!data.some(({ id }) => id === conversation.id))
    throw new NotChecked('no list shows the conversation: it may be snoozed');
}
