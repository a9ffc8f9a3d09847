import { headOf } from '../webhooks/report-status.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';

/** Stops or resumes marketing messages to a customer (section 9). After a stop, sends fail with 131050. */
export function setMarketingPreference(
  world: World,
  sender: Sender,
  number: BusinessNumber,
  wa_id: string,
  value: 'stop' | 'resume',
): void {
  const timestamp = Math.floor(world.now() / 1000);
  const conversation = world.conversations.getOrMake(number.phone_number_id, wa_id, world.now());
  conversation.marketing = value;
  const detail = `User requested to ${value} marketing messages`;
  void sender.notify(
    {
      waba_id: number.waba_id,
      field: 'user_preferences',
      time: timestamp,
      head: headOf(number),
      contacts: [{ profile: { name: world.customers.get(wa_id).name }, wa_id }],
      list: { name: 'user_preferences', item: { wa_id, detail, category: 'marketing_messages', value, timestamp } },
    },
    number.phone_number_id,
  );
  world.changes.emit('conversation', conversation);
}
