import type { LiveRow } from '@majlis/console-api';

/** The place of a conversation in the lists by activity: its time and its id. */
export type Place = readonly [listed_at: string, id: string];

/** Whether the view lists the conversation. Undefined where the service alone knows it, or has another order. */
export function belongsTo(
  view: string,
  { row: { conversation }, is_snoozed }: LiveRow,
  user_id: string,
): boolean | undefined {
  const { status, assignee_id, team_id } = conversation;
  if (view === 'closed') return status === 'closed';
  const isOpen = status === 'open' && !is_snoozed;
  if (view === 'all') return isOpen;
  if (view === 'mine') return isOpen && assignee_id === user_id;
  if (view === 'unassigned') return isOpen && assignee_id === undefined;
  if (view.startsWith('team:')) return isOpen && team_id === view.slice('team:'.length);
  return undefined;
}

/** `at`: the new place of the conversation, or undefined where it leaves the list. `bottom`: how far the list was read. */
interface Move {
  id: string;
  at: Place | undefined;
  bottom: Place | undefined;
}

/** The ids with one of them at its place. Undefined where the place of another one is not known. */
export function placeIn(
  ids: readonly string[],
  { id, at, bottom }: Move,
  placeOf: (id: string) => Place | undefined,
): string[] | undefined {
  const others = ids.filter((one) => one !== id);
  if (!at || (bottom && isBefore(bottom, at))) return others;
  const places = others.map(placeOf);
  if (places.includes(undefined)) return undefined;
  const behind = places.findIndex((place) => isBefore(at, place!));
  return others.toSpliced(behind === -1 ? others.length : behind, 0, id);
}

/** The latest activity stands first. */
function isBefore(one: Place, other: Place): boolean {
  return one[0] === other[0] ? one[1] > other[1] : one[0] > other[0];
}
