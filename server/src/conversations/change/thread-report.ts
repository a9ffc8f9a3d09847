/** What the platform has reported of the thing that a line of the thread is about. Each line has one of these. */
export interface ThreadReport {
  call?: CallReport;
  payment?: PaymentReport;
  click?: ClickReport;
  /** The customer gave their number. */
  number?: Record<string, never>;
}

/** The channel platform states no longest call. Nobody talks to a business for longer. */
export const callEndsWithinMs = 4 * 3_600_000;

/** Facts of a call, each of which stays once it is known. */
export interface CallReport {
  by: 'customer' | 'business';
  is_begun?: true;
  is_accepted?: true;
  is_rejected?: true;
  is_ended?: true;
  duration_seconds?: number;
}

export interface PaymentReport {
  reference_id: string;
  status: string;
  /** The platform's time of the status, in milliseconds. */
  at_ms: number;
  /** In units of the currency. */
  amount?: number;
  currency?: string;
}

export interface ClickReport {
  /** What was clicked, such as `cta`. */
  component?: string;
}
