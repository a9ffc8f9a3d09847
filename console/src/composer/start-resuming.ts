import { sessionStore } from '../live/session.ts';
import { keptNames } from './kept-prefix.ts';

/** As soon as their person is signed in, goes on with the sends that a reload interrupted. Most views have none. */
export function startResuming(): void {
  sessionStore.subscribe(resume);
  resume();
}

function resume(): void {
  const state = sessionStore.get();
  if (state.type !== 'signed_in' || !keptNames()[0]) return;
  void import('./resume-sends.ts').then((sends) => sends.resumeSends(state.session));
}
