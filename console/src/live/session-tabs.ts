import { loadSession } from './session.ts';

const channel = new BroadcastChannel('session');

/** Reads the person again when another tab of the browser has changed their profile. */
export function followOtherTabs(): void {
  channel.onmessage = () => void loadSession();
}

export function tellOtherTabs(): void {
  channel.postMessage('changed');
}
