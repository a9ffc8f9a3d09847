import type { Session } from '@majlis/console-api';
import { applyTheme } from '../app/theme.ts';
import { chooseLanguage, setLanguage } from '../words/words.ts';
import { createStore } from './create-store.ts';
import { compareVersion } from './outdated.ts';
import { Failure, onSignedOut, recordSignIn, request } from './request.ts';

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

/** The id of the signed-in person as a user of the workspace. */
export function userIn(workspace_id: string): string {
  const state = sessionStore.get();
  const workspaces = state.type === 'signed_in' ? state.session.workspaces : [];
  return workspaces.find((membership) => membership.workspace_id === workspace_id)?.user_id ?? '';
}

/** The page of the simulated customers' phones, where this browser reaches it. */
export function simulatorUrl(state: SessionState): URL | undefined {
  const address = state.type === 'signed_in' ? state.session.simulator_url : undefined;
  const url = address ? new URL(address) : undefined;
  // The simulator of another machine listens there alone.
  const isNear = url && (!isLoopback(url.hostname) || isLoopback(location.hostname));
  return isNear ? url : undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

const readAgainMs = 3_000;

/** Reads who is signed in, and takes over their language and theme. */
export async function loadSession(): Promise<void> {
  try {
    const session = await request<Session>('GET', '/session');
    recordServerTime(session.now);
    compareVersion(session.version);
    await setLanguage(chooseLanguage(session.person.language));
    applyTheme(session.person.theme);
    if (sessionStore.get().type !== 'signed_in') recordSignIn();
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
  forgetStored();
  sessionStore.set({ type: 'signed_out', wasSignedIn: false });
}

/** Nothing of the person's work stays in the browser, not even ids. */
function forgetStored(): void {
  try {
    sessionStorage.clear();
    localStorage.clear();
  } catch {
    // A browser may refuse its storage. Then nothing is there.
  }
}
