/** A person on a channel, by number or handle and by the platform's own ids. */
export interface PersonIdentity {
  workspace_id: string;
  channel_type: string;
  /** E.164 for a phone number. */
  identifier: string;
  /** Other spellings of the number, under which the person may be stored. */
  variants?: string[];
  wa_id?: string | undefined;
  user_id?: string | undefined;
  /** The account through which the platform told the user id. */
  waba_id?: string | undefined;
  /** The name they chose for themselves. */
  profile_name?: string | undefined;
  /** The time of the message to or from them, where there is one. */
  active_at?: Date | undefined;
}

export interface FoundIdentity {
  contact_id: string;
  identifier: string;
  wa_id: string | null;
  user_id: string | null;
  waba_id: string | null;
  display_name: string | null;
  /** Created by this transaction. */
  is_new?: boolean;
  /** The message came late, by a number that somebody has left since. */
  is_former?: boolean;
}
