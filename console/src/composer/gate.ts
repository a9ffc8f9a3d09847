import type { SendGate } from '@majlis/console-api';
import { listenToChanges } from '../live/changes.ts';
import { createFollowed, type Followed, useFollowed } from '../live/followed.ts';
import { readOpening } from '../live/opening.ts';
import { recordServerTime } from '../live/session.ts';
import { noteNewest } from './note-newest.ts';

const gates = new Map<string, Followed<SendGate>>();

function followGate(workspace_id: string, conversation_id: string): Followed<SendGate> {
  const known = gates.get(conversation_id);
  if (known) return known;
  const followed = createFollowed(() => readGate(workspace_id, conversation_id));
  gates.set(conversation_id, followed);
  return followed;
}

/** The service asks the rules that will decide about the send. */
async function readGate(workspace_id: string, conversation_id: string): Promise<SendGate> {
  const { gate } = await readOpening(workspace_id, conversation_id);
  recordServerTime(gate.now);
  noteNewest(workspace_id, conversation_id, gate.newest_reply_id);
  return gate;
}

/** The gate of an open conversation. It follows the service. */
export function useGate(workspace_id: string, conversation_id: string): SendGate | undefined {
  return useFollowed(followGate(workspace_id, conversation_id)).data;
}

/** Something that decides about sends has changed, or the service has refused one. */
export function gateChanged(conversation_id: string): void {
  gates.get(conversation_id)?.invalidate();
}

listenToChanges({
  onChange({ kind, ...change }) {
    const decides = ['conversation', 'assignment', 'message', 'contact', 'channel', 'settings'].includes(kind);
    if (!decides) return;
    if (change.conversation_id) gateChanged(change.conversation_id);
    else for (const gate of gates.values()) gate.invalidate();
  },
  onGap() {
    for (const gate of gates.values()) gate.invalidate();
  },
  onForget: () => gates.clear(),
});
