import type { Transaction } from '../../database/transaction.ts';

/** A contact on its way out. Its row, its identities and its conversations are locked. */
export interface ErasedContact {
  workspace_id: string;
  contact_id: string;
  conversation_ids: string[];
  /** What the platform and people call it: numbers with and without the plus, user ids. */
  names: string[];
  /** What they called it before it had a new number; a name among them may be another contact's by now. */
  former_names: string[];
  /** Jobs whose calls to the platform have begun: filled in by who holds them. */
  dispatches: number[];
}

/** Two contacts of which one remains. Both rows, their identities and their conversations are locked. */
export interface ContactMerge {
  workspace_id: string;
  survivor_id: string;
  source_id: string;
}

/**
 * What a room or a part of the machinery keeps of contacts, beyond their own rows. Whoever adds a table that can name a
 * contact adds a holder, or deletes its rows in cascade: two tests walk the catalogue of the database and fail otherwise.
 */
export interface ContactHolder {
  /** Erases everything that can name the contact, its conversations or its messages. */
  erase(tx: Transaction, erased: ErasedContact): Promise<void>;
  /** Gives the survivor what names the source. What hangs on conversations and messages moves with them. */
  merge?(tx: Transaction, merge: ContactMerge): Promise<void>;
}
