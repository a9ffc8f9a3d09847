import type { InboxRow } from '@majlis/console-api';

type SharedMember = 'conversation' | 'listed_at' | 'preview' | 'has_scheduled';

/** A row of the inbox for whoever may see its conversation. */
export interface ToldRow {
  contact_id: string;
  assignee_id: string | null;
  team_id: string | null;
  /** The message that the row shows. */
  message_id: string | null;
  is_snoozed: boolean;
  shared: Pick<InboxRow, SharedMember>;
  /** The rest of the row, by user. */
  own: ReadonlyMap<string, OwnRow>;
}

/** What of a row is the own of a person. */
export type OwnRow = Omit<InboxRow, SharedMember>;

export interface AskedRows {
  workspace_id: string;
  conversation_ids: readonly string[];
  /** The rows of all their conversations are asked for. */
  contact_ids: readonly string[];
  user_ids: readonly string[];
}

/** Reads rows, by their conversation. Those of an erased one are left out. */
export type ReadToldRows = (asked: AskedRows) => Promise<Map<string, ToldRow>>;
