import type { Pool } from '../../database/pool.ts';
import type { Transaction } from '../../database/transaction.ts';

/** A contact that is being erased. Its row, its identities and its conversations are locked. */
export interface ErasedContact {
  workspace_id: string;
  contact_id: string;
  conversation_ids: string[];
  /** Its numbers with and without the plus, and its user ids. */
  names: string[];
  /** Its names before a change of number. Another contact may have one of them by now. */
  former_names: string[];
  /** All of them and the e-mail address, as rows of imports have them. */
  row_names: string[];
  /** Jobs whose calls to the platform have begun; the holder of the jobs adds them. */
  dispatches: number[];
  /** Conversations with more history than one transaction deletes; the holder of the messages adds them. */
  unfinished: string[];
}

/** Two contacts of which one remains. Both rows, their identities and their conversations are locked. */
export interface ContactMerge {
  workspace_id: string;
  survivor_id: string;
  source_id: string;
}

/**
 * A module that stores data of contacts beyond their own rows. Each table that can name a contact needs a holder or a
 * cascading delete: two tests read the catalogue of the database and fail otherwise.
 */
export interface ContactHolder {
  /** Erases everything that can name the contact, its conversations or its messages. */
  erase(tx: Transaction, erased: ErasedContact): Promise<void>;
  /** Deletes what is left of an unfinished conversation after the commit, in transactions of its own. */
  eraseRest?(pool: Pool, workspace_id: string, conversation_id: string): Promise<void>;
  /** Moves the data of the source to the survivor. Data of conversations and messages moves with them. */
  merge?(tx: Transaction, merge: ContactMerge): Promise<void>;
}
