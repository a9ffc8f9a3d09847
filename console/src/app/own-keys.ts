import type { OwnKeys } from '@majlis/console-api';
import { type SessionState, sessionStore } from '../live/session.ts';
import { useStore } from '../live/store.ts';

const none: OwnKeys = {};

/** The keys that the person gave to commands, by the commands' ids. */
export function ownKeysOf(state: SessionState): OwnKeys {
  return state.type === 'signed_in' ? state.session.person.shortcuts : none;
}

export function useOwnKeys(): OwnKeys {
  return ownKeysOf(useStore(sessionStore));
}
