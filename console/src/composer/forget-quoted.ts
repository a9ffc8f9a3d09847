import { type SessionState, sessionStore } from '../live/session.ts';
import { quotedStore } from './quoted.ts';

let person_id = personOf(sessionStore.get());

// It stays for the same person, as their draft does. The next person would send it without having chosen it.
sessionStore.subscribe(() => {
  const state = sessionStore.get();
  const next = personOf(state);
  const isLeft = state.type === 'signed_out' && !state.wasSignedIn;
  if (isLeft || (next !== undefined && next !== person_id)) quotedStore.set(undefined);
  person_id = next ?? person_id;
});

function personOf(state: SessionState): string | undefined {
  return state.type === 'signed_in' ? state.session.person.id : undefined;
}
