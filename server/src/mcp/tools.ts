import { type BroadcastCreate, extensionOperations, type Operation, operations, type Template } from '@majlis/contract';
import { type PerformOperation, RefusedCall } from './perform-operation.ts';
import { inputOf, type Tool, type ToolInput, toolOf } from './tool.ts';

/** All tools, in the order in which an assistant needs them. */
export const tools: readonly Tool[] = [
  {
    name: 'read_workspace',
    title: 'Read the workspace',
    description: 'The workspace with its users, channels and stages: the ids that other tools take.',
    operations: [operations.getWorkspace, operations.listUsers, operations.listChannels, operations.listStages],
    input: inputOf(operations.getWorkspace),
    async call(perform) {
      const workspace = await perform(operations.getWorkspace, {});
      const { data: users } = (await perform(operations.listUsers, {})) as { data: unknown };
      const { data: channels } = (await perform(operations.listChannels, {})) as { data: unknown };
      return { workspace, users, channels, stages: await perform(operations.listStages, {}) };
    },
  },
  toolOf(operations.listConversations, {
    name: 'find_conversations',
    title: 'Find conversations',
    description: 'Conversations that meet all given filters, the most recent activity first, page by page.',
  }),
  {
    name: 'read_conversation',
    title: 'Read a conversation',
    description:
      'A conversation with its newest messages, the oldest of them first. `cursor` continues with older messages. A reply ' +
      'needs an open `window_expires_at`; behind it only a template may be sent.',
    operations: [operations.getConversation, operations.listConversationMessages],
    input: inputOf(operations.listConversationMessages),
    call: (perform, { conversation_id, cursor }) =>
      readConversation(perform, conversation_id as string, cursor as string | undefined),
  },
  toolOf(operations.listContacts, {
    name: 'find_contacts',
    title: 'Find contacts',
    description: 'Contacts by a part of a name, a number or an e-mail address, by tag or by stage, page by page.',
  }),
  toolOf(operations.getContact, {
    name: 'read_contact',
    title: 'Read a contact',
    description: 'A contact with identities, tags, stage, consents and custom fields.',
  }),
  toolOf(operations.listTemplates, {
    name: 'list_templates',
    title: 'List the templates',
    description: 'The templates of the workspace. Only approved ones can be sent.',
  }),
  toolOf(extensionOperations.searchKnowledge, {
    name: 'search_knowledge',
    title: 'Search the knowledge',
    description: 'Passages of the knowledge of the business, such as its terms of delivery, with their sources.',
  }),
  toolOf(operations.composeReply, {
    name: 'draft_reply',
    title: 'Draft a reply',
    description: 'A draft of the next reply, from the knowledge of the business, with its sources. Nothing is sent.',
    drafts: true,
  }),
  toolOf(operations.summarizeConversation, {
    name: 'summarize_conversation',
    title: 'Summarise a conversation',
    description: 'The summary of a conversation, and the mood and the wish of the customer.',
    drafts: true,
  }),
  toolOf(operations.addConversationNote, {
    name: 'add_note',
    title: 'Add a note',
    description: 'Adds a note that the team sees and the customer never does. `@FirstName` notifies that colleague.',
    drafts: true,
  }),
  toolOf(operations.sendConversationMessage, {
    name: 'send_message',
    title: 'Send a reply',
    description:
      'Sends a message to the customer of a conversation at once. Refused when the 24-hour window is closed ' +
      '(`window_closed`: send a template), when the conversation is closed, or while a bot has control.',
    omit: ['template'],
  }),
  toolOf(operations.sendMessage, {
    name: 'send_template',
    title: 'Send a template',
    description:
      'Sends an approved template to a phone number (`to`) or a contact (`contact_id`) at once, also outside the 24-hour ' +
      'window. A marketing template needs the opt-in of the contact.',
    only: ['to', 'contact_id', 'channel_id', 'template'],
    required: ['template'],
    fixed: { kind: 'template' },
  }),
  toolOf(operations.assignConversation, {
    name: 'assign_conversation',
    title: 'Assign a conversation',
    description: 'Assigns a conversation to a user, or to nobody with `null`.',
    only: ['conversation_id', 'assignee_id'],
    required: ['assignee_id'],
  }),
  toolOf(operations.setConversationStage, {
    name: 'set_stage',
    title: 'Set the stage of a conversation',
    description: 'Moves a conversation to a stage, or to none with `null`.',
  }),
  toolOf(operations.updateContact, {
    name: 'set_contact_tags',
    title: 'Set the tags of a contact',
    description: 'Replaces all tags of a contact, which are also those of its conversations. Read the contact first.',
    only: ['contact_id', 'tags'],
    required: ['tags'],
  }),
  toolOf(operations.closeConversation, {
    name: 'close_conversation',
    title: 'Close a conversation',
    description: 'Closes a conversation, with a reason and a summary. `send_csat` sends the customer a survey.',
    async preview(perform, { conversation_id, send_csat }) {
      const { conversation, messages } = await readConversation(perform, conversation_id as string);
      return { closes: conversation, last_messages: messages.slice(-3), sends_survey: send_csat === true };
    },
  }),
  {
    name: 'preview_broadcast',
    title: 'Preview a broadcast',
    description: 'What start_broadcast would send, and to how many. Answers the token with which it starts.',
    operations: [operations.listTemplates],
    input: inputOf(operations.createBroadcast),
    call: previewBroadcast,
  },
  toolOf(operations.createBroadcast, {
    name: 'start_broadcast',
    title: 'Start a broadcast',
    description:
      'Sends a template to all contacts with tags or at a stage, or to a list of numbers, now or at `send_at`.',
    preview: previewBroadcast,
  }),
  {
    name: 'read_analytics',
    title: 'Read the figures',
    description:
      'How many conversations are open, unreplied, unassigned and closed. With `from` and `to` also the messages of the ' +
      'period and its conversations, each `interval` a row.',
    operations: [operations.getAnalyticsOverview, operations.getConversationAnalytics, operations.getMessageAnalytics],
    input: { ...inputOf(operations.getConversationAnalytics), required: [] },
    call: readAnalytics,
  },
];

