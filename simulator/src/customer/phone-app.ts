import { headOf } from '../webhooks/report-status.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { ChatMessage, Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';

const dayMs = 86_400_000;
// The platform shares the last day first, then 90 days, then 180.
const phases = [1, 90, 180];
const declined = {
  code: 2593109,
  title: 'History sync is turned off by the business from the WhatsApp Business App',
  message: 'History sync is turned off by the business from the WhatsApp Business App',
  error_data: { details: 'History sharing is turned off by the business' },
};

/** Shares the chats of the number as the phone app does (field `history`), in chunks of threads, or declines. */
export function shareHistory(
  world: World,
  sender: Sender,
  number: BusinessNumber,
  { declines = false, chunk_size = 50 }: { declines?: boolean; chunk_size?: number },
): number {
  const notify = (item: Dict) =>
    void sender.notify(
      { waba_id: number.waba_id, field: 'history', head: headOf(number), list: { name: 'history', item } },
      number.phone_number_id,
    );
  if (declines) {
    notify({ errors: [declined] });
    return 1;
  }
  const chunks = phases.flatMap((_, phase) => chunksOf(world, number, phase, chunk_size));
  for (const [n, { phase, chunk_order, messages }] of chunks.entries()) {
    const progress = Math.round(((n + 1) / chunks.length) * 100);
    const threads = [...Map.groupBy(messages, ({ wa_id }) => wa_id)].map(([id, said]) => {
      return { id, messages: said.map((message) => presentSaid(number, message)) };
    });
    notify({ metadata: { phase, chunk_order, progress }, threads });
  }
  return chunks.length;
}

function chunksOf(world: World, { phone_number_id }: BusinessNumber, phase: number, size: number) {
  const [from, to] = [phases[phase]! * dayMs, (phases[phase - 1] ?? 0) * dayMs];
  const said = [...world.conversations.all()]
    .filter((chat) => chat.phone_number_id === phone_number_id && chat.wa_id !== '')
    .flatMap((chat) => world.messages.ofChat(phone_number_id, chat.wa_id))
    .filter(({ at }) => world.now() - at < from && world.now() - at >= to);
  const count = Math.ceil(said.length / size);
  return Array.from({ length: count }, (_, n) => {
    return { phase, chunk_order: n + 1, messages: said.slice(n * size, (n + 1) * size) };
  });
}

function presentSaid({ digits }: BusinessNumber, message: ChatMessage): Dict {
  const { id, wa_id, at, type, content, direction, status, context_id } = message;
  const ways = direction === 'inbound' ? { from: wa_id } : { from: digits, to: wa_id };
  const timestamp = String(Math.floor(at / 1000));
  const history_context = { status: (status === 'received' ? 'read' : status).toUpperCase() };
  return {
    ...ways,
    id,
    timestamp,
    type,
    [type]: content,
    ...(context_id && { context: { id: context_id } }),
    history_context,
  };
}

export type AddressBookEntry = { phone: string; name?: string; action?: 'add' | 'remove' };

/** Shares entries of the phone app's address book (field `smb_app_state_sync`). */
export function shareAddressBook(
  world: World,
  sender: Sender,
  number: BusinessNumber,
  entries: readonly AddressBookEntry[],
): void {
  const timestamp = String(Math.floor(world.now() / 1000));
  for (const { phone, name, action = 'add' } of entries) {
    const names = name === undefined ? {} : { full_name: name, first_name: name.split(' ')[0] };
    const contact = { ...names, phone_number: phone.replace(/\D/g, '') };
    const item = { type: 'contact', contact, action, metadata: { timestamp } };
    const list = { name: 'state_sync', item };
    void sender.notify(
      { waba_id: number.waba_id, field: 'smb_app_state_sync', head: headOf(number), list },
      number.phone_number_id,
    );
  }
}
