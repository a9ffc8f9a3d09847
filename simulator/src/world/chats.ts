import type { Chat } from './message.ts';

const dayMs = 24 * 3_600_000;

/**
 * Chats by business number and customer. Beyond `keep` the oldest are dropped, except those with state that the platform keeps:
 * a customer's message, a marketing preference, a script's uses.
 */
export type Chats = {
  get(phone_number_id: string, wa_id: string): Chat | undefined;
  getOrMake(phone_number_id: string, wa_id: string, at: number): Chat;
  all(): IterableIterator<Chat>;
  remove(phone_number_id: string): void;
  clear(): void;
};

export function makeChats(keep: number): Chats {
  const byPair = new Map<string, Chat>();

  /** Checks one old chat per new one, at constant cost. */
  function dropOldest(): void {
    const [key, oldest] = byPair.entries().next().value!;
    byPair.delete(key);
    const { last_inbound_at, marketing, script_uses, held_by_agent } = oldest;
    if (last_inbound_at ?? marketing ?? script_uses ?? held_by_agent) byPair.set(key, oldest);
  }

  return {
    get: (phone_number_id, wa_id) => byPair.get(`${phone_number_id}:${wa_id}`),
    getOrMake(phone_number_id, wa_id, at) {
      const key = `${phone_number_id}:${wa_id}`;
      const found = byPair.get(key);
      if (found !== undefined) {
        if (at > found.last_at) found.last_at = at;
        return found;
      }
      const made: Chat = { phone_number_id, wa_id, last_at: at };
      byPair.set(key, made);
      if (byPair.size > keep) dropOldest();
      return made;
    },
    all: () => byPair.values(),
    remove(phone_number_id) {
      for (const [key, conversation] of byPair) {
        if (conversation.phone_number_id === phone_number_id) byPair.delete(key);
      }
    },
    clear: () => byPair.clear(),
  };
}

/** The customer service window of the platform (section 11): 24 hours from the customer's last message. */
export function hasOpenWindow(conversation: Chat | undefined, now: number): boolean {
  return conversation?.last_inbound_at !== undefined && now < conversation.last_inbound_at + dayMs;
}
