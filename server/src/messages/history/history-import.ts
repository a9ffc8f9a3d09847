import { type Static, Type } from 'typebox';

/** One stored message of another system. */
const HistoryMessage = Type.Object(
  {
    /** The number of the message there. With the source, it makes the id, so a repetition stores nothing twice. */
    number: Type.Integer({ minimum: 1, maximum: 2 ** 40 - 1 }),
    at: Type.String({ format: 'date-time' }),
    kind: Type.Union([Type.Literal('inbound'), Type.Literal('outbound'), Type.Literal('note')]),
    body: Type.String({ bound: 'long' }),
    /** The user who wrote it, where the workspace has one with this address. */
    author_email: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type HistoryMessage = Static<typeof HistoryMessage>;

const HistoryContact = Type.Object(
  {
    phone: Type.String(),
    name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String())),
    blocked: Type.Optional(Type.Boolean()),
    custom_fields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Absent: the contact alone. */
    conversation: Type.Optional(
      Type.Object(
        {
          status: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
          assignee_email: Type.Optional(Type.String()),
          messages: Type.Array(HistoryMessage, { maxItems: 1_000 }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type HistoryContact = Static<typeof HistoryContact>;

/** The body of an import of history: what another system stored about contacts. */
export const HistoryImport = Type.Object(
  {
    /** The other system and its account, such as `chatwoot/1`. */
    source: Type.String({ minLength: 1 }),
    channel_id: Type.Optional(Type.String()),
    contacts: Type.Array(HistoryContact, { maxItems: 100 }),
  },
  { additionalProperties: false },
);
export type HistoryImport = Static<typeof HistoryImport>;

export interface HistoryResult {
  contacts: { created: number; known: number };
  conversations: { created: number };
  messages: { stored: number; known: number };
  failed: { index: number; code: string; detail: string }[];
}
