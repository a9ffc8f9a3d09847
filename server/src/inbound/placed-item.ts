import type { WebhookChannel } from '../channels/queries.ts';
import type { PlatformItem } from '../platform/items.ts';

/** An item and the channel it is about. */
export interface Placed<Item extends PlatformItem = PlatformItem> {
  channel: WebhookChannel;
  item: Item;
  /** A report that is as new was applied before: the platform repeats reports, and they come in any order. */
  is_outdated: boolean;
}
