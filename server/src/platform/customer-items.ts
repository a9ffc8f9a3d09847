import type { JsonObject } from './json-object.ts';
import type { CustomerIds, NumberOrigin } from './origin.ts';

// Items of webhooks about what customers do but write, in the contract's terms.

/** An entry of the phone app's address book. */
export interface AddressBookItem extends NumberOrigin, CustomerIds {
  type: 'address';
  /** Absent: the entry was removed. */
  name?: string;
  at: Date;
}

/** What the platform reports of a call. Absent members are unknown by this report. */
export interface CallItem extends NumberOrigin, CustomerIds {
  type: 'call';
  call_id: string;
  event: 'begun' | 'ringing' | 'accepted' | 'rejected' | 'ended';
  by?: 'customer' | 'business';
  /** Of an answered call. */
  duration_seconds?: number;
  profile_name?: string;
  at: Date;
}

/** The customer opened a link of a marketing message. */
export interface ClickItem extends NumberOrigin, CustomerIds {
  type: 'click';
  click_id: string;
  /** Absent: the platform names no message. */
  platform_message_id?: string;
  component?: string;
  at: Date;
  raw: JsonObject;
}

/** The state of a payment that a message asked for. */
export interface PaymentItem extends NumberOrigin, CustomerIds {
  type: 'payment';
  reference_id: string;
  status: string;
  platform_message_id?: string;
  callback_data?: string;
  /** In units of the currency. */
  amount?: number;
  currency?: string;
  at: Date;
  raw: JsonObject;
}

/** The platform's own agent got a conversation, or gave it up. */
export interface HandoverItem extends NumberOrigin, CustomerIds {
  type: 'handover';
  is_held: boolean;
  at?: Date;
}

export interface UserPreferenceItem extends NumberOrigin, CustomerIds {
  type: 'user_preference';
  marketing: boolean;
  at: Date;
  raw: JsonObject;
}

export interface IdentityChangeItem extends NumberOrigin {
  type: 'identity_change';
  platform_message_id: string;
  at: Date;
  previous: CustomerIds;
  current: CustomerIds;
  /** The customer gave the number because the business asked for it. */
  is_given?: true;
}
