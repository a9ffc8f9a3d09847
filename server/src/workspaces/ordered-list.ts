import { newId, parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { digestOf } from '../http/digest-of.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { requireText } from '../http/require-text.ts';
import type { Clock } from '../process/clock.ts';

/** An entry of a list that a workspace keeps in an order of its own. */
export interface ListEntry {
  id: string;
  name: string;
  emoji: string | null;
  position: number;
  /** The name in the workspace file, where a person gave the entry another one. */
  file_name: string | null;
  /** When a person last changed it, or its place. */
  changed_at: Date | null;
  removed_at: Date | null;
}

export interface NewEntry extends Pick<ListEntry, 'id' | 'name' | 'emoji' | 'position' | 'changed_at'> {}

/** The statements and the changes by people of one such list. The module that owns the table makes it. */
export function orderedList(table: 'stages' | 'closing_categories') {
  const kind = table === 'stages' ? 'stage' : 'closing_category';
  const isStages = table === 'stages';
  const columns = `id, name, ${isStages ? 'emoji' : 'null::text as emoji'}, position, file_name, changed_at, removed_at`;
  const given = isStages ? 'name, emoji, position' : 'name, position';
  const rows = `id uuid, name text, emoji text, position integer, file_name text, changed_at timestamptz, removed_at timestamptz`;

  const selectAll = statement<ListEntry>(
    `select ${columns} from ${table} where workspace_id = $1 order by position, id`,
  );
  const lockPresent = statement<{ id: string }>(
    `select id from ${table} where workspace_id = $1 and removed_at is null order by id for no key update`,
  );
  const insertRows = statement<{ id: string }>(`
    insert into ${table} (workspace_id, id, ${given}, changed_at)
    select $1, id, ${given}, changed_at from json_to_recordset($2) as n (${rows})
    on conflict (workspace_id, name) where removed_at is null do nothing returning id`);
  const updateRows = statement(`
    update ${table} e set name = n.name, ${isStages ? 'emoji = n.emoji, ' : ''}position = n.position,
      file_name = n.file_name, changed_at = n.changed_at, removed_at = n.removed_at
    from json_to_recordset($2) as n (${rows}) where e.workspace_id = $1 and e.id = n.id`);

  /** All entries in their order, the removed ones too. */
  const listEntries = (connection: Connection, workspace_id: string) => selectAll(connection, [workspace_id]);

  async function insertEntries(connection: Connection, workspace_id: string, entries: readonly NewEntry[]) {
    if (entries.length === 0) return [];
    return (await insertRows(connection, [workspace_id, JSON.stringify(entries)])).map(({ id }) => id);
  }

  async function updateEntries(connection: Connection, workspace_id: string, entries: readonly ListEntry[]) {
    if (entries.length > 0) await updateRows(connection, [workspace_id, JSON.stringify(entries)]);
  }

  /** Locks the entries that are not removed; answers them in their order. */
  async function lock(tx: Transaction, workspace_id: string): Promise<ListEntry[]> {
    await lockPresent(tx, [workspace_id]);
    return presentOf(await listEntries(tx, workspace_id));
  }

  async function lockEntry(tx: Transaction, workspace_id: string, public_id: string, version: string) {
    const id = requireId(kind, public_id);
    const entries = await lock(tx, workspace_id);
    const entry = entries.find((one) => one.id === id);
    if (!entry) throw new Refusal('not_found');
    if (versionOfEntry(entry) !== version) throw new Refusal('changed_meanwhile');
    return { entry, entries };
  }

  return {
    listEntries,
    insertEntries,
    updateEntries,

    /** The new entry comes last. */
    async create(
      tx: Transaction,
      clock: Clock,
      workspace_id: string,
      { name: text, emoji }: { name: string; emoji?: string | undefined },
    ): Promise<ListEntry> {
      const entries = await lock(tx, workspace_id);
      const id = newId(clock);
      const position = (entries.at(-1)?.position ?? 0) + 1;
      const entry = {
        id,
        name: requireText(text, '/name'),
        emoji: readEmoji(emoji),
        position,
        changed_at: clock.now(),
      };
      const created = await insertEntries(tx, workspace_id, [entry]);
      if (created.length === 0) throw takenName();
      return { ...entry, file_name: null, removed_at: null };
    },

    /** Changes what a person sent. Where somebody changed the entry since `version`, nothing changes. */
    async change(
      tx: Transaction,
      clock: Clock,
      workspace_id: string,
      public_id: string,
      { version, name: text, emoji }: { version: string; name?: string | undefined; emoji?: string | null | undefined },
    ): Promise<ListEntry> {
      const { entry, entries } = await lockEntry(tx, workspace_id, public_id, version);
      const name = text === undefined ? entry.name : requireText(text, '/name');
      if (entries.some((other) => other.id !== entry.id && other.name === name)) throw takenName();
      const after: ListEntry = {
        ...entry,
        name,
        emoji: emoji === undefined ? entry.emoji : readEmoji(emoji),
        file_name: name === entry.name ? entry.file_name : (entry.file_name ?? entry.name),
        changed_at: clock.now(),
      };
      await updateEntries(tx, workspace_id, [after]);
      return after;
    },

    /** Puts all entries in this order. Where the order is another one than that of `version`, nothing changes. */
    async reorder(
      tx: Transaction,
      clock: Clock,
      workspace_id: string,
      { version, public_ids }: { version: string; public_ids: readonly string[] },
    ): Promise<ListEntry[]> {
      const entries = await lock(tx, workspace_id);
      if (orderVersion(entries) !== version) throw new Refusal('changed_meanwhile');
      const ids = public_ids.map((public_id) => parseId(kind, public_id));
      const places = new Map(ids.map((id, index) => [id, index + 1]));
      if (ids.length !== entries.length || entries.some(({ id }) => !places.has(id))) {
        throw invalid({ detail: 'must hold each entry of the list once', pointer: '/ids' });
      }
      const changed_at = clock.now();
      const after = entries
        .map((entry): ListEntry => ({ ...entry, position: places.get(entry.id)!, changed_at }))
        .sort((a, b) => a.position - b.position);
      await updateEntries(tx, workspace_id, after);
      return after;
    },

    /** Takes an entry off the list. Its name stays in the threads; what has it is for the caller. */
    async remove(
      tx: Transaction,
      clock: Clock,
      workspace_id: string,
      public_id: string,
      version: string,
    ): Promise<{ entry: ListEntry; left: ListEntry[] }> {
      const { entry, entries } = await lockEntry(tx, workspace_id, public_id, version);
      const now = clock.now();
      await updateEntries(tx, workspace_id, [{ ...entry, changed_at: now, removed_at: now }]);
      return { entry, left: entries.filter(({ id }) => id !== entry.id) };
    },
  };
}

export const versionOfEntry = ({ id, name, emoji }: ListEntry): string => digestOf([id, name, emoji]);
export const orderVersion = (entries: readonly ListEntry[]): string => digestOf(entries.map(({ id }) => id));
export const presentOf = (entries: readonly ListEntry[]): ListEntry[] =>
  entries.filter(({ removed_at }) => !removed_at);

function readEmoji(text: string | null | undefined): string | null {
  const emoji = text?.trim() ?? '';
  if ([...emoji].length > 16) throw invalid({ detail: 'must be one emoji', pointer: '/emoji' });
  return emoji === '' ? null : emoji;
}

const takenName = () => invalid({ detail: 'is the name of another entry', pointer: '/name' });
