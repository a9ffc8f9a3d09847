import type { Conversation, OperationId } from '@majlis/contract';
import { defineArea } from '../clause.ts';
import { findApprovedTemplate, openTestConversation, templateBody } from '../conversation-fixtures.ts';
import { anyRefusal, expectRefusal, expectSuccess, pollUntil, type Session } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

export const conversationsArea = defineArea('conversations', [
  [
    'close',
    'POST …/close: open becomes closed; POST …/reopen: closed becomes open.',
    async (session) => {
      const { params } = await openTestConversation(session);
      assertSame(
        (await changeConversation(session, 'closeConversation', { summary: session.run_name })).status,
        'closed',
        'status',
      );
      assertSame((await expectSuccess(session, 'getConversation', { params })).status, 'closed', 'status');
      assertSame((await changeConversation(session, 'reopenConversation')).status, 'open', 'status');
    },
  ],
  [
    'closed_refuses',
    'A closed conversation refuses replies with 409 conversation_closed.',
    async (session) => {
      await changeConversation(session, 'closeConversation', {});
      await expectReplyRefusal(session, 'conversation_closed').finally(() =>
        changeConversation(session, 'reopenConversation'),
      );
    },
  ],
  [
    'handover',
    'POST …/handover: controller is bot, or human.',
    async (session) => {
      for (const to of ['bot', 'human']) {
        assertSame((await changeConversation(session, 'handOverConversation', { to })).controller, to, 'controller');
      }
    },
  ],
  [
    'bot_refuses',
    'While a bot controls, sending fails with 409 bot_in_control.',
    async (session) => {
      await changeConversation(session, 'handOverConversation', { to: 'bot' });
      const toHuman = () => changeConversation(session, 'handOverConversation', { to: 'human' });
      await expectReplyRefusal(session, 'bot_in_control').finally(toHuman);
    },
  ],
  [
    'handover_invalid',
    'Handover: to is required, human or bot.',
    async (session) => {
      const { params } = await openTestConversation(session);
      for (const body of [{}, { to: 'dog' }])
        await expectRefusal(session, 'handOverConversation', { params, body }, anyRefusal);
    },
  ],
  ['assign', 'POST …/assign: assignee_id set, or cleared with null.', assign],
  [
    'stage',
    'PUT …/stage: stage_id set, or cleared with null.',
    async (session) => {
      const [stage] = await expectSuccess(session, 'listStages');
      if (!stage) throw new NotChecked('the workspace has no stages');
      for (const stage_id of [stage.id, null]) {
        const conversation = await changeConversation(session, 'setConversationStage', { stage_id });
        assertSame(conversation.stage_id ?? null, stage_id, 'stage_id');
      }
    },
  ],
  [
    'note',
    'POST …/notes: 201, a message of kind note.',
    async (session) => {
      const { params } = await openTestConversation(session);
      const note = await expectSuccess(session, 'addConversationNote', { params, body: { body: session.run_name } });
      assertSame([note.kind, note.body], ['note', session.run_name], 'kind and body');
    },
  ],
  [
    'note_invalid',
    'POST …/notes: body is required.',
    async (session) => {
      const { params } = await openTestConversation(session);
      await expectRefusal(session, 'addConversationNote', { params, body: {} }, anyRefusal);
    },
  ],
  [
    'filters',
    'GET /v1/conversations takes contact_id and status.',
    async (session) => {
      const { conversation } = await openTestConversation(session);
      await assertListed(session);
      const { contact_id, id } = conversation;
      const open = await expectSuccess(session, 'listConversations', { query: { contact_id, status: 'open' } });
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
      const closed = await expectSuccess(session, 'listConversations', { query: { contact_id, status: 'closed' } });
      assertThat(!closed.data.some((one) => one.id === id), `${id} not among the closed ones`, closed.data);
    },
  ],
  [
    'order',
    'GET /v1/conversations: most recent activity first.',
    async (session) => {
      const { data } = await expectSuccess(session, 'listConversations');
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
      const { params } = await openTestConversation(session);
      const count = async () => (await expectSuccess(session, 'listConversationMessages', { params })).data.length;
      const before = await count();
      await expectSuccess(session, 'composeReply', { params, body: { instruction: 'Say hello.', tone: 'friendly' } });
      await expectSuccess(session, 'summarizeConversation', { params });
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

async function changeConversation(session: Session, id: Action & OperationId, body?: object): Promise<Conversation> {
  const { params } = await openTestConversation(session);
  return expectSuccess(session, id, { params, ...(body && { body }) });
}

/** Sends a template, which any window accepts: only the state of the conversation can refuse it. */
async function expectReplyRefusal(session: Session, code: string): Promise<void> {
  const { params } = await openTestConversation(session);
  const body = templateBody(await findApprovedTemplate(session));
  await expectRefusal(session, 'sendConversationMessage', { params, body }, [409], code);
}

async function assign(session: Session): Promise<void> {
  const { conversation } = await openTestConversation(session);
  const { data: users } = await expectSuccess(session, 'listUsers');
  const ids = [...users.slice(0, 1).map(({ id }) => id), null];
  for (const assignee_id of ids) {
    const { assignee_id: now = null } = await changeConversation(session, 'assignConversation', { assignee_id });
    assertSame(now, assignee_id, 'assignee_id');
  }
  await assertListed(session);
  const query = { assignee_id: 'none', contact_id: conversation.contact_id };
  const { data } = await expectSuccess(session, 'listConversations', { query });
  assertThat(
    data.some(({ id }) => id === conversation.id),
    `${conversation.id} among the unassigned`,
    data,
  );
}

/** Runs last. Ends with a snooze of 2 s and waits for its end, so that a second run finds the conversation in lists. */
async function snooze(session: Session): Promise<void> {
  const { conversation, params } = await openTestConversation(session);
  const query = { contact_id: conversation.contact_id };
  const isListed = async () =>
    (await expectSuccess(session, 'listConversations', { query })).data.some(({ id }) => id === conversation.id);
  await snoozeFor(session, 60);
  const wasListed = await isListed();
  await snoozeFor(session, 2);
  if (!(await pollUntil(session, isListed, (listed) => listed))) {
    session.leaves.add(`conversation ${params.conversation_id}, snoozed`);
  }
  assertSame(wasListed, false, 'the conversation shown in the list:');
}

/** Uses the time of the service, which may differ from the local time. */
async function snoozeFor(session: Session, seconds: number): Promise<void> {
  const { params } = await openTestConversation(session);
  const note = await expectSuccess(session, 'addConversationNote', { params, body: { body: session.run_name } });
  const end = new Date(Date.parse(note.created_at) + seconds * 1000).toISOString();
  await expectSuccess(session, 'snoozeConversation', { params, body: { until: end } });
}

/** Throws NotChecked if no list shows the conversation: a user may have snoozed it. */
async function assertListed(session: Session): Promise<void> {
  const { conversation } = await openTestConversation(session);
  const { data } = await expectSuccess(session, 'listConversations', {
    query: { contact_id: conversation.contact_id },
  });
  if (!data.some(({ id }) => id === conversation.id))
    throw new NotChecked('no list shows the conversation: it may be snoozed');
}
