import { listenToChanges } from '../live/changes.ts';
import { serverNow, sessionStore } from '../live/session.ts';

/** A send that the end of a session stopped. A draft or the storage of the tab keeps some; this keeps the others, as templates. */
interface StoppedSend {
  user_id: string;
  conversation_id: string;
  isFromDraft: boolean;
  isResumable?: boolean;
  /** Opens the panel that it came from. */
  onRefused?: () => void;
}

/** An older send is not sent by itself any more. */
const resumedWithinMs = 10 * 60_000;

/** Give the sends back to their person. Memory alone holds them until somebody signs in. */
let stopped: readonly { send: StoppedSend; giveBack: (isRecent: boolean) => void }[] = [];
let stoppedAt = 0;

/** `resume` sends one with the key that it had: what the service has accepted already is sent no second time. */
export function keepStopped<Send extends StoppedSend>(sends: readonly Send[], resume: (send: Send) => void): void {
  const state = sessionStore.get();
  // Whoever signs out leaves nothing behind.
  if (state.type !== 'signed_out' || !state.wasSignedIn) return;
  stopped = sends
    .filter(({ isFromDraft, isResumable }) => !isFromDraft && !isResumable)
    .map((send) => ({ send, giveBack: (isRecent) => (isRecent ? resume(send) : send.onRefused?.()) }));
  stoppedAt = serverNow();
}

sessionStore.subscribe(() => {
  const state = sessionStore.get();
  if (state.type !== 'signed_in') return;
  const own = new Set(state.session.workspaces.map(({ user_id }) => user_id));
  const given = stopped.filter(({ send }) => own.has(send.user_id));
  stopped = [];
  const isRecent = serverNow() - stoppedAt < resumedWithinMs;
  for (const { giveBack } of given) giveBack(isRecent);
});

listenToChanges({
  onChange({ kind, ...change }) {
    // Nothing of a conversation stays that is erased, or hidden from the person by now (danger C8).
    if (kind === 'removed') stopped = stopped.filter(({ send }) => send.conversation_id !== change.conversation_id);
  },
});
