import { sessionStore } from '../live/session.ts';
import { keptPrefix } from './kept-prefix.ts';

/** As soon as their person is signed in, goes on with the sends that a reload interrupted. Most views have none. */
export function startResuming(): void {
  sessionStore.subscribe(resume);
  resume();
}

function resume(): void {
  const state = sessionStore.get();
  const isKept = Object.keys(sessionStorage).some((name) => name.startsWith(keptPrefix));
  if (state.type !== 'signed_in' || !isKept) return;
  const own = new Set(state.session.workspaces.map(({ user_id }) => user_id));
  void import('./resume-sends.ts').then(({ resumeSends }) => resumeSends(own));
}
