import type { ChatMessage } from './message.ts';

/** Messages by id; beyond `keep` the oldest are dropped. */
export type Messages = {
  add(message: ChatMessage): void;
  get(id: string): ChatMessage | undefined;
  /** The messages of one chat, oldest first. */
  ofChat(phone_number_id: string, wa_id: string): ChatMessage[];
  all(): IterableIterator<ChatMessage>;
  clear(): void;
};

export function makeMessages(keep: number): Messages {
  const byId = new Map<string, ChatMessage>();

  return {
    add(message) {
      byId.set(message.id, message);
      // A map iterates in insertion order: its first key is the oldest.
      if (byId.size > keep) byId.delete(byId.keys().next().value!);
    },
    get: (id) => byId.get(id),
    ofChat: (phone_number_id, wa_id) =>
      [...byId.values()].filter((m) => m.phone_number_id === phone_number_id && m.wa_id === wa_id),
    all: () => byId.values(),
    clear: () => byId.clear(),
  };
}
