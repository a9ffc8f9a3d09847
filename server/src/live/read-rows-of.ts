import type { FedChange } from './feed.ts';
import type { LiveStream } from './live-stream.ts';
import type { ReadToldRows, ToldRow } from './told-rows.ts';

/** The rows of a change as they are after it. Undefined where they were not read: a list must be. */
export type RowsOfChange = (change: FedChange) => readonly ToldRow[] | undefined;

/** What changes the row of a conversation. A `status` does where it is that of the message in the row. */
const kindsOfRows = new Set([
  'conversation',
  'assignment',
  'handover',
  'message',
  'note',
  'scheduled_message',
  'status',
]);
// Beyond these, as in a broadcast, a console that reads its list again costs less than rows that it may not show.
const mostRowsAtOnce = 20;
const mostPartsAtOnce = 4_000;

/** The rows that the changes concern, for the people of the streams. */
export async function readRowsOf(
  changes: readonly FedChange[],
  streams: readonly LiveStream[],
  read: ReadToldRows,
): Promise<RowsOfChange> {
  const byWorkspace = [...Map.groupBy(changes, ({ workspace_id }) => workspace_id)];
  const readings = byWorkspace.map(async ([workspace_id, ofWorkspace]) => {
    const conversation_ids = [...new Set(ofWorkspace.filter(changesRow).map((change) => change.conversation_id!))];
    const contact_ids = [...new Set(ofWorkspace.filter(changesContact).map((change) => change.object_id!))];
    const user_ids = [...new Set(streams.flatMap((stream) => usersOf(stream, workspace_id)))];
    const count = conversation_ids.length + contact_ids.length;
    if (count === 0 || count > mostRowsAtOnce || count * user_ids.length > mostPartsAtOnce) return [];
    return [[workspace_id, await read({ workspace_id, conversation_ids, contact_ids, user_ids })]] as const;
  });
  const rowsOf = new Map((await Promise.all(readings)).flat());
  return (change) => {
    const rows = rowsOf.get(change.workspace_id);
    if (!rows) return undefined;
    if (changesContact(change)) return [...rows.values()].filter(({ contact_id }) => contact_id === change.object_id);
    const row = changesRow(change) ? rows.get(change.conversation_id!) : undefined;
    return row && [row];
  };
}

const changesContact = ({ kind, object_id }: FedChange) => kind === 'contact' && object_id !== null;

function changesRow({ kind, is_present, details }: FedChange): boolean {
  if (!kindsOfRows.has(kind) || !is_present) return false;
  return kind === 'status' || details === null;
}

const usersOf = ({ memberships }: LiveStream, workspace_id: string) =>
  memberships.filter((member) => member.workspace_id === workspace_id).map(({ user_id }) => user_id);
