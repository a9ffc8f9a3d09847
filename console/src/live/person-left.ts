import { type SessionState, sessionStore } from './session.ts';

const listeners = new Set<() => void>();
let person_id = personOf(sessionStore.get());

/**
 * The listener is called when what a person has begun must leave memory: they sign out, or another person signs in. It stays where
 * their session has merely ended, so that the same person goes on after the next sign-in.
 */
export function onPersonLeft(listener: () => void): void {
  listeners.add(listener);
}

sessionStore.subscribe(() => {
  const state = sessionStore.get();
  const next = personOf(state);
  const isLeft = state.type === 'signed_in' ? next !== person_id : state.type === 'signed_out' && !state.wasSignedIn;
  person_id = next ?? person_id;
  if (isLeft) for (const listener of listeners) listener();
});

/** Undefined for one who has no workspace any more: nothing of their work there stays. */
function personOf(state: SessionState): string | undefined {
  const isAtWork = state.type === 'signed_in' && state.session.workspaces.length > 0;
  return isAtWork ? state.session.person.id : undefined;
}
