/**
 * Thrown where the platform names one person by a number and a user id that belong to two contacts. The caller joins them, and runs the
 * transaction again.
 */
export class TwoContacts extends Error {
  override readonly name = 'TwoContacts';
  readonly workspace_id: string;
  readonly survivor_id: string;
  readonly source_id: string;

  constructor({ workspace_id, survivor_id, source_id }: Record<'workspace_id' | 'survivor_id' | 'source_id', string>) {
    super('the platform names two contacts as one person');
    this.workspace_id = workspace_id;
    this.survivor_id = survivor_id;
    this.source_id = source_id;
  }
}
