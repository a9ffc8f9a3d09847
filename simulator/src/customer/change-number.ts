import type { NumberOptions } from '../options.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import { type BusinessNumber, tierName } from '../world/number.ts';
import { refreshTokens, type World } from '../world/world.ts';

export type NumberChange = Partial<
  Pick<NumberOptions, 'display_phone' | 'verified_name' | 'access_token' | 'webhook'>
> & {
  quality_rating?: string;
  status?: string;
  name_status?: string;
  tier?: number | string;
  username?: string;
  username_status?: string;
  registered?: boolean;
  token_expired?: boolean;
};

/** Changes a number as the platform does, with its webhooks (section 9). */
export function changeNumber(world: World, sender: Sender, number: BusinessNumber, change: NumberChange): void {
  const notify = (field: string, value: Dict) =>
    void sender.notify({ waba_id: number.waba_id, field, time: Math.floor(world.now() / 1000), head: value });
  const { tier, ...plain } = change;
  const before = { ...number };
  Object.assign(number, plain);
  if (change.display_phone !== undefined) number.digits = change.display_phone.replace(/\D/g, '');
  // The limit is the portfolio's: its numbers share it.
  const siblings = [...world.numbers.values()].filter(({ waba_id }) => waba_id === number.waba_id);
  if (tier !== undefined) for (const sibling of siblings) sibling.tier = tierName(tier);
  refreshTokens(world);

  const display_phone_number = number.digits;
  if (number.tier !== before.tier) {
    const max_daily_conversations_per_business = number.tier;
    notify('business_capability_update', { max_daily_conversations_per_business, max_phone_numbers_per_business: 20 });
    const limits = { old_limit: before.tier, current_limit: number.tier, max_daily_conversations_per_business };
    notify('phone_number_quality_update', { display_phone_number, event: 'UPGRADE', ...limits });
  }
  if (number.quality_rating !== before.quality_rating) {
    const event = number.quality_rating === 'RED' ? 'FLAGGED' : 'UNFLAGGED';
    notify('phone_number_quality_update', { display_phone_number, event, current_limit: number.tier });
  }
  if (number.name_status !== before.name_status) {
    const decision = number.name_status;
    notify('phone_number_name_update', {
      display_phone_number,
      decision,
      requested_verified_name: number.verified_name,
      rejection_reason: null,
    });
  }
  if (number.username !== before.username || number.username_status !== before.username_status) {
    const { username, username_status: status = 'reserved' } = number;
    notify('business_username_update', { display_phone_number, username, status });
  }
  if (number.status !== before.status) notifyStatus(notify, number.status);
  world.changes.emit('other', 'numbers');
}

function notifyStatus(notify: (field: string, value: Dict) => void, status: string): void {
  if (status === 'BANNED') {
    notify('account_update', {
      event: 'DISABLED_UPDATE',
      ban_info: { waba_ban_state: 'DISABLE', waba_ban_date: new Date(0).toUTCString() },
    });
  } else if (status === 'RESTRICTED') {
    const restriction_info = [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }];
    notify('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info });
  }
}

export type ReachedTier = { tier: string; pricing_category: string; region: string };

/** The account of the number reaches a tier of prices by volume. */
export function reachVolumeTier(world: World, sender: Sender, { waba_id }: BusinessNumber, reached: ReachedTier): void {
  const time = Math.floor(world.now() / 1000);
  const effective_month = new Date(world.now()).toISOString().slice(0, 7);
  const volume_tier_info = { tier_update_time: time, ...reached, effective_month };
  const head = { event: 'VOLUME_BASED_PRICING_TIER_UPDATE', volume_tier_info };
  void sender.notify({ waba_id, field: 'account_update', time, head });
}
