import { isInView } from './in-view.ts';

const claimMs = 60_000;
const storageKey = 'majlis-notices';
const settleMs = 80;
const mostStored = 50;
const tab = Math.random().toString(36).slice(2);

/** Whether this tab tells the person: of all tabs it alone, and only where none of them shows the conversation. */
export async function mayTell(id: string, conversation_id: string): Promise<boolean> {
  return (await claim(id)) && !(await isInView(conversation_id));
}

/** Takes a notification for this tab. False where another tab of the browser has it. */
function claim(id: string): Promise<boolean> {
  return 'locks' in navigator ? claimByLock(id) : claimByStorage(id);
}

/** The lock is held until every tab has asked for it, also those that the browser slows down. */
function claimByLock(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const hold = (lock: Lock | null) => {
      resolve(lock !== null);
      return lock ? new Promise<void>((release) => setTimeout(release, claimMs)) : undefined;
    };
    navigator.locks.request(`majlis-notice-${id}`, { ifAvailable: true }, hold).catch(() => resolve(false));
  });
}

/**
 * On plain http there are no locks. The storage keeps ids alone. It has no atomic change, so each tab writes its name, waits until
 * the others have written theirs, and the last name stands.
 */
async function claimByStorage(id: string): Promise<boolean> {
  const before = readClaims();
  if (before.some(([claimed]) => claimed === id)) return false;
  writeClaims([...before, [id, tab]]);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return readClaims().some(([claimed, by]) => claimed === id && by === tab);
}

function readClaims(): [id: string, tab: string][] {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]');
  } catch {
    return [];
  }
}

function writeClaims(claims: [id: string, tab: string][]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(claims.slice(-mostStored)));
  } catch {
    // Without storage, two visible tabs may both tell.
  }
}