/** The two tools of one act: a token of the first is one for the second. */
export const previewed = new Map([['preview_broadcast', 'start_broadcast']]);

export async function readConversation(perform: PerformOperation, conversation_id: string, cursor?: string) {
  const params = { conversation_id };
  const conversation = await perform(operations.getConversation, { params });
  const page = (await perform(operations.listConversationMessages, { params, query: { cursor } })) as {
    data: unknown[];
    next_cursor?: string;
  };
  return { conversation, messages: page.data, ...(page.next_cursor && { next_cursor: page.next_cursor }) };
}

export async function readTemplates(perform: PerformOperation, name?: string): Promise<Template[]> {
  const { data } = (await perform(operations.listTemplates, {})) as { data: Template[] };
  return name === undefined ? data : data.filter((template) => template.name === name);
}

async function previewBroadcast(perform: PerformOperation, input: ToolInput): Promise<object> {
  const { template, audience, send_at } = input as Partial<BroadcastCreate>;
  const found = (await readTemplates(perform, template?.name)).find(
    ({ language, status }) => language === template?.language && status === 'approved',
  );
  if (!found)
    throw new RefusedCall({ code: 'template_not_found', detail: 'No approved template has this name and language.' });
  return { template: found, recipients: await countRecipients(perform, audience), starts: send_at ?? 'at once' };
}

/** Counts one page of each filter: the exact number of a large audience does not change what a person decides. */
async function countRecipients(
  perform: PerformOperation,
  { tags, stage_id, recipients }: Partial<BroadcastCreate['audience']> = {},
): Promise<object> {
  if (recipients) return { numbers: recipients.length };
  const filters = [...(tags ?? []).slice(0, 10).map((tag) => ({ tag })), ...(stage_id ? [{ stage_id }] : [])];
  const counts = [];
  for (const filter of filters) {
    const page = await perform(operations.listContacts, { query: { ...filter, limit: 1_000 } }).catch((error) => {
      if (error instanceof RefusedCall && error.refusal.code === 'insufficient_scope') return undefined;
      throw error;
    });
    const { data, has_more } = (page ?? {}) as { data?: unknown[]; has_more?: boolean };
    counts.push({
      ...filter,
      contacts: data ? `${has_more ? 'more than ' : ''}${data.length}` : 'unknown to this key',
    });
  }
  return { counts };
}

async function readAnalytics(perform: PerformOperation, input: ToolInput): Promise<object> {
  const { from, to } = input;
  const overview = await perform(operations.getAnalyticsOverview, {});
  if (from === undefined && to === undefined) return { overview };
  const { data } = (await perform(operations.getConversationAnalytics, { query: input })) as { data: unknown };
  const messages = await perform(operations.getMessageAnalytics, { query: { from, to } });
  return { overview, conversations: data, messages };
}

/** Whether the installation serves all that the tool needs. */
export function isServed({ operations: needed }: Tool, coming_soon: boolean): boolean {
  return coming_soon || needed.every(({ label }: Operation) => label !== 'Coming soon');
}
