import type { Session } from '@majlis/console-api';
import { applyTheme } from '../app/theme.ts';
import { chooseLanguage, setLanguage } from '../words/words.ts';
import { Failure, onSignedOut, request } from './request.ts';
import { createStore } from './store.ts';

export type SessionState =
  | { type: 'loading' }
  | { type: 'failed'; failure: Failure }
  | { type: 'signed_out'; wasSignedIn: boolean }
  | { type: 'signed_in'; session: Session };

export const sessionStore = createStore<SessionState>({ type: 'loading' });

// The server's clock minus this device's: windows and "minutes ago" follow the server (danger C9).
let clockOffsetMs = 0;

export function serverNow(): number {
  return Date.now() + clockOffsetMs;
}

export function recordServerTime(now: string): void {
  clockOffsetMs = Date.parse(now) - Date.now();
}

const readAgainMs = 3_000;

/** Reads who is signed in, and takes over their language and theme. */
export async function loadSession(): Promise<void> {
  try {
    const session = await request<Session>('GET', '/session');
    recordServerTime(session.now);
    setLanguage(chooseLanguage(session.person.language));
    applyTheme(session.person.theme);
    sessionStore.set({ type: 'signed_in', session });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'signed_out') return;
    // A person at work keeps their page: the session is read again when the service answers.
    if (sessionStore.get().type === 'signed_in') setTimeout(loadSession, readAgainMs);
    else sessionStore.set({ type: 'failed', failure: error });
  }
}

onSignedOut(() => {
  const before = sessionStore.get();
  if (before.type === 'signed_out') return;
  sessionStore.set({ type: 'signed_out', wasSignedIn: before.type === 'signed_in' });
});

export async function signOut(): Promise<void> {
  await request('POST', '/sign-out');
  sessionStore.set({ type: 'signed_out', wasSignedIn: false });
}
