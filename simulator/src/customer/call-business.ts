import { headOf } from '../webhooks/report-status.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';

/**
 * The customer calls the business (field `calls`). The platform reports the beginning and the end. Without seconds, nobody answered. The call
 * opens the window, as a message does.
 */
export function callBusiness(
  world: World,
  sender: Sender,
  number: BusinessNumber,
  { wa_id, seconds = 0 }: { wa_id: string; seconds?: number },
): string {
  const id = `wacid.${world.random.hex(24)}`;
  const at = Math.floor(world.now() / 1000);
  const chat = world.conversations.getOrMake(number.phone_number_id, wa_id, world.now());
  chat.last_inbound_at = world.now();
  const notify = (item: Dict) =>
    sender.notify(
      {
        ...{ waba_id: number.waba_id, field: 'calls', head: headOf(number) },
        contacts: [{ profile: { name: world.customers.get(wa_id).name }, wa_id }],
        list: { name: 'calls', item },
      },
      number.phone_number_id,
    );
  const call = { id, from: wa_id, to: number.digits, direction: 'USER_INITIATED' };
  void notify({ ...call, event: 'connect', timestamp: String(at), session: { sdp_type: 'offer', sdp: 'v=0\r\n' } });
  const lasted = { status: 'COMPLETED', start_time: String(at), end_time: String(at + seconds), duration: seconds };
  const end = seconds > 0 ? lasted : { status: 'FAILED' };
  void notify({ ...call, event: 'terminate', timestamp: String(at + seconds), ...end });
  world.changes.emit('conversation', chat);
  return id;
}
