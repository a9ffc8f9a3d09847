import type { Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { GraphError, invalidParameter, missingParameter } from './graph-error.ts';
import { isRecord } from './is-record.ts';

const typingMs = 25_000;

/** Marks an inbound message and all earlier ones of its chat as read; can show "typing" for 25 s (section 3). */
export function markRead(world: World, number: BusinessNumber, body: Dict): Dict {
  if (body.messaging_product !== 'whatsapp') {
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' });
  }
  if (body.status !== 'read') throw invalidParameter('status');
  if (typeof body.message_id !== 'string') throw missingParameter('message_id');
  const message = world.messages.get(body.message_id);
  if (message?.direction !== 'inbound' || message.phone_number_id !== number.phone_number_id) {
    throw new GraphError(100, { details: 'Message with ID does not exist or has expired.' });
  }
  for (const earlier of world.messages.ofChat(number.phone_number_id, message.wa_id)) {
    if (earlier.direction === 'inbound' && earlier.at <= message.at && !earlier.read_by_business) {
      earlier.read_by_business = true;
      world.changes.emit('message', earlier);
    }
  }
  if (isRecord(body.typing_indicator)) {
    if (body.typing_indicator.type !== 'text') throw invalidParameter("typing_indicator['type']");
    const conversation = world.conversations.getOrMake(number.phone_number_id, message.wa_id, message.at);
    conversation.typing_until = world.now() + typingMs;
    world.changes.emit('conversation', conversation);
  }
  return { success: true };
}
