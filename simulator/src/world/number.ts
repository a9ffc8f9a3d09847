import type { NumberOptions } from '../options.ts';
import type { Dict } from './message.ts';

/** A business phone number with the platform's states (section 10). */
export type BusinessNumber = NumberOptions & {
  /** Digits only, as in webhooks. */
  digits: string;
  quality_rating: string;
  status: string;
  name_status: string;
  /** Of the business at the platform: reserved, then active. */
  username?: string;
  username_status?: string;
  tier: string;
  registered: boolean;
  token_expired: boolean;
  /** Set through the protocol; replaces all other addresses for the field `messages`. */
  override_callback_uri?: string;
  blocked: Set<string>;
  /** Acceptance times of the last second. */
  recent: number[];
  register_calls: number[];
  /** What customers see of the business. */
  profile: Dict;
  settings: Dict;
};

export type BusinessAccount = {
  id: string;
  tokens: Set<string>;
  subscribed: boolean;
  override_callback_uri?: string;
  /** The end of the block by template name. */
  reserved_names: Map<string, number>;
  template_creations: number[];
  /** Template names whose fault was played. */
  played_faults: Set<string>;
  management_calls: number[];
};

const tiers: Record<number, string> = {
  50: 'TIER_50',
  250: 'TIER_250',
  1000: 'TIER_1K',
  2000: 'TIER_2K',
  10000: 'TIER_10K',
  100000: 'TIER_100K',
};

export function makeNumber(options: NumberOptions): BusinessNumber {
  return {
    ...options,
    digits: options.display_phone.replace(/\D/g, ''),
    quality_rating: 'GREEN',
    status: 'CONNECTED',
    name_status: 'APPROVED',
    tier: tierName(options.messaging_tier ?? 'TIER_1K'),
    registered: true,
    token_expired: false,
    blocked: new Set(),
    recent: [],
    register_calls: [],
    profile: { about: '', address: '', description: '', email: '', vertical: 'UNDEFINED', websites: [] },
    settings: { calling: { status: 'DISABLED' }, storage_configuration: { status: 'DEFAULT' } },
  };
}

export function tierName(tier: number | string): string {
  if (typeof tier === 'string' && Number.isNaN(Number(tier))) return tier;
  return tiers[Number(tier)] ?? 'TIER_UNLIMITED';
}

export function makeAccount(id: string): BusinessAccount {
  return {
    id,
    tokens: new Set(),
    subscribed: true,
    reserved_names: new Map(),
    template_creations: [],
    played_faults: new Set(),
    management_calls: [],
  };
}
