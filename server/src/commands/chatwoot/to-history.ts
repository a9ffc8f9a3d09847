import type { HistoryContact, HistoryMessage } from '../../messages/history/history-import.ts';
import type { ChatwootContact, ChatwootConversation, ChatwootExport, ChatwootMessage } from './read-export.ts';

/** A contact of the export with its conversations in one inbox or several. */
export interface ContactHistory {
  /** Chatwoot's id, for messages to people. */
  contact_id: number;
  history: HistoryContact;
}

export interface Converted {
  histories: ContactHistory[];
  skipped: { contacts_without_phone: number; activities: number; empty_messages: number };
}

// The marks stand apart from the numbers of messages.
const firstMark = 2 ** 39;
const longestBody = 4_000;
const kinds = ['inbound', 'outbound', undefined, 'outbound'] as const;

/** Converts an export into histories, one for each contact with a phone number. `inboxes`: only their conversations. */
export function toHistory(found: ChatwootExport, inboxes: ReadonlySet<number> | undefined): Converted {
  const contacts = new Map(found.contacts);
  const skipped = { contacts_without_phone: 0, activities: 0, empty_messages: 0 };
  const conversationsOf = new Map<number, ChatwootConversation[]>();
  for (const conversation of found.conversations.values()) {
    const { sender } = conversation.meta;
    if (!sender || (inboxes && !inboxes.has(conversation.inbox_id ?? 0))) continue;
    if (!contacts.has(sender.id)) contacts.set(sender.id, sender);
    conversationsOf.set(sender.id, [...(conversationsOf.get(sender.id) ?? []), conversation]);
  }
  const histories = [...contacts.values()].flatMap((contact): ContactHistory[] => {
    if (!contact.phone_number) {
      skipped.contacts_without_phone += 1;
      return [];
    }
    const conversations = (conversationsOf.get(contact.id) ?? []).toSorted((a, b) => a.id - b.id);
    return [{ contact_id: contact.id, history: toContact(contact, conversations) }];
  });
  return { histories, skipped };

  function toContact(contact: ChatwootContact, conversations: ChatwootConversation[]): HistoryContact {
    const { name, email, phone_number, blocked, custom_attributes } = contact;
    const tags = [...new Set(conversations.flatMap(({ labels }) => labels ?? []))];
    const messages = conversations.flatMap(toMessages);
    const assignee_email = conversations.at(-1)?.meta.assignee?.email;
    const isClosed = conversations.every(({ status }) => status === 'resolved');
    return {
      phone: phone_number!,
      ...(name && { name }),
      ...(email && { email }),
      ...(tags.length > 0 && { tags }),
      ...(blocked && { blocked }),
      ...(custom_attributes && Object.keys(custom_attributes).length > 0 && { custom_fields: custom_attributes }),
      ...(messages.length > 0 && {
        conversation: { status: isClosed ? 'closed' : 'open', ...(assignee_email && { assignee_email }), messages },
      }),
    };
  }

  function toMessages({ id }: ChatwootConversation): HistoryMessage[] {
    const all = [...(found.messages.get(id)?.values() ?? [])].toSorted((a, b) => a.id - b.id);
    const messages = all.flatMap(toMessage);
    const [first] = messages;
    if (!first) return [];
    // The team sees where the history comes from. It stands before the first message of the same second.
    const mark = { number: firstMark + id, at: new Date(Date.parse(first.at) - 1).toISOString() };
    return [{ ...mark, kind: 'note', body: `Imported from Chatwoot, conversation ${id}` }, ...messages];
  }

  function toMessage(message: ChatwootMessage): HistoryMessage[] {
    const kind = message.private ? 'note' : kinds[message.message_type];
    if (!kind) {
      skipped.activities += 1;
      return [];
    }
    const body = [message.content?.trim(), ...(message.attachments ?? []).map(describeFile)].filter(Boolean).join('\n');
    if (body === '') {
      skipped.empty_messages += 1;
      return [];
    }
    const author_email = kind === 'inbound' ? undefined : message.sender?.email;
    const at = new Date(message.created_at * 1000).toISOString();
    const short = body.slice(0, longestBody).toWellFormed();
    return [{ number: message.id, at, kind, body: short, ...(author_email && { author_email }) }];
  }
}

/** The files stay in Chatwoot: their addresses end with it. */
function describeFile({ file_type = 'file', data_url }: { file_type?: string; data_url?: string }): string {
  const name = (data_url ?? '').replace(/\?.*$/, '').split('/').at(-1);
  return name ? `[${file_type}: ${decode(name)}]` : `[${file_type}]`;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
