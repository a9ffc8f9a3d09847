/** New customers that a number may write to in 24 hours; `null` with `unlimited`. */
export interface MessagingTier {
  messaging_tier: number | null;
  unlimited: boolean;
}

export interface PlatformNumber {
  phone_number_id: string;
  /** Digits only, as in webhooks. */
  display_phone?: string;
  verified_name?: string;
  quality?: string;
  status?: string;
  tier?: MessagingTier;
}
