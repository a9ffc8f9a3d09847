// The file depends on nothing, so the console's first view loads nothing else with it.

/** A header of the answer to a person's change: what stood before, as the JSON of `Before`, or of `ContactBefore` for a contact. */
export const beforeHeader = 'majlis-before';

export interface Before {
  status: string;
  assignee_id: string | null;
  team_id: string | null;
  stage_id: string | null;
  snoozed_until: string | null;
}

export interface ContactBefore {
  /** Whether the contact had each of the added tags already. */
  had_tags: boolean[];
}
