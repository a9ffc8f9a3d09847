import { chunkItems } from '../platform/webhook/chunk-items.ts';
import { splitBySender } from '../platform/webhook/split-by-sender.ts';
import { readOrigins } from './read-origins.ts';

/** A part of a notification about one customer, as it is stored. */
export interface NotificationPart {
  body: string;
  queue_key: string | undefined;
  former_queue_keys: string[];
}

// A job applies its items in one transaction, of some 100 ms.
const itemsOfPart = 100;
// Each part repeats what surrounds its items. No notification of the platform grows that much.
const maxGrowth = 8;

/**
 * Splits a notification into parts about one customer each, of a bounded number of items. It stays whole where its parts would be much
 * longer. `text` is that of `body`.
 */
export function splitNotification(body: unknown, text: string): NotificationPart[] {
  const parts: NotificationPart[] = [];
  let length = 0;
  for (const ofSender of splitBySender(body)) {
    const { queue_key, former_queue_keys } = readOrigins(ofSender);
    for (const [n, chunk] of chunkItems(ofSender, itemsOfPart).entries()) {
      // Nearly every notification is about one customer, and is stored unchanged.
      const stored = chunk === body ? text : JSON.stringify(chunk);
      length += stored.length;
      if (length > maxGrowth * text.length) return [wholeOf(text, body)];
      parts.push({ body: stored, queue_key, former_queue_keys: n === 0 ? former_queue_keys : [] });
    }
  }
  return parts;
}

function wholeOf(text: string, body: unknown): NotificationPart {
  const { queue_key, former_queue_keys } = readOrigins(body);
  return { body: text, queue_key, former_queue_keys };
}
