import type { FedChange } from './feed.ts';
import type { LiveStream } from './live-stream.ts';
import { frame, presentChange } from './present.ts';
import { type LiveMembership, type Telling, tellingOf } from './rights.ts';

/** Writes to each stream what its person may see of these changes, which are in the order of their positions. */
export function deliverChanges(
  changes: readonly FedChange[],
  streams: Iterable<LiveStream>,
  idOf: (position: number) => string,
): void {
  const told = withoutRepeats(changes);
  if (told.length === 0) return;
  const isPersonal = told.some(({ for_user_id }) => for_user_id !== null);
  const frames = new Map<string, string>();
  // Most people of a workspace see the same, so 1,000 streams share one text.
  const texts = new Map<string, string>();

  function textFor({ memberships, position }: LiveStream): string {
    const byWorkspace = new Map(memberships.map((member) => [member.workspace_id, member]));
    let text = '';
    for (const change of told) {
      const member = byWorkspace.get(change.workspace_id);
      const telling = member && change.position > position ? tellingOf(change, member) : undefined;
      if (telling) text += frameOf(change, telling);
    }
    return text;
  }
  function frameOf(change: FedChange, telling: NonNullable<Telling>): string {
    const key = `${telling} ${change.position}`;
    const text = frames.get(key) ?? frame(presentChange(change, telling), idOf(change.position));
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
