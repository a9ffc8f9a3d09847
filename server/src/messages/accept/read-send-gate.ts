import type { SendGate, SendVerdict } from '@majlis/console-api';
import { type ChannelRow, presentChannel } from '../../channels/present.ts';
import { requireConversation, type Viewer } from '../../conversations/require-conversation.ts';
import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { transaction } from '../../database/transaction.ts';
import type { Refusal } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { readOpening } from '../../workspaces/hours-settings.ts';
import { type QuotedMessage, quotePrices } from '../../workspaces/prices/quote.ts';
import { refuseSend, takesFromPlatform } from '../rules.ts';
import { categoryOf, isInFreeTime } from './expected-price.ts';
import { findTargets, type SendTarget } from './find-targets.ts';
import { addressOf, refuseTarget } from './refuse-target.ts';
import { refuseCategory } from './refuse-template.ts';

interface GateRow extends ChannelRow {
  last_business_message_id: string | null;
  has_prices: boolean;
  fault: string | null;
}

const selectGate = statement<GateRow>(`
  select c.last_business_message_id,
    exists (select from conversation_prices p where p.workspace_id = c.workspace_id)
      or exists (select from rates r where r.workspace_id = c.workspace_id) as has_prices, ch.id, ch.type, ch.status, ch.name, ch.display_phone, ch.verified_name, ch.quality,
    ch.waba_id, ch.phone_number_id, ch.created_at, ch.access_token, ch.app_secret, ch.disconnected_at, ch.fault
  from conversations c
  join channels ch on ch.workspace_id = c.workspace_id and ch.id = c.channel_id
  where c.workspace_id = $1 and c.id = $2`);

/** Asks the rules that accept sends, in their order, about a message that a person would write now. */
export async function readSendGate(
  { pool, clock, secretBox }: Pick<Resources, 'pool' | 'clock' | 'secretBox'>,
  viewer: Viewer,
  public_id: string,
): Promise<SendGate> {
  const { workspace_id } = viewer;
  const conversation_id = await requireConversation(pool, viewer, public_id);
  const names = { workspace_id, conversation_id };
  const now = clock.now();
  const [[target], [row], opening] = await transaction(pool, (tx) =>
    Promise.all([
      findTargets(tx, clock, [names]),
      selectGate(tx, [workspace_id, conversation_id]),
      readOpening(tx, workspace_id, now),
    ]),
  );
  const refused = (kind: 'text' | 'template', category: string | null = null) =>
    refuseTarget({ names, content: {} }, target!) ??
    refuseCategory(category, target!) ??
    refuseSend(target!, { kind, reopens: false, by_person: true }, now);
  const price =
    row?.has_prices &&
    target!.channel_id &&
    (await quotePrices(pool, workspace_id, [toQuoted(target!, names, now)], now));
  const trouble = row && troubleOf(row, presentChannel(row, secretBox).status);
  return {
    now: now.toISOString(),
    ...(target!.window_expires_at && { window_expires_at: target!.window_expires_at.toISOString() }),
    free: verdictOf(refused('text')),
    template: verdictOf(refused('template')),
    marketing: verdictOf(refused('template', 'marketing')),
    ...(price && { price }),
    ...(trouble && { channel_trouble: trouble }),
    ...(!opening.is_open && { outside_hours: { ...(opening.opens !== undefined && { opens: opening.opens }) } }),
    ...(takesFromPlatform(target!, { by_person: true }) && { takes_over: true as const }),
    ...(row?.last_business_message_id && { newest_reply_id: publicId('message', row.last_business_message_id) }),
  };
}

function toQuoted(target: SendTarget, { workspace_id }: { workspace_id: string }, now: Date): QuotedMessage {
  return {
    workspace_id,
    channel_id: target.channel_id!,
    category: categoryOf({ kind: 'text' }, target),
    recipient: addressOf(target) ?? '',
    is_in_free_time: isInFreeTime(target, now),
  };
}

export function verdictOf(refusal: Refusal | undefined): SendVerdict {
  if (!refusal) return { allowed: true };
  const { code, extra } = refusal;
  const [fault] = extra.errors ?? [];
  const detail = extra.detail ?? fault?.detail;
  return { allowed: false, code, ...(detail !== undefined && { detail }), ...(fault && { pointer: fault.pointer }) };
}

/** A fault stays until the platform takes a message of the channel again. */
function troubleOf({ fault }: GateRow, status: string | undefined): string | undefined {
  return fault ?? (status === 'DISCONNECTED' ? status : undefined);
}
