import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { longText, oneOf, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { list } from './page.ts';

export const AiAgent = Type.Object(
  {
    id: text(),
    name: text(),
    status: Type.Optional(text()),
    languages: Type.Array(Type.String()),
  },
  { title: 'AiAgent' },
);
export type AiAgent = Static<typeof AiAgent>;

export const ReplyDraft = Type.Object(
  {
    draft: text('The text. Nothing is sent.'),
    sources: Type.Array(Type.String(), { description: 'The knowledge sources that the draft uses.' }),
  },
  { title: 'ReplyDraft' },
);
export type ReplyDraft = Static<typeof ReplyDraft>;

export const ConversationSummary = Type.Object(
  { summary: text(), sentiment: text(), intent: text() },
  { title: 'ConversationSummary' },
);
export type ConversationSummary = Static<typeof ConversationSummary>;

export const ReplyCompose = Type.Object(
  {
    instruction: Type.Optional(longText('The purpose of the reply.')),
    tone: Type.Optional(oneOf(['friendly', 'formal', 'concise'], 'The tone of the reply.')),
    dialect: Type.Optional(text('The dialect to write in.')),
  },
  { title: 'ReplyCompose' },
);
export type ReplyCompose = Static<typeof ReplyCompose>;

export const KnowledgeSource = Type.Object(
  {
    type: Type.Optional(oneOf(['url', 'file', 'text'], 'The member that holds the source.')),
    url: Type.Optional(Type.String({ format: 'uri', bound: 'long', description: 'The address of a page.' })),
    media_id: Type.Optional(text('A file uploaded by `POST /v1/media`.')),
    text: Type.Optional(Type.String({ bound: 'document', description: 'The text itself.' })),
    ai_agent_ids: Type.Optional(Type.Array(Type.String(), { description: 'The AI agents that may use the source.' })),
  },
  { title: 'KnowledgeSource' },
);
export type KnowledgeSource = Static<typeof KnowledgeSource>;

const conversationParams = Type.Object({ conversation_id: text('The conversation.') });
const exampleParams = { conversation_id: examples.ids.conversation };

export const aiOperations = {
  listAiAgents: defineOperation({
    id: 'listAiAgents',
    method: 'GET',
    path: '/v1/ai/agents',
    label: 'Beta',
    summary: 'List the AI agents',
    description: 'All AI agents of the workspace.',
    idempotent: false,
    reply: { status: 200, body: list('AiAgentList', AiAgent) },
    refusals: [],
    example: { reply: { data: [examples.aiAgent] } },
  }),

  composeReply: defineOperation({
    id: 'composeReply',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/ai/compose',
    label: 'Coming soon',
    summary: 'Draft a reply',
    description: 'Drafts the next reply of the conversation. Nothing is sent.',
    idempotent: false,
    params: conversationParams,
    body: ReplyCompose,
    reply: { status: 200, body: ReplyDraft },
    refusals: ['not_found', 'unprocessable_content'],
    example: {
      params: exampleParams,
      body: { instruction: 'Say when the order arrives.', tone: 'friendly' },
      reply: {
        draft: 'Hello Muna, your order A-1042 arrives tomorrow before noon.',
        sources: ['https://acme.example/delivery'],
      },
    },
  }),

  summarizeConversation: defineOperation({
    id: 'summarizeConversation',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/ai/summary',
    label: 'Coming soon',
    summary: 'Summarise a conversation',
    description: 'The summary of the conversation, and the mood and the wish of the contact. Takes no body.',
    idempotent: false,
    params: conversationParams,
    reply: { status: 200, body: ConversationSummary },
    refusals: ['not_found'],
    example: {
      params: exampleParams,
      reply: { summary: 'Muna asks when her order arrives.', sentiment: 'neutral', intent: 'delivery time' },
    },
  }),

  addKnowledgeSource: defineOperation({
    id: 'addKnowledgeSource',
    method: 'POST',
    path: '/v1/ai/knowledge-sources',
    label: 'Coming soon',
    summary: 'Add a knowledge source',
    description: 'Accepts a page, a file or a text for indexing, so that AI agents can use it.',
    idempotent: false,
    body: KnowledgeSource,
    reply: { status: 202 },
    refusals: ['unprocessable_content', 'media_not_found'],
    example: {
      body: { type: 'url', url: 'https://acme.example/delivery', ai_agent_ids: [examples.ids.ai_agent] },
    },
  }),
};
