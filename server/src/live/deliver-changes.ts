import type { FedChange } from './feed.ts';
import type { LiveStream } from './live-stream.ts';
import { frame, presentChange, rowFrames } from './present.ts';
import type { RowsOfChange } from './read-rows-of.ts';
import { type LiveMembership, seesRow, type Telling, tellingOf } from './rights.ts';
import type { ToldRow } from './told-rows.ts';

interface Deliver {
  streams: Iterable<LiveStream>;
  idOf(position: number): string;
  rowsOf: RowsOfChange;
}

/**
 * Writes to each stream what its person may see of these changes, which are in the order of their positions. The rows go before the
 * changes, so whoever has a change has its row.
 */
export function deliverChanges(changes: readonly FedChange[], { streams, idOf, rowsOf }: Deliver): void {
  const told = withoutRepeats(changes);
  if (told.length === 0) return;
  const rows = new Map(told.map((change) => [change, rowsOf(change)]));
  const isPersonal = told.some((change) => change.for_user_id !== null || rows.get(change));
  const frames = new Map<string, string>();
  const framesOfRows = new Map<ToldRow, ReturnType<typeof rowFrames>>();
  // Most people of a workspace see the same, so 1,000 streams share one text.
  const texts = new Map<string, string>();

  function textFor({ memberships, position }: LiveStream): string {
    const byWorkspace = new Map(memberships.map((member) => [member.workspace_id, member]));
    const toldRows = new Set<ToldRow>();
    let [before, text] = ['', ''];
    for (const change of told) {
      const member = byWorkspace.get(change.workspace_id);
      const telling = member && change.position > position ? tellingOf(change, member) : undefined;
      if (!telling) continue;
      const seen = telling === 'change' ? rows.get(change)?.filter((row) => seesRow(member!, row)) : undefined;
      for (const row of seen ?? []) {
        if (!isShown(change, row) || toldRows.has(row)) continue;
        toldRows.add(row);
        before += framesOf(change.workspace_id, row)(row.own.get(member!.user_id)!);
      }
      const isInRow = seen !== undefined && (change.kind === 'contact' || seen.length > 0);
      text += frameOf(change, telling, isInRow);
    }
    return before + text;
  }
  function framesOf(workspace_id: string, row: ToldRow): ReturnType<typeof rowFrames> {
    const known = framesOfRows.get(row) ?? rowFrames(workspace_id, row);
    framesOfRows.set(row, known);
    return known;
  }
  function frameOf(change: FedChange, telling: NonNullable<Telling>, isInRow: boolean): string {
    const key = `${telling} ${isInRow} ${change.position}`;
    const text = frames.get(key) ?? frame(presentChange(change, telling, isInRow), idOf(change.position));
    frames.set(key, text);
    return text;
  }

  for (const stream of streams) {
    const key = `${Math.max(stream.position, told[0]!.position - 1)} ${viewsOf(stream.memberships, isPersonal)}`;
    const text = texts.get(key) ?? textFor(stream);
    texts.set(key, text);
    if (text !== '') stream.write(text);
  }
}

/** A row does not show the status of an earlier message. */
const isShown = ({ kind, object_id }: FedChange, { message_id }: ToldRow) =>
  kind !== 'status' || object_id === message_id;

/** Equal for streams that are told the same. */
function viewsOf(memberships: readonly LiveMembership[], isPersonal: boolean): string {
  return memberships
    .map(({ workspace_id, user_id, role, team_ids }) => (isPersonal || team_ids ? user_id : `${workspace_id} ${role}`))
    .join();
}

/**
 * Of equal changes the last. One that may remove a conversation from a view has no equal, and one that tells a value of a
 * conversation stands for no other change of it.
 */
function withoutRepeats(changes: readonly FedChange[]): FedChange[] {
  const seen = new Set<string>();
  return changes
    .toReversed()
    .filter((change) => {
      if (change.former_assignee_id !== null || change.former_team_id !== null) return true;
      const part = change.kind === 'conversation' && change.details !== null;
      const key = `${part} ${change.workspace_id} ${change.kind} ${change.conversation_id} ${change.object_id} ${change.for_user_id}`;
      return !seen.has(key) && seen.add(key);
    })
    .reverse();
}
