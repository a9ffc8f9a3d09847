import type { Echo } from '../receive/store-echoes.ts';

/** A message of the phone app, from before its number was connected. */
export interface PhoneMessage extends Echo {
  by: 'customer' | 'business';
  /** Its order among the messages of one second. */
  place: number;
}
