import { type Channel, type Conversation, type Message, operations, type Template } from '@majlis/contract';
import { expectSuccess, type Session, shareFixture } from './session.ts';
import { Broken, NotChecked } from './verdict.ts';

export function findChatappChannel(session: Session): Promise<Channel> {
  return shareFixture(session, 'channel', async () => {
    const { data } = await expectSuccess(session, 'listChannels');
    const channel = data.find(({ type }) => type === 'chatapp');
    if (!channel) throw new NotChecked('the workspace has no channel');
    return channel;
  });
}

/** An approved template that needs only values for its variables. */
export function findApprovedTemplate(session: Session, category?: 'marketing'): Promise<Template> {
  return shareFixture(session, `approved ${category ?? 'utility'} template`, async () => {
    const { data } = await expectSuccess(session, 'listTemplates', { query: { status: 'approved' } });
    const wanted = category ? [category] : ['utility', 'authentication'];
    const template = data.find((one) => one.status === 'approved' && wanted.includes(one.category) && isPlainText(one));
    if (!template)
      throw new NotChecked(`the workspace has no approved ${category ?? 'utility'} template of plain text`);
    return template;
  });
}

/** For an audience of tags, which has no values for variables. */
export function findFixedTemplate(session: Session): Promise<Template> {
  return shareFixture(session, 'approved template without variables', async () => {
    const { data } = await expectSuccess(session, 'listTemplates', { query: { status: 'approved' } });
    const template = data.find((one) => isPlainText(one) && !one.components.some(({ text }) => text?.includes('{{')));
    if (!template) throw new NotChecked('the workspace has no approved template of plain text without variables');
    return template;
  });
}

function isPlainText({ components }: Template): boolean {
  return components.every(({ type, format = 'text' }) => type !== 'buttons' && format === 'text');
}

export function templateBody({ name, language, components }: Template): object {
  const variables = components.flatMap(({ text = '' }) => [...new Set(text.match(/\{\{\d+\}\}/g) ?? [])]);
  return { kind: 'template', template: { name, language, params: variables.map(() => 'conform') } };
}

export interface TestConversation {
  to: string;
  message: Message;
  conversation: Conversation;
  params: { conversation_id: string };
}

/** Opens the conversation with the number of `--to` by a template. The end of the run restores its state. */
export function openTestConversation(session: Session): Promise<TestConversation> {
  return shareFixture(session, 'conversation', async () => {
    const { to } = session.options;
    if (to === undefined) throw new NotChecked('needs --to');
    const channel = await findChatappChannel(session);
    const before = await findConversation(session, to, channel.id);
    const body = { to, channel_id: channel.id, ...templateBody(await findApprovedTemplate(session)) };
    const message = await expectSuccess(session, 'sendMessage', { body }).catch((error) => {
      throw error instanceof Broken && error.came.startsWith('409')
        ? new NotChecked(`the number cannot receive messages: ${error.came}`)
        : error;
    });
    const params = { conversation_id: message.conversation_id };
    session.leaves.add(`messages to ${to} and notes in conversation ${message.conversation_id}`);
    const conversation = await expectSuccess(session, 'getConversation', { params });
    session.cleanUps.push(() => restoreConversation(session, before ?? conversation));
    return { to, message, conversation, params };
  });
}

async function findConversation(session: Session, to: string, channel_id: string): Promise<Conversation | undefined> {
  const { data: contacts } = await expectSuccess(session, 'listContacts', { query: { q: to } });
  const contact = contacts.find(({ identities }) => identities.some(({ identifier }) => identifier === to));
  if (!contact) return undefined;
  const { data } = await expectSuccess(session, 'listConversations', { query: { contact_id: contact.id } });
  return data.find((conversation) => conversation.channel_id === channel_id);
}

async function restoreConversation(session: Session, before: Conversation): Promise<string | undefined> {
  const params = { conversation_id: before.id };
  const { client } = session;
  const { assignee_id = null, stage_id = null } = before;
  const answers = [
    await client.call(operations.assignConversation, { params, body: { assignee_id } }),
    await client.call(operations.setConversationStage, { params, body: { stage_id } }),
    await client.call(operations.handOverConversation, { params, body: { to: before.controller } }),
    before.status === 'closed'
      ? await client.call(operations.closeConversation, { params, body: {} })
      : await client.call(operations.reopenConversation, { params }),
  ];
  return answers.every(({ status }) => status === 200)
    ? undefined
    : `conversation ${before.id}, whose earlier state was not restored`;
}

/** The test conversation, if its window is open by the time of the service. Throws NotChecked otherwise. */
export async function requireOpenWindow(session: Session): Promise<TestConversation> {
  const opened = await openTestConversation(session);
  const { window_expires_at } = await expectSuccess(session, 'getConversation', { params: opened.params });
  if (!window_expires_at || Date.parse(window_expires_at) <= Date.parse(opened.message.created_at)) {
    throw new NotChecked(`the window is closed: write something from ${opened.to}, and run this again`);
  }
  return opened;
}
