// Whom an item of a webhook is about.

/** The account of a webhook item. */
export interface AccountOrigin {
  waba_id: string;
  /** The platform's time of a report on an account, a template or a number. */
  at?: Date;
  /** When the notification came. */
  received_at?: Date;
}

/** The number of a webhook item. `display_phone` is digits only. */
export interface NumberOrigin extends AccountOrigin {
  phone_number_id: string;
  display_phone?: string;
}

/** The platform's ids of a customer. A customer with a username may hide the number: only `user_id` is known then. */
export interface CustomerIds {
  wa_id?: string;
  user_id?: string;
}
