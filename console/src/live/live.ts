import type { LiveEvent } from '@majlis/console-api';
import { recordConnection } from './connection.ts';
import { conversations, conversationsChanged, keepConversationsOf } from './conversations.ts';
import type { Told } from './follow-stream.ts';
import { queries, settingsChanged } from './queries.ts';
import { loadSession, recordServerTime, type SessionState, sessionStore } from './session.ts';
import { followWhileVisible, shareStream } from './share-stream.ts';
import { createStore } from './store.ts';

/** Whether the service runs another version than the one this page came from (danger C10). */
export const isOutdatedStore = createStore(false);

let following: { person_id: string; stop: () => void } | undefined;
let lastId: string | undefined;

/** Follows the live stream while a person with a workspace is signed in. */
export function startLive(): void {
  sessionStore.subscribe(() => adapt(sessionStore.get()));
}

function adapt(state: SessionState): void {
  const session = state.type === 'signed_in' && state.session.workspaces.length > 0 ? state.session : undefined;
  if (following && session?.person.id !== following.person_id) {
    following.stop();
    following = undefined;
    forget();
  }
  if (!session) return;
  keepConversationsOf(session.workspaces.map(({ workspace_id }) => workspace_id));
  following ??= { person_id: session.person.id, stop: follow(session.person.id) };
}

function follow(person_id: string): () => void {
  const listener = {
    lastId: () => lastId,
    tell: receive,
    connect: recordConnection,
    end: () => void loadSession(),
  };
  // Browsers have locks over HTTPS and on this machine alone.
  return 'locks' in navigator ? shareStream(`majlis-${person_id}`, listener) : followWhileVisible(listener);
}

/** Nothing of the person who leaves is shown to the next one. */
function forget(): void {
  lastId = undefined;
  keepConversationsOf([]);
  queries.clear();
}

function receive({ previous, id, event }: Told): void {
  const isGap = previous === undefined || (lastId !== undefined && previous !== lastId);
  lastId = id;
  if (isGap) everythingChanged();
  if (event) apply(event);
}

function apply(event: LiveEvent): void {
  switch (event.kind) {
    case 'ready':
      recordServerTime(event.now);
      compareWithSession(event.version, event.workspaces);
      break;
    case 'reset':
      everythingChanged();
      void loadSession();
      break;
    case 'removed':
      conversations.remove(event.conversation_id);
      conversationsChanged(event.workspace_id);
      break;
    case 'conversation':
    case 'assignment':
    case 'message':
    case 'note':
    case 'contact':
      conversationsChanged(event.workspace_id);
      break;
    case 'member':
      settingsChanged(event.workspace_id);
      break;
  }
}

function compareWithSession(version: string, workspaces: readonly string[]): void {
  const state = sessionStore.get();
  if (state.type !== 'signed_in') return;
  if (version !== state.session.version) isOutdatedStore.set(true);
  const known = state.session.workspaces.map(({ workspace_id }) => workspace_id);
  if (known.toSorted().join() !== workspaces.toSorted().join()) void loadSession();
}

function everythingChanged(): void {
  conversationsChanged();
  settingsChanged();
}
