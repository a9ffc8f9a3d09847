import { findOrCreateReported } from '../../contacts/write/find-or-create-reported.ts';
import { type ControlReport, followPlatformControl } from '../../conversations/change/follow-platform-control.ts';
import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import type { InboundMessage } from './receive-messages.ts';

/** The platform's own agent got the conversation of a person, or gave it up. */
export type Handover = Pick<InboundMessage, 'workspace_id' | 'channel_id' | 'channel_type' | 'person'> &
  Pick<ControlReport, 'is_held' | 'at'>;

/** Applies changes of control. One that comes before the first message of its conversation begins the conversation. */
export async function applyHandovers(tx: Transaction, clock: Clock, handovers: readonly Handover[]): Promise<void> {
  if (handovers.length === 0) return;
  const contacts = await findOrCreateReported(tx, clock, handovers);
  const keys = handovers.map((handover, index) => ({ ...handover, ...contacts[index]! }));
  const conversations = await findOrCreateConversations(tx, clock, keys, clock.now());
  await followPlatformControl(
    tx,
    clock,
    handovers.map(({ workspace_id, is_held, at }, index) => {
      return { workspace_id, conversation_id: conversations[index]!, is_held, at, is_change: true };
    }),
  );
}
