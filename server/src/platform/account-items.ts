import type { JsonObject } from './json-object.ts';
import type { MessagingTier } from './number.ts';
import type { AccountOrigin } from './origin.ts';
import type { PlatformTemplateStatus } from './template.ts';

// Items of webhooks about accounts, their numbers and templates, in the contract's terms.

/** A report whose content is read at the platform. */
export interface TemplateChangeItem extends AccountOrigin {
  type: 'template_change';
}

interface TemplateOrigin extends AccountOrigin {
  /** Text, even where the wire has an integer. */
  platform_template_id: string;
  name?: string;
  language?: string;
}

export interface TemplateStatusItem extends TemplateOrigin {
  type: 'template_status';
  status: PlatformTemplateStatus | 'deleted';
  reason?: string;
}

export interface TemplateQualityItem extends TemplateOrigin {
  type: 'template_quality';
  quality: string;
}

/** `category` holds now, and is absent where it does not change; the platform will change it to `announced_category`. */
export interface TemplateCategoryItem extends TemplateOrigin {
  type: 'template_category';
  category?: string;
  announced_category?: string;
  /** When it changes. */
  announced_for?: Date;
}

export interface NumberQualityItem extends AccountOrigin {
  type: 'number_quality';
  display_phone: string;
  event?: string;
  tier?: MessagingTier;
}

/** Applies to all numbers of the account. */
export interface CapabilityItem extends AccountOrigin {
  type: 'capability';
  tier: MessagingTier;
}

export interface NumberNameItem extends AccountOrigin {
  type: 'number_name';
  display_phone: string;
  decision: string;
  requested_name?: string;
  reason?: string;
}

/** The username of the business of a number. */
export interface BusinessUsernameItem extends AccountOrigin {
  type: 'business_username';
  display_phone: string;
  /** Absent: it is not the business's any more. */
  username?: string;
  /** As the platform states it, such as `reserved`. */
  status: string;
}

/** A tier of prices that the volume of an account has reached. */
export interface VolumeTierItem extends AccountOrigin {
  type: 'volume_tier';
  category: string;
  region: string;
  tier: string;
  effective_month?: string;
  updated_at: Date;
}

export interface AccountItem extends AccountOrigin {
  type: 'account';
  field: string;
  event?: string;
  raw: JsonObject;
}
