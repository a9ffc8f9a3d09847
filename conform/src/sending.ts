import { type Channel, type Conversation, type Message, operations, type Template } from '@majlis/contract';
import { type Session, shared, succeed } from './session.ts';
import { Broken, NotChecked } from './verdict.ts';

export function chatappChannel(session: Session): Promise<Channel> {
  return shared(session, 'channel', async () => {
    const { data } = await succeed(session, 'listChannels');
    const channel = data.find(({ type }) => type === 'chatapp');
    if (!channel) throw new NotChecked('the workspace has no channel');
    return channel;
  });
}

/** An approved template that needs nothing but values for its variables. */
export function approvedTemplate(session: Session, category?: 'marketing'): Promise<Template> {
  return shared(session, `approved ${category ?? 'utility'} template`, async () => {
    const { data } = await succeed(session, 'listTemplates', { query: { status: 'approved' } });
    const wanted = category ? [category] : ['utility', 'authentication'];
    const template = data.find((one) => one.status === 'approved' && wanted.includes(one.category) && isPlain(one));
    if (!template)
      throw new NotChecked(`the workspace has no approved ${category ?? 'utility'} template of plain text`);
    return template;
  });
}

function isPlain({ components }: Template): boolean {
  return components.every(({ type, format = 'text' }) => type !== 'buttons' && format === 'text');
}

export function templateBody({ name, language, components }: Template): object {
  const variables = components.flatMap(({ text = '' }) => [...new Set(text.match(/\{\{\d+\}\}/g) ?? [])]);
  return { kind: 'template', template: { name, language, params: variables.map(() => 'conform') } };
}

export interface Talk {
  to: string;
  message: Message;
  conversation: Conversation;
  params: { conversation_id: string };
}

/** The conversation with the number of `--to`, opened by a template. It is put back at the end as it was found. */
export function talk(session: Session): Promise<Talk> {
  return shared(session, 'conversation', async () => {
    const { to } = session.options;
    if (to === undefined) throw new NotChecked('needs --to');
    const channel = await chatappChannel(session);
    const before = await findConversation(session, to, channel.id);
    const body = { to, channel_id: channel.id, ...templateBody(await approvedTemplate(session)) };
    const message = await succeed(session, 'sendMessage', { body }).catch((error) => {
      throw error instanceof Broken && error.came.startsWith('409')
        ? new NotChecked(`not to be written to: ${error.came}`)
        : error;
    });
    const params = { conversation_id: message.conversation_id };
    session.leaves.add(`messages to ${to} and notes in conversation ${message.conversation_id}`);
    const conversation = await succeed(session, 'getConversation', { params });
    session.cleanUps.push(() => putBack(session, before ?? conversation));
    return { to, message, conversation, params };
  });
}

async function findConversation(session: Session, to: string, channel_id: string): Promise<Conversation | undefined> {
  const { data: contacts } = await succeed(session, 'listContacts', { query: { q: to } });
  const contact = contacts.find(({ identities }) => identities.some(({ identifier }) => identifier === to));
  if (!contact) return undefined;
  const { data } = await succeed(session, 'listConversations', { query: { contact_id: contact.id } });
  return data.find((conversation) => conversation.channel_id === channel_id);
}

async function putBack(session: Session, before: Conversation): Promise<string | undefined> {
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
    : `conversation ${before.id}, not put back as it was`;
}

/** Whether any kind may be sent now, by the service's own word and time. */
export async function openWindow(session: Session): Promise<Talk> {
  const opened = await talk(session);
  const { window_expires_at } = await succeed(session, 'getConversation', { params: opened.params });
  if (!window_expires_at || Date.parse(window_expires_at) <= Date.parse(opened.message.created_at)) {
    throw new NotChecked(`the window is closed: write something from ${opened.to}, and run this again`);
  }
  return opened;
}
